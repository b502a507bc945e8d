import { isIP } from 'node:net';
import {
  ALERT_SEVERITIES,
  type AlertSeverity,
  MAX_ID,
  type NotificationSettings,
  type QuietHours,
} from '@heliograph/contracts';
import { type Clock, NotFound, ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { visibleTo } from '../../access/visible-sites.ts';
import type { UnsubscribeTokens } from '../../common/secrets/unsubscribe-token.ts';
import { inTagOrder } from '../../common/tag-order.ts';
import { recordAudit } from '../../db/audit.ts';
import { addDelegation, removeDelegation } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform, ServerPlatform } from '../../platform.ts';
import type { NotificationSecrets } from './secrets.ts';

/** Ground of use cases about messages to accounts. The keys of push messages are cached, and outlive their requests. */
export interface NotificationPlatform extends ServerPlatform {
  readonly notificationSecrets: NotificationSecrets;
  readonly unsubscribeTokens: UnsubscribeTokens;
}

/** The choices of an account as they are stored. */
interface StoredSettings {
  readonly severity: number | null;
  readonly team_severity: number | null;
  readonly team_tags: string[];
  readonly escalation_minutes: number | null;
  readonly muted_rules: string[];
  readonly site_ids: number[];
  readonly cleared: boolean;
  readonly outages: boolean;
  readonly mail: boolean;
  readonly digest: 'at_once' | 'hourly' | 'daily';
  readonly quiet_from: number | null;
  readonly quiet_until: number | null;
  readonly time_zone: string;
  readonly sealed_ntfy: Buffer | null;
  readonly sealed_telegram: Buffer | null;
}

const DEFAULTS: StoredSettings = {
  severity: 3,
  team_severity: null,
  team_tags: [],
  escalation_minutes: null,
  muted_rules: [],
  site_ids: [],
  cleared: true,
  outages: true,
  mail: true,
  digest: 'at_once',
  quiet_from: null,
  quiet_until: null,
  time_zone: 'UTC',
  sealed_ntfy: null,
  sealed_telegram: null,
};

export async function getNotificationSettings(
  { db, notificationSecrets }: NotificationPlatform,
  { userId }: Caller,
): Promise<NotificationSettings> {
  return present(notificationSecrets, await storedSettings(db, userId));
}

/** @throws ValidationError */
export async function changeNotificationSettings(
  { db, notificationSecrets: secrets, clock }: NotificationPlatform,
  caller: Caller,
  { body }: InputOf<'changeNotificationSettings'>,
): Promise<NotificationSettings> {
  const { userId } = caller;
  if (body.time_zone !== undefined) await requireZone(db, body.time_zone);
  if (body.ntfy) requireHostName('ntfy', body.ntfy.url);
  return db.transaction().execute(async (tx) => {
    // Two changes of an account follow each other.
    await sql`select from users where id = ${userId} for no key update`.execute(tx);
    const before = await storedSettings(tx, userId);
    const { severity, team_severity: teamSeverity, quiet_hours: quiet, ntfy, telegram } = body;
    const after: StoredSettings = {
      severity: severity === undefined ? before.severity : numberOf(severity),
      team_severity: teamSeverity === undefined ? before.team_severity : numberOf(teamSeverity),
      team_tags: body.team_tags ?? before.team_tags,
      escalation_minutes:
        body.escalation_minutes === undefined ? before.escalation_minutes : body.escalation_minutes,
      muted_rules: distinct(body.muted_rules ?? before.muted_rules),
      site_ids:
        body.site_ids === undefined
          ? before.site_ids
          : await chosenSites(tx, caller, distinct(body.site_ids), before.site_ids),
      cleared: body.cleared ?? before.cleared,
      outages: body.outages ?? before.outages,
      mail: body.mail ?? before.mail,
      digest: body.digest ?? before.digest,
      ...(quiet === undefined
        ? { quiet_from: before.quiet_from, quiet_until: before.quiet_until }
        : quietMinutes(quiet)),
      time_zone: body.time_zone ?? before.time_zone,
      sealed_ntfy:
        ntfy === undefined
          ? before.sealed_ntfy
          : secrets.sealChannel(ntfy && { url: ntfy.url, token: ntfy.token ?? null }),
      sealed_telegram:
        telegram === undefined
          ? before.sealed_telegram
          : secrets.sealChannel(telegram && { botToken: telegram.bot_token, chatId: telegram.chat_id }),
    };
    await tx
      .insertInto('notification_settings')
      .values({ user_id: userId, ...after })
      .onConflict((conflict) => conflict.column('user_id').doUpdateSet(after))
      .execute();
    for (const [kind, channel] of [
      ['ntfy', ntfy],
      ['telegram', telegram],
    ] as const) {
      if (channel === null) await removeDelegation(tx, { kind, userId });
      if (channel) await addDelegation(tx, actorOf(caller), { kind, userId }, new Date(clock.now()));
    }
    const changed = Object.keys(body).filter((name) => name !== 'time_zone');
    if (changed.length > 0) await recordChange(tx, caller, changed, clock);
    return present(secrets, after);
  });
}

/** @throws NotFound for a token of no account */
export async function unsubscribeFromMails(
  { db, unsubscribeTokens }: NotificationPlatform,
  token: string,
): Promise<void> {
  const userId = unsubscribeTokens.accountOf(token);
  const account =
    userId !== undefined && userId <= MAX_ID
      ? await db.selectFrom('users').select('id').where('id', '=', userId).executeTakeFirst()
      : undefined;
  if (account === undefined) throw new NotFound('This is no token of a mail about alerts');
  await db
    .insertInto('notification_settings')
    .values({ user_id: account.id, ...DEFAULTS, mail: false })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ mail: false }))
    .execute();
}

/** As part of a transaction. @param userId the account of the channel */
export async function removeChannelIn(
  { clock }: Platform,
  tx: Database,
  caller: Caller,
  userId: number,
  { kind, pushSubscriptionId }: { readonly kind: string; readonly pushSubscriptionId: number | null },
): Promise<void> {
  if (kind === 'push')
    await tx.deleteFrom('push_subscriptions').where('id', '=', pushSubscriptionId).execute();
  else
    await tx
      .updateTable('notification_settings')
      .set(kind === 'ntfy' ? { sealed_ntfy: null } : { sealed_telegram: null })
      .where('user_id', '=', userId)
      .execute();
  await recordChange(tx, caller, [kind], clock);
}

function present(secrets: NotificationSecrets, stored: StoredSettings): NotificationSettings {
  const { team_tags, escalation_minutes, muted_rules, site_ids, cleared, outages, mail, digest, time_zone } =
    stored;
  const { ntfy, telegram } = channelsOf(secrets, stored);
  return {
    is_default: stored === DEFAULTS,
    severity: severityOf(stored.severity),
    team_severity: severityOf(stored.team_severity),
    team_tags: inTagOrder(team_tags),
    ...{ escalation_minutes, muted_rules, site_ids, cleared, outages, mail, digest, time_zone },
    quiet_hours: quietHours(stored),
    ntfy: ntfy === undefined ? null : { url: ntfy.url },
    telegram: telegram === undefined ? null : { chat_id: telegram.chatId },
  };
}

export function channelsOf(secrets: NotificationSecrets, { sealed_ntfy, sealed_telegram }: StoredSettings) {
  return {
    ntfy: sealed_ntfy === null ? undefined : secrets.unsealNtfy(sealed_ntfy),
    telegram: sealed_telegram === null ? undefined : secrets.unsealTelegram(sealed_telegram),
  };
}

/** @param fields the names of those that changed */
export async function recordChange(
  tx: Database,
  caller: Caller,
  fields: string[],
  clock: Clock,
): Promise<void> {
  const { userId, organizationId } = caller;
  await recordAudit(tx, actorOf(caller), new Date(clock.now()), {
    action: 'account.changed',
    userId,
    organizationId,
    details: { notifications: fields },
  });
}

export async function storedSettings(db: Database, userId: number): Promise<StoredSettings> {
  const stored = await db
    .selectFrom('notification_settings')
    .select([
      'severity',
      'team_severity',
      'team_tags',
      'escalation_minutes',
      'muted_rules',
      'site_ids',
      'cleared',
      'outages',
      'mail',
      'digest',
      'quiet_from',
      'quiet_until',
      'time_zone',
      'sealed_ntfy',
      'sealed_telegram',
    ])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return stored ?? DEFAULTS;
}

/** The database computes with the zone, so it has to know its name. @throws ValidationError */
async function requireZone(db: Database, zone: string): Promise<void> {
  const { rows } = await sql`select from pg_timezone_names where name = ${zone}`.execute(db);
  if (rows.length === 0) throw new ValidationError({ time_zone: ['is not known'] });
}

/**
 * Sites as an account may choose them. Those that it chose before and sees no more, as they ended or are another's, are left
 * out: a page that sends all choices is not to blame for them.
 *
 * @throws ValidationError for another site that the caller does not see
 */
async function chosenSites(
  db: Database,
  caller: Caller,
  siteIds: readonly number[],
  before: readonly number[],
): Promise<number[]> {
  const account = { ...caller, organizationId: null, siteId: null };
  const { rows } = await sql<{ id: number; isVisible: boolean }>`
    select sites.id, ${visibleTo(caller)} as "isVisible" from sites
    where id = any(${siteIds}::integer[]) and ${visibleTo(account)}`.execute(db);
  const found = new Map(rows.map(({ id, isVisible }) => [id, isVisible]));
  if (siteIds.some((id) => !found.get(id) && !before.includes(id)))
    throw new ValidationError({ site_ids: ['must be sites that you see'] });
  return siteIds.filter((id) => found.has(id));
}

function distinct<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}

/** Whether its host is on the public internet is checked at each message. @throws ValidationError */
export function requireHostName(field: string, address: string): void {
  const url = URL.parse(address);
  if (
    url === null ||
    url.username !== '' ||
    url.password !== '' ||
    isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0
  )
    throw new ValidationError({ [field]: ['must be an https address with the name of a host'] });
}

function numberOf(severity: AlertSeverity | null): number | null {
  return severity === null ? null : ALERT_SEVERITIES.indexOf(severity) + 1;
}

function severityOf(number: number | null): AlertSeverity | null {
  return number === null ? null : (ALERT_SEVERITIES[number - 1] ?? null);
}

function quietMinutes(hours: QuietHours | null): Pick<StoredSettings, 'quiet_from' | 'quiet_until'> {
  if (hours === null || hours.from === hours.until) return { quiet_from: null, quiet_until: null };
  return { quiet_from: minutesOf(hours.from), quiet_until: minutesOf(hours.until) };
}

function quietHours({ quiet_from: from, quiet_until: until }: StoredSettings): QuietHours | null {
  return from === null || until === null ? null : { from: timeOf(from), until: timeOf(until) };
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}

function timeOf(minutes: number): string {
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':');
}
