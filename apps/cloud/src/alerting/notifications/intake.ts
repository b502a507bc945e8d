import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { hasNotAccepted } from '../../db/site-invitations.ts';
import type { FeedEvent } from '../events/service.ts';

/** Alerts of one site that an account has messages about in an hour; the second half of them is for critical alerts. */
export const SITE_ALERTS_PER_HOUR = 20;

/** Alerts of sites of others, in all; the first critical one of each site in the hour is a message beyond that. */
export const ACCOUNT_ALERTS_PER_HOUR = 120;

const HOUR_MS = 60 * 60_000;

/** A summary of further alerts leaves so long after the first of them. */
const SUMMARY_DELAY_MS = 10 * 60_000;

/**
 * Stores messages about critical alerts of sites that are not acknowledged after the minutes that members of the team chose.
 * Times are those of the device.
 */
export async function escalate(tx: Database, now: Date): Promise<void> {
  await storeWithinBudget(
    tx,
    'raised',
    sql`select event.id, event.site_id, event.severity, settings.user_id, sites.owner_id
      from notification_settings as settings
      join users on users.id = settings.user_id and users.confirmed_at is not null
        and settings.escalation_minutes is not null
      join organization_members as employees on employees.user_id = settings.user_id
      join sites on sites.organization_id = employees.organization_id and ${hasTeamTag('settings')}
      join alerts as event on ${isWanted('settings', 'event')} and event.site_id = sites.id and event.cleared_at is null and event.severity = 3
        and event.acknowledged_at is null and coalesce(event.snoozed_until <= ${now}, true) and event.outage_id is null
        and event.raised_at <= ${now}::timestamptz - settings.escalation_minutes * interval '1 minute'
        and event.raised_at > ${now}::timestamptz - interval '2 days'`,
    now,
  );
}

/** Stores the messages that events are to people, each once. */
export async function storeMessages(tx: Database, events: readonly FeedEvent[], now: Date): Promise<void> {
  const idsOf = (type: string, key: string) =>
    sql`unnest(${events.flatMap(({ type: of, data }) => (of === type ? [String(data[key])] : []))}::bigint[])`;
  if (events.some(({ type }) => type === 'alert.raised'))
    await storeWithinBudget(
      tx,
      'raised',
      sql`select alerts.id, alerts.site_id, alerts.severity, person.user_id, sites.owner_id
        from ${idsOf('alert.raised', 'alert_id')} as event (id)
        join alerts on alerts.id = event.id join sites on sites.id = alerts.site_id
        cross join lateral ${READERS_OF_ALERT}`,
      now,
    );
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
  await storeWithinBudget(
    tx,
    'assigned',
    sql`select alerts.id, alerts.site_id, alerts.severity, users.id as user_id, sites.owner_id
      from alerts join sites on sites.id = alerts.site_id
      join users on users.id = ${userId} and users.confirmed_at is not null
      where alerts.id = ${alertId}`,
    now,
  );
}

/**
 * Stores messages about alerts to people who have none about them yet, the critical ones first. Beyond the alerts that a person has
 * messages about in an hour, further ones are counted in a summary.
 *
 * @param wanted a query of `id`, `site_id` and `severity` of alerts, `user_id`, and `owner_id` of the sites
 */
async function storeWithinBudget(
  tx: Database,
  kind: 'raised' | 'assigned',
  wanted: RawBuilder<unknown>,
  now: Date,
): Promise<void> {
  // An alert that flaps gives at most one message when it begins, and one when it is over.
  const isNew = sql`not exists (select from notifications as known where known.alert_id = event.id
    and known.user_id = reader.user_id and known.channel = reader.channel
    and known.push_subscription_id is not distinct from reader.push_subscription_id
    and (known.kind = 'assigned') = ${kind === 'assigned'})`;
  const halfUnlessCritical = (budget: number) =>
    sql`case when severity = 3 then ${budget}::int else ${budget / 2}::int end`;
  // A summary counted it: not with the severity that it has since, and it was assigned to no person by that.
  const isCounted =
    kind === 'raised'
      ? sql`exists (select from summarized_alerts as known where known.user_id = event.user_id
          and known.alert_id = event.id and known.severity >= event.severity)`
      : sql`false`;
  const urgency = kind === 'raised' ? sql`event.severity` : sql`${URGENCIES[kind]}::smallint`;
  await sql`
    with fresh as materialized (
      select distinct event.id, event.site_id, event.severity, event.user_id,
        event.owner_id is not distinct from event.user_id as is_own
      from (${wanted}) as event
      left join notification_settings as settings on settings.user_id = event.user_id
      where not ${isCounted}
        and exists (select from (select event.user_id) as person cross join lateral ${CHANNELS} where ${isNew})
    ), recent as (
      select known.user_id, alerts.site_id, count(distinct known.alert_id)::int as alerts,
        bool_or(known.urgency = 3 or known.kind = 'assigned' and alerts.severity = 3) as has_critical
      from (select distinct user_id from fresh) as people
      join notifications as known on known.user_id = people.user_id
        and known.created_at > ${new Date(now.getTime() - HOUR_MS)} and known.created_at <= ${now}
      join alerts on alerts.id = known.alert_id
      -- The end of an alert counts only where it stands for its beginning, too.
      where known.kind <> 'cleared' or not exists (select from notifications as raised
        where raised.alert_id = known.alert_id and raised.user_id = known.user_id and raised.kind = 'raised')
      group by known.user_id, alerts.site_id
    ), of_site as (
      select fresh.*, coalesce(recent.alerts, 0) + row_number() over worst_first
          <= ${halfUnlessCritical(SITE_ALERTS_PER_HOUR)} as fits,
        fresh.severity = 3 and not coalesce(recent.has_critical, false) and row_number() over worst_first = 1
          as is_first_critical
      from fresh left join recent using (user_id, site_id)
      window worst_first as (partition by fresh.user_id, fresh.site_id order by fresh.severity desc, fresh.id)
    ), of_account as (
      select of_site.*, fits and (is_own or is_first_critical or coalesce(others.alerts, 0)
          + count(*) filter (where fits and not is_own) over (
            partition by of_site.user_id order by severity desc, id rows unbounded preceding
          ) <= ${halfUnlessCritical(ACCOUNT_ALERTS_PER_HOUR)}) as is_single
      from of_site left join (
        select recent.user_id, sum(recent.alerts) as alerts from recent join sites on sites.id = recent.site_id
        where sites.owner_id is distinct from recent.user_id group by recent.user_id
      ) as others on others.user_id = of_site.user_id
    ), single as (
      ${insertion(kind, now, urgency)}
      from (select * from of_account where is_single) as event
      left join notification_settings as settings on settings.user_id = event.user_id
      cross join lateral (select event.user_id) as person
      cross join lateral ${CHANNELS} where ${isNew}
      on conflict do nothing
    ), summarized as (
      insert into summarized_alerts (user_id, alert_id, severity)
      select user_id, id, severity from of_account where not is_single
      on conflict (user_id, alert_id) do update set severity = greatest(summarized_alerts.severity, excluded.severity)
    )
    insert into notifications
      (user_id, channel, push_subscription_id, kind, urgency, further_alerts, site_id, state, due_at, created_at)
    select reader.user_id, reader.channel, reader.push_subscription_id, 'further', person.urgency, person.alerts,
      person.site_id, 'waiting', ${dueAt(new Date(now.getTime() + SUMMARY_DELAY_MS))}, ${now}
    from (
      select user_id, max(severity) as urgency, count(*) as alerts,
        case when count(distinct site_id) = 1 then min(site_id) end as site_id
      from of_account where not is_single group by user_id
    ) as person
    left join notification_settings as settings on settings.user_id = person.user_id
    cross join lateral ${CHANNELS}
    on conflict (user_id, channel, coalesce(push_subscription_id, 0))
      where kind = 'further' and state = 'waiting' and attempts = 0
    do update set further_alerts = notifications.further_alerts + excluded.further_alerts,
      urgency = greatest(notifications.urgency, excluded.urgency),
      site_id = case when notifications.site_id = excluded.site_id then excluded.site_id end`.execute(tx);
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

/** Of messages that do not have that of their alert: 3 leaves first. */
const URGENCIES = { raised: 3, cleared: 1, assigned: 2, began: 3, ended: 1 } as const;

/** The people who want to know of an alert, by its severity. */
const READERS_OF_ALERT = sql`(
    select people.user_id from (
      select sites.owner_id as user_id, true as is_own where not ${hasNotAccepted(sql`sites.owner_id`)}
      union all select members.user_id, true from site_members as members
        where members.site_id = sites.id and members.role in ('owner', 'admin')
          and not ${hasNotAccepted(sql`members.user_id`)}
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
  ) as person`;

/** Whether a site has one of the tags that settings name, or they name none. */
function hasTeamTag(settings: string): RawBuilder<unknown> {
  const tags = sql.ref(`${settings}.team_tags`);
  return sql`(coalesce(cardinality(${tags}), 0) = 0 or folded_all(sites.tags) && folded_all(${tags}))`;
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
        when settings.digest = 'hourly' then date_trunc('hour', ${now}::timestamptz, ${zone}) + interval '1 hour'
        else (date_trunc('day', (${now}::timestamptz at time zone ${zone}) - interval '7 hours')
          + interval '1 day 7 hours') at time zone ${zone} end as at) as digest)`;
}
