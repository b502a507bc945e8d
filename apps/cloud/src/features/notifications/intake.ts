import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { FeedEvent } from '../events/service.ts';

/**
 * Stores messages about critical alerts of sites that are not acknowledged after the minutes that members of the team chose.
 * Times are those of the device.
 */
export async function escalate(tx: Database, now: Date): Promise<void> {
  await sql`${insertion('raised', now)} from notification_settings as settings
    join users on users.id = settings.user_id and users.confirmed_at is not null
      and settings.escalation_minutes is not null
    join organization_members as employees on employees.user_id = settings.user_id
    join sites on sites.organization_id = employees.organization_id and ${hasTeamTag('settings')}
    join alerts as event on ${isWanted('settings', 'event')} and event.site_id = sites.id and event.cleared_at is null and event.severity = 3
      and event.acknowledged_at is null and coalesce(event.snoozed_until <= ${now}, true) and event.outage_id is null
      and event.raised_at <= ${now}::timestamptz - settings.escalation_minutes * interval '1 minute'
      and event.raised_at > ${now}::timestamptz - interval '2 days'
    cross join lateral (select settings.user_id) as person
    cross join lateral ${CHANNELS}
    ${NONE_YET}`.execute(tx);
}

/** Stores the messages that events are to people, each once. */
export async function storeMessages(tx: Database, events: readonly FeedEvent[], now: Date): Promise<void> {
  const idsOf = (type: string, key: string) =>
    sql`unnest(${events.flatMap(({ type: of, data }) => (of === type ? [String(data[key])] : []))}::bigint[])`;
  await sql`${insertion('raised', now, sql`alerts.severity`)} from ${idsOf('alert.raised', 'alert_id')} as event (id)
    join alerts on alerts.id = event.id join sites on sites.id = alerts.site_id
    cross join lateral ${READERS_OF_ALERT} cross join lateral ${CHANNELS}
    ${NONE_YET}`.execute(tx);
  // The message has not left yet: one is enough for the beginning and the end.
  await sql`update notifications set kind = 'cleared' from ${idsOf('alert.cleared', 'alert_id')} as event (id)
    where notifications.alert_id = event.id and kind = 'raised' and state = 'waiting'
      and not exists (select from notification_settings as settings
        where settings.user_id = notifications.user_id and not settings.cleared)`.execute(tx);
  await sql`${insertion('cleared', now)} from ${idsOf('alert.cleared', 'alert_id')} as event (id)
    join alerts on alerts.id = event.id
    join notifications as raised on raised.alert_id = event.id and raised.kind = 'raised'
      and raised.state in ('sending', 'sent')
    cross join lateral (select raised.user_id, raised.channel, raised.push_subscription_id) as reader
    left join notification_settings as settings on settings.user_id = reader.user_id
    where coalesce(settings.cleared, true)
    on conflict do nothing`.execute(tx);
  for (const [type, kind] of [
    ['outage.began', 'began'],
    ['outage.ended', 'ended'],
  ] as const) {
    await sql`${insertion(kind, now)} from ${idsOf(type, 'outage_id')} as event (id)
      join outages on outages.id = event.id
      join organization_members as managers on managers.organization_id = outages.organization_id
        and managers.role in ('owner', 'admin')
      join users on users.id = managers.user_id and users.confirmed_at is not null
      left join notification_settings as settings on settings.user_id = managers.user_id
      cross join lateral (select managers.user_id where coalesce(settings.outages, true)) as person
      cross join lateral ${CHANNELS}
      on conflict do nothing`.execute(tx);
  }
}

/**
 * Stores the messages to a new assignee of an alert: once for each alert, however often it is assigned. Those that were skipped, as
 * the alert was another's when they were to leave, count for nothing.
 */
export async function storeAssignment(
  tx: Database,
  { alertId, userId }: { readonly alertId: number; readonly userId: number },
  now: Date,
): Promise<void> {
  await sql`with known as (
      select id, state from notifications where alert_id = ${alertId} and user_id = ${userId} and kind = 'assigned' for update
    ) delete from notifications using known where notifications.id = known.id and known.state = 'skipped'`.execute(
    tx,
  );
  await sql`${insertion('assigned', now)} from (select ${alertId}::bigint as id) as event
    join users on users.id = ${userId} and users.confirmed_at is not null
    left join notification_settings as settings on settings.user_id = users.id
    cross join lateral (select users.id as user_id) as person
    cross join lateral ${CHANNELS}
    on conflict do nothing`.execute(tx);
}

/** The start of a statement whose rest joins `event`, `settings` and `reader`. */
function insertion(
  kind: keyof typeof URGENCIES,
  now: Date,
  urgency = sql`${URGENCIES[kind]}::smallint`,
): RawBuilder<unknown> {
  const isOutage = kind === 'began' || kind === 'ended';
  return sql`insert into notifications
      (user_id, channel, push_subscription_id, kind, urgency, alert_id, outage_id, state, due_at, created_at)
    select reader.user_id, reader.channel, reader.push_subscription_id, ${kind}, ${urgency},
      ${isOutage ? sql`null` : sql`event.id`}, ${isOutage ? sql`event.id` : sql`null`}, 'waiting',
      ${dueAt(now)}, ${now}`;
}

/** Of messages whose alert has none: 3 leaves first. */
const URGENCIES = { raised: 3, cleared: 1, assigned: 2, began: 3, ended: 1 } as const;

/** An alert that flaps gives at most one message when it begins, and one when it is over. */
const NONE_YET = sql`where not exists (select from notifications as known where known.alert_id = event.id and known.kind <> 'assigned'
    and known.user_id = reader.user_id and known.channel = reader.channel
    and known.push_subscription_id is not distinct from reader.push_subscription_id)
  on conflict do nothing`;

/** The people who want to know of an alert, by its severity. */
const READERS_OF_ALERT = sql`(
    select people.user_id from (
      select sites.owner_id as user_id, true as is_own
      union all select members.user_id, true from site_members as members
        where members.site_id = sites.id and members.role in ('owner', 'admin')
      union all select employees.user_id, false from organization_members as employees
        where employees.organization_id = sites.organization_id or exists (select from organization_sites as shared
          where shared.site_id = sites.id and shared.organization_id = employees.organization_id)
    ) as people
    join users on users.id = people.user_id and users.confirmed_at is not null
    left join notification_settings as theirs on theirs.user_id = people.user_id
    where alerts.severity >= case
      when not people.is_own then case when ${hasTeamTag('theirs')} then theirs.team_severity end
      when theirs.user_id is null then 3
      else theirs.severity end
      and ${isWanted('theirs', 'alerts')}
    group by people.user_id
  ) as person
  left join notification_settings as settings on settings.user_id = person.user_id`;

/** Whether a site has one of the tags that settings name, or they name none. */
function hasTeamTag(settings: string): RawBuilder<unknown> {
  const tags = sql.ref(`${settings}.team_tags`);
  return sql`(coalesce(cardinality(${tags}), 0) = 0 or lower_all(sites.tags) && lower_all(${tags}))`;
}

/** Whether settings let an alert of `sites` through: it has none of the muted rules, and is of one of the sites that they name, if any. */
function isWanted(settings: string, alert: string): RawBuilder<unknown> {
  const ids = sql.ref(`${settings}.site_ids`);
  return sql`((coalesce(cardinality(${ids}), 0) = 0 or sites.id = any(${ids}))
    and coalesce(${sql.ref(`${alert}.rule`)} <> all(${sql.ref(`${settings}.muted_rules`)}), true))`;
}

/** By which channels a person is notified; without settings by mail. */
const CHANNELS = sql`(
    select person.user_id, 'mail' as channel, null::integer as push_subscription_id
      where coalesce(settings.mail, true)
    union all select person.user_id, 'push', subscriptions.id from push_subscriptions as subscriptions
      where subscriptions.user_id = person.user_id
    union all select person.user_id, 'ntfy', null where settings.sealed_ntfy is not null
    union all select person.user_id, 'telegram', null where settings.sealed_telegram is not null
  ) as reader`;

/** When a message leaves: mails of a digest at the next full hour or at seven, and none within quiet hours. */
function dueAt(now: Date): RawBuilder<unknown> {
  const zone = sql`coalesce(settings.time_zone, 'UTC')`;
  const local = sql`(digest.at at time zone ${zone})`;
  const minute = sql`(extract(hour from ${local}) * 60 + extract(minute from ${local}))`;
  return sql`(select case
      when settings.quiet_from is null then digest.at
      when settings.quiet_from <= settings.quiet_until
        and ${minute} >= settings.quiet_from and ${minute} < settings.quiet_until
      then (date_trunc('day', ${local}) + settings.quiet_until * interval '1 minute') at time zone ${zone}
      when settings.quiet_from > settings.quiet_until and ${minute} < settings.quiet_until
      then (date_trunc('day', ${local}) + settings.quiet_until * interval '1 minute') at time zone ${zone}
      when settings.quiet_from > settings.quiet_until and ${minute} >= settings.quiet_from
      then (date_trunc('day', ${local}) + interval '1 day' + settings.quiet_until * interval '1 minute') at time zone ${zone}
      else digest.at end
    from (select case
        when reader.channel <> 'mail' or coalesce(settings.digest, 'at_once') = 'at_once' then ${now}::timestamptz
        when settings.digest = 'hourly' then date_trunc('hour', ${now}::timestamptz) + interval '1 hour'
        else (date_trunc('day', (${now}::timestamptz at time zone ${zone}) - interval '7 hours')
          + interval '1 day 7 hours') at time zone ${zone} end as at) as digest)`;
}
