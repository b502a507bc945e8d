import { type Static, Type } from 'typebox';
import { ALERT_SEVERITIES, AlertRuleId, DELIVERED_RULES } from './alerts.ts';
import { DateTime, MAX_ID, nullable } from './common.ts';
import { DEFAULT_LIMIT, MAX_LIMIT } from './page.ts';
import { PlainName } from './plain-text.ts';
import { MAX_SITE_TAGS, MAX_TAG_LENGTH } from './site-tags.ts';

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
  site_ids: Type.Array(Type.Integer({ minimum: 1, maximum: MAX_ID }), {
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

export const PushKey = Type.Object({
  key: Type.String({
    description: 'The public key of the service (VAPID), base64url, for `applicationServerKey`',
  }),
});
export type PushKey = Static<typeof PushKey>;

/** A subscription as browsers give it. Source: https://www.w3.org/TR/push-api/. */
export const PushSubscriptionBody = Type.Object({
  endpoint: Type.String({
    maxLength: 1_000,
    pattern: '^https://\\S+$',
    examples: ['https://push.example.org/send/abc'],
  }),
  keys: Type.Object({
    p256dh: Type.String({
      pattern: '^[A-Za-z0-9_-]{87}=?$',
      examples: ['BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'],
    }),
    auth: Type.String({ pattern: '^[A-Za-z0-9_-]{22}(==)?$', examples: ['BTBZMqHH6r4Tts7J_aSIgg'] }),
  }),
});
export type PushSubscriptionBody = Static<typeof PushSubscriptionBody>;

export const PushSubscriptionSummary = Type.Object({
  id: Type.Integer(),
  label: Type.String({ description: 'The browser and its system' }),
  created_at: DateTime,
});
export type PushSubscriptionSummary = Static<typeof PushSubscriptionSummary>;

export const PushSubscriptionParams = Type.Object({ id: Type.Integer({ minimum: 1, maximum: MAX_ID }) });

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
