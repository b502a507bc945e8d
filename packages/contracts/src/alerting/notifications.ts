import { type Static, Type } from 'typebox';
import { NoContent, operations } from '../common/operation.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from '../common/page.ts';
import { OrganizationParams } from '../common/params.ts';
import { DateTime, Id, nullable } from '../common/schemas.ts';
import { ALERT_SEVERITIES, AlertRuleId, DELIVERED_RULES } from '../readings/alerts.ts';
import { MAX_SITE_TAGS, MAX_TAG_LENGTH } from '../sites/settings.ts';
import { PlainName } from '../text/plain-text.ts';

export const NOTIFICATION_CHANNELS = ['mail', 'push', 'ntfy', 'telegram'] as const;
export type NotificationChannel = (typeof NOTIFICATION_CHANNELS)[number];

export const NOTIFICATION_DIGESTS = ['at_once', 'hourly', 'daily'] as const;

const MAX_MUTED_RULES = 100;
const MAX_CHOSEN_SITES = 200;

export const ESCALATION_MINUTES = { min: 5, max: 1_440 } as const;

const TimeOfDay = Type.String({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', examples: ['22:00'] });
export const QuietHours = Type.Object({ from: TimeOfDay, until: TimeOfDay });
export type QuietHours = Static<typeof QuietHours>;

const choices = {
  severity: nullable(
    Type.Enum([...ALERT_SEVERITIES], {
      description: 'Least severity of alerts of sites that the account owns or administrates; null for none',
    }),
  ),
  team_severity: nullable(
    Type.Enum([...ALERT_SEVERITIES], {
      description: 'The same of the sites of organizations that the account works for',
    }),
  ),
  team_tags: Type.Array(PlainName({ maxLength: MAX_TAG_LENGTH }), {
    maxItems: MAX_SITE_TAGS,
    description: 'Of these, sites with one of these tags alone; all where there is none',
  }),
  escalation_minutes: nullable(
    Type.Integer({
      minimum: ESCALATION_MINUTES.min,
      maximum: ESCALATION_MINUTES.max,
      description:
        'Critical alerts of these sites that are not acknowledged after so many minutes; null for none',
    }),
  ),
  muted_rules: Type.Array(AlertRuleId, {
    maxItems: MAX_MUTED_RULES,
    description: 'Rules whose alerts give no message, such as battery_low, or offline of the service itself',
  }),
  site_ids: Type.Array(Id, {
    maxItems: MAX_CHOSEN_SITES,
    description: 'Alerts of these sites alone; of all where there is none',
  }),
  cleared: Type.Boolean({ description: 'Whether a message follows when an alert is over' }),
  outages: Type.Boolean({ description: 'Outages of many sites, to managers of their organization' }),
  mail: Type.Boolean(),
  digest: Type.Enum([...NOTIFICATION_DIGESTS], { description: 'When mails leave: daily is at seven' }),
  quiet_hours: nullable(QuietHours),
  time_zone: Type.String({
    maxLength: 64,
    description: 'IANA name, for quiet hours and daily mails',
    examples: ['Europe/Berlin'],
  }),
};

export const NotificationSettings = Type.Object({
  is_default: Type.Boolean({ description: 'Whether the account has not chosen yet' }),
  ...choices,
  ntfy: nullable(Type.Object({ url: Type.String() }, { description: 'A topic of an ntfy server' })),
  telegram: nullable(Type.Object({ chat_id: Type.String() })),
});
export type NotificationSettings = Static<typeof NotificationSettings>;

/** `PATCH /api/v1/user/notification_settings`; what is left out stays as it is. */
export const NotificationSettingsChange = Type.Object({
  ...Type.Partial(Type.Object(choices)).properties,
  ntfy: Type.Optional(
    nullable(
      Type.Object({
        url: Type.String({
          maxLength: 500,
          pattern: '^https://[^/?#\\s]+(/[^/?#\\s]+)*[/][A-Za-z0-9_-]{1,64}$',
          description: 'The address of the topic',
          examples: ['https://ntfy.sh/a-name-that-is-hard-to-guess'],
        }),
        token: Type.Optional(
          nullable(Type.String({ maxLength: 200, pattern: '^[!-~]+$', examples: ['tk_example'] })),
        ),
      }),
    ),
  ),
  telegram: Type.Optional(
    nullable(
      Type.Object({
        bot_token: Type.String({
          pattern: '^[0-9]{1,20}:[A-Za-z0-9_-]{20,100}$',
          examples: ['123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc'],
        }),
        chat_id: Type.String({ pattern: '^(-?[0-9]{1,20}|@[A-Za-z0-9_]{1,64})$', examples: ['123456789'] }),
      }),
    ),
  ),
});
export type NotificationSettingsChange = Static<typeof NotificationSettingsChange>;

/** An entry of the log of messages to the account. */
export const NotificationRecord = Type.Object({
  id: Type.Integer(),
  channel: Type.Enum([...NOTIFICATION_CHANNELS]),
  kind: Type.Enum(['raised', 'cleared', 'assigned', 'further', 'began', 'ended', 'test'], {
    description:
      'raised and cleared: of an alert. assigned: another person assigned an alert to the account. further: counts alerts beyond those of an hour that give messages of their own. began and ended: of an outage',
  }),
  state: Type.Enum(['waiting', 'sending', 'sent', 'failed', 'skipped'], {
    description: 'skipped: it was no news any more when it was to be sent',
  }),
  site_id: nullable(Type.Integer()),
  alert_id: nullable(Type.Integer()),
  further_alerts: nullable(Type.Integer({ description: 'How many alerts a message of `further` counts' })),
  created_at: DateTime,
  due_at: DateTime,
  sent_at: nullable(DateTime),
  failure: nullable(Type.String({ description: 'Why the last attempt failed' })),
});
export type NotificationRecord = Static<typeof NotificationRecord>;

export const NotificationsQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_LIMIT, default: DEFAULT_LIMIT })),
});
export type NotificationsQuery = Static<typeof NotificationsQuery>;

export const TestNotificationBody = Type.Object({ channel: Type.Enum([...NOTIFICATION_CHANNELS]) });
export type TestNotificationBody = Static<typeof TestNotificationBody>;

export const UnsubscribeQuery = Type.Object({
  token: Type.String({ maxLength: 100, description: 'From the header List-Unsubscribe of a mail' }),
});

/** Taken as it is: the page that it leads to reports a wrong one. */
export const UnsubscribePageQuery = Type.Object({
  token: Type.Optional(Type.String({ description: 'From the header List-Unsubscribe of a mail' })),
});

/** The form that mail programs send, which is the same for all. */
export const OneClick = Type.Unsafe<Uint8Array>({ description: '`List-Unsubscribe=One-Click`' });

/** An employee of an organization, and which alerts of its sites reach the account. */
export const MessageRecipient = Type.Object({
  user_id: Type.Integer(),
  name: Type.String(),
  team_severity: choices.team_severity,
  team_tags: choices.team_tags,
  escalation_minutes: choices.escalation_minutes,
  muted_rules: Type.Array(Type.Enum([...DELIVERED_RULES]), {
    description: 'Rules of the service and delivered rules of devices whose alerts give no message',
  }),
  chosen_sites: nullable(
    Type.Integer({
      description: 'Alerts of so many sites of the organization alone; null: of all; 0: of none',
    }),
  ),
  outages: Type.Boolean({ description: 'Whether outages of the organization reach the account' }),
  channels: Type.Array(Type.Enum([...NOTIFICATION_CHANNELS]), { description: 'Those that are set up' }),
});
export type MessageRecipient = Static<typeof MessageRecipient>;

export const notificationOperations = operations('notifications', {
  getNotificationSettings: {
    route: 'GET /api/v1/user/notification_settings',
    summary: 'Shows what the account is notified of, and how',
    requires: 'session',
    answers: { 200: NotificationSettings },
  },

  changeNotificationSettings: {
    route: 'PATCH /api/v1/user/notification_settings',
    summary: 'Changes what the account is notified of, and how',
    description: 'Tokens are stored encrypted and are not shown again.',
    requires: 'session',
    body: NotificationSettingsChange,
    answers: { 200: NotificationSettings },
    refusals: [422],
  },

  listNotifications: {
    route: 'GET /api/v1/user/notifications',
    summary: 'Lists the messages to the account of the last 30 days, the newest first',
    requires: 'session',
    query: NotificationsQuery,
    answers: { 200: Type.Array(NotificationRecord) },
  },

  testNotifications: {
    route: 'POST /api/v1/user/notifications/test',
    summary: 'Sends a message to the account by one channel',
    description:
      'It is in the list of messages, with its outcome. Refused with 422 where the channel is not set up.',
    requires: 'session',
    body: TestNotificationBody,
    answers: { 204: NoContent },
    refusals: [422, 429],
  },

  showUnsubscribePage: {
    route: 'GET /api/v1/notification_mails/unsubscribe',
    summary: 'Leads to the page where a person ends the mails about alerts; changes nothing',
    description: 'For mail programs that open the address of the header List-Unsubscribe in a browser.',
    requires: 'nothing',
    query: UnsubscribePageQuery,
    answers: { 303: NoContent },
  },

  unsubscribeFromMails: {
    route: 'POST /api/v1/notification_mails/unsubscribe',
    summary: 'Ends the mails about alerts to the account of a token from one; needs no other token',
    description:
      'For mail programs, by one click of their reader (RFC 8058). Other channels stay as they are.',
    requires: 'nothing',
    query: UnsubscribeQuery,
    body: { content: { 'application/x-www-form-urlencoded': { schema: OneClick } } },
    isBodyOptional: true,
    answers: { 204: NoContent },
    refusals: [404],
  },
});

export const messageRecipientOperations = operations('notifications', {
  listMessageRecipients: {
    route: 'GET /api/v1/organizations/{id}/message_recipients',
    summary: 'Which alerts of the sites of an organization reach which of its employees, by name',
    description:
      'For owners and admins of the organization. Each account makes these choices itself. 200 at most.',
    requires: ['sites:read_all'],
    params: OrganizationParams,
    answers: { 200: Type.Array(MessageRecipient) },
    refusals: [404],
  },
});
