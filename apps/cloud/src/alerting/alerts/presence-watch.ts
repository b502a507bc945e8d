import { OFFLINE_MINUTES } from '@heliograph/contracts';
import { type Clock, type Logger, reasonOf } from '@heliograph/kit';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { appendEvents, type NewEvent } from '../../db/events.ts';
import type { Database } from '../../db/open.ts';
import type { ProxyDirectory, ProxyService } from '../../devices/proxies/service.ts';
import { alertEvent } from './alert-events.ts';
import { ALERT_FIELDS, type AlertRecord } from './alert-records.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

const INTERVAL_MS = 15_000;

/** An alert that is due for longer is old news, such as one of the time before this watch. */
const NEWS_MS = DAY_MS;

/** Losses before are old news at every site. */
const LOOK_BACK_MS = OFFLINE_MINUTES.max * MINUTE_MS + NEWS_MS;

/** A device that dials again after a restart of its proxy is not lost. */
const LOST_AFTER_MS = 30_000;

/** Sites of an organization that are lost together, at least, for one notice in place of one for each. */
const OUTAGE_SITES = 10;

/** And this share of its sites, unless their proxy is gone. */
const OUTAGE_SHARE = 0.05;

/** Losses within this time are together. */
const TOGETHER_MS = 15 * MINUTE_MS;

/** An outage ends when at most this share of its sites is still lost. */
const ENDED_SHARE = 0.1;

/** Minutes of silent hardware before an alert, unless the device itself reports it. */
const SILENT_AFTER_MS = 15 * MINUTE_MS;

/** Rows of one transaction: few, so that announcements of proxies do not wait for it. */
const BATCH_SIZE = 2_000;

/** Id of the advisory lock that lets one process watch at a time; an arbitrary constant. */
const LOCK_ID = 4_871_205;

export interface PresenceWatchOptions {
  readonly db: Database;
  readonly proxies: ProxyService;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly intervalMs?: number | undefined;
}

/** An alert and the organization of its site. */
interface Raised extends AlertRecord {
  readonly organizationId: number | null;
}

/**
 * Raises alerts about what a device cannot report: that it is away, and that no hardware answers it. Sites that are lost
 * together are an outage, of which each organization gets one event.
 */
export class PresenceWatch {
  readonly #options: PresenceWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> = Promise.resolve();
  #stopped = false;

  constructor(options: PresenceWatchOptions) {
    this.#options = options;
  }

  start(): void {
    const { intervalMs = INTERVAL_MS } = this.#options;
    this.#timer = setTimeout(() => {
      this.#running = this.#runAndReschedule();
    }, intervalMs);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  async #runAndReschedule(): Promise<void> {
    try {
      await this.run();
    } catch (error) {
      this.#options.logger.warn(
        { reason: reasonOf(error) },
        'sites that went offline could not be looked for',
      );
    }
    if (!this.#stopped) this.start();
  }

  /** Looks once, unless another process does. */
  async run(): Promise<void> {
    const directory = await this.#options.proxies.directory();
    const nowMs = this.#options.clock.now();
    const steps = [
      (tx: Database) => clearReturned(tx, directory, nowMs),
      (tx: Database) => clearAnswering(tx, nowMs),
      (tx: Database) => beginOutages(tx, directory, nowMs),
      (tx: Database) => joinOutages(tx, directory, nowMs),
      (tx: Database) => raiseOffline(tx, directory, nowMs),
      (tx: Database) => raiseSilent(tx, directory, nowMs),
      (tx: Database) => endOutages(tx, nowMs),
    ];
    for (const step of steps) {
      let changed = BATCH_SIZE;
      while (changed === BATCH_SIZE && !this.#stopped) changed = await this.#alone(step);
    }
  }

  /** @returns the rows that changed; 0 while another process watches */
  #alone(step: (tx: Database) => Promise<number>): Promise<number> {
    return this.#options.db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ free: boolean }>`
        select pg_try_advisory_xact_lock(${LOCK_ID}) as free`.execute(tx);
      return rows[0]?.free ? step(tx) : 0;
    });
  }
}

/** Sites whose devices are away, and since when. A device that stays listed at a proxy that is gone is away, too. */
function lostSites(directory: ProxyDirectory, nowMs: number): RawBuilder<unknown> {
  const gone = goneProxies(directory, nowMs - LOOK_BACK_MS);
  return sql`(
    select devices.site_id, devices.last_seen_at as since, false as with_proxy from devices
    where not devices.online and devices.revoked_at is null
      and devices.last_seen_at > ${new Date(nowMs - LOOK_BACK_MS)}
      and devices.last_seen_at <= ${new Date(nowMs - LOST_AFTER_MS)}
    union all
    select devices.site_id, proxies.announced_at, true from devices
    join proxies on proxies.name = devices.proxy_name
    where devices.online and devices.revoked_at is null
      and devices.proxy_name = any(${gone}::text[])
      and proxies.announced_at <= ${new Date(nowMs - LOST_AFTER_MS)}
  )`;
}

/** As {@link lostSites}, with their sites, and without old news and those that have an alert already or want none. */
function newlyLost(directory: ProxyDirectory, nowMs: number): RawBuilder<unknown> {
  return sql`(
    select sites.id, sites.organization_id, sites.offline_minutes, lost.since, lost.with_proxy
    from ${lostSites(directory, nowMs)} as lost join sites on sites.id = lost.site_id
    where sites.offline_minutes is not null
      and lost.since > ${new Date(nowMs - NEWS_MS)}::timestamptz - sites.offline_minutes * interval '1 minute'
      and not exists (
      select from alerts where alerts.site_id = sites.id and alerts.rule = 'offline' and alerts.cleared_at is null)
  )`;
}

function goneProxies(directory: ProxyDirectory, sinceMs: number): string[] {
  const live = new Set(directory.liveNames());
  return directory.announcedAfter(new Date(sinceMs)).filter((name) => !live.has(name));
}

/** One for each organization that lost many sites together. */
async function beginOutages(tx: Database, directory: ProxyDirectory, nowMs: number): Promise<number> {
  const at = new Date(nowMs);
  const { rows } = await sql<{ id: string; organizationId: number | null; sites: number }>`
    with groups as (
      select organization_id, count(*) as lost, count(*) filter (where with_proxy) as with_proxy
      from ${newlyLost(directory, nowMs)} as lost
      where lost.with_proxy or lost.since > ${new Date(nowMs - TOGETHER_MS)}
      group by organization_id having count(*) >= ${OUTAGE_SITES}
    )
    insert into outages (organization_id, began_at, sites)
    select organization_id, ${at}, lost from groups
    where with_proxy >= ${OUTAGE_SITES}
      or lost >= ${OUTAGE_SHARE}::float8 * (
        select count(*) from sites where sites.organization_id = groups.organization_id)
        and organization_id is not null
    on conflict (coalesce(organization_id, 0)) where ended_at is null do nothing
    returning id, organization_id as "organizationId", sites`.execute(tx);
  const proxies = goneProxies(directory, nowMs - NEWS_MS);
  await appendEvents(
    tx,
    rows.map(({ id, organizationId, sites }) => ({
      type: 'outage.began' as const,
      at,
      organizationId,
      data: { outage_id: Number(id), sites, proxies },
    })),
  );
  return 0;
}

/** The sites of an outage have alerts, without events of their own. */
async function joinOutages(tx: Database, directory: ProxyDirectory, nowMs: number): Promise<number> {
  const { rows } = await sql<Raised>`
    ${raise(
      sql`'offline', 2, lost.since`,
      'offline',
      nowMs,
      sql`outages.id from ${newlyLost(directory, nowMs)} as lost
        join outages on outages.ended_at is null
          and coalesce(outages.organization_id, 0) = coalesce(lost.organization_id, 0)
        where lost.with_proxy or lost.since > ${new Date(nowMs - TOGETHER_MS)}
        limit ${BATCH_SIZE}`,
    )}`.execute(tx);
  await appendEvents(
    tx,
    rows.map((alert) => presenceEvent('site.offline', alert, nowMs)),
  );
  await sql`update outages set sites = greatest(outages.sites, counted.sites)
    from (select outage_id, count(*) as sites from alerts
      where cleared_at is null and outage_id is not null group by outage_id) as counted
    where counted.outage_id = outages.id and outages.ended_at is null and counted.sites > outages.sites`.execute(
    tx,
  );
  return rows.length;
}

async function raiseOffline(tx: Database, directory: ProxyDirectory, nowMs: number): Promise<number> {
  const { rows } = await sql<Raised>`
    ${raise(
      sql`'offline', 2, lost.since`,
      'offline',
      nowMs,
      sql`null::bigint from ${newlyLost(directory, nowMs)} as lost
        where lost.since <= ${new Date(nowMs)}::timestamptz - lost.offline_minutes * interval '1 minute'
        limit ${BATCH_SIZE}`,
    )}`.execute(tx);
  await appendEvents(
    tx,
    rows.flatMap((alert) => [
      presenceEvent('site.offline', alert, nowMs),
      event('alert.raised', alert, nowMs),
    ]),
  );
  return rows.length;
}

/** The device is there, and has reported that no hardware answers it. */
async function raiseSilent(tx: Database, directory: ProxyDirectory, nowMs: number): Promise<number> {
  const { rows } = await sql<Raised>`
    ${raise(
      sql`'no_data', 2, lost.since`,
      'no_data',
      nowMs,
      sql`null::bigint from (
          select sites.id, sites.organization_id, devices.hardware_silent_since as since
          from devices join sites on sites.id = devices.site_id
          where devices.hardware_silent_since <= ${new Date(nowMs - SILENT_AFTER_MS)}
            and devices.online and devices.proxy_name = any(${directory.liveNames()}::text[])
            and not exists (select from alerts where alerts.site_id = sites.id and alerts.cleared_at is null
              and alerts.kind in ('no_data', 'silent'))
        ) as lost limit ${BATCH_SIZE}`,
    )}`.execute(tx);
  await appendEvents(
    tx,
    rows.map((alert) => event('alert.raised', alert, nowMs)),
  );
  return rows.length;
}

const TEXTS = { offline: 'The site is offline', no_data: 'No hardware answers the device' } as const;

/**
 * Inserts alerts of the cloud.
 *
 * @param columns kind, severity and since
 * @param from the outage, and the rows named `lost` that have `id` and `organization_id` of sites
 */
function raise(
  columns: RawBuilder<unknown>,
  rule: keyof typeof TEXTS,
  nowMs: number,
  from: RawBuilder<unknown>,
): RawBuilder<Raised> {
  const at = new Date(nowMs);
  return sql<Raised>`with added as (
      insert into alerts (kind, severity, since, site_id, rule, unit, raised_at, last_at, times, text, outage_id)
      select ${columns}, lost.id, ${rule}, '', ${at}, ${at}, 1, ${TEXTS[rule]}, ${from}
      on conflict do nothing returning *
    )
    select ${ALERT_FIELDS}, sites.organization_id as "organizationId"
    from added as alerts join sites on sites.id = alerts.site_id`;
}

/** Clears alerts of sites that are back, that want none any more, or whose device was revoked or removed. */
async function clearReturned(tx: Database, directory: ProxyDirectory, nowMs: number): Promise<number> {
  const isBack = sql<SqlBool>`exists (select from devices where devices.site_id = sites.id and devices.online
    and devices.proxy_name = any(${directory.liveNames()}::text[]))`;
  const rows = await clear(
    tx,
    nowMs,
    sql`alerts.rule = 'offline' and (sites.offline_minutes is null or not exists (
      select from devices where devices.site_id = sites.id and devices.revoked_at is null) or ${isBack})`,
    isBack,
  );
  await appendEvents(
    tx,
    rows.flatMap((alert) => [
      ...(alert.isBack ? [presenceEvent('site.online', alert, nowMs)] : []),
      ...(alert.outageId === null ? [event('alert.cleared', alert, nowMs)] : []),
    ]),
  );
  return rows.length;
}

async function clearAnswering(tx: Database, nowMs: number): Promise<number> {
  const rows = await clear(
    tx,
    nowMs,
    sql`not exists (select from devices where devices.site_id = sites.id and devices.revoked_at is null
      and (alerts.rule = 'too_many_alerts' or alerts.rule = 'no_data' and devices.hardware_silent_since is not null))
      and alerts.rule in ('no_data', 'too_many_alerts')`,
  );
  await appendEvents(
    tx,
    rows.map((alert) => event('alert.cleared', alert, nowMs)),
  );
  return rows.length;
}

/**
 * @param condition names the rules
 * @param isBack whether the device of an alert's site is back
 */
async function clear(
  tx: Database,
  nowMs: number,
  condition: RawBuilder<SqlBool>,
  isBack: RawBuilder<SqlBool> = sql`false`,
) {
  const at = new Date(nowMs);
  const { rows } = await sql<Raised & { readonly outageId: string | null; readonly isBack: boolean }>`
    update alerts set cleared_at = ${at} from sites
    where alerts.id = any(array(
      select alerts.id from alerts join sites on sites.id = alerts.site_id
      where alerts.cleared_at is null and ${condition} limit ${BATCH_SIZE}))
      and sites.id = alerts.site_id
    returning ${ALERT_FIELDS}, sites.organization_id as "organizationId", alerts.outage_id as "outageId",
      ${isBack} as "isBack"`.execute(tx);
  return rows;
}

/** The sites that an outage leaves behind are offline by themselves from then on. */
async function endOutages(tx: Database, nowMs: number): Promise<number> {
  const at = new Date(nowMs);
  const { rows } = await sql<{ id: string; organizationId: number | null; sites: number; beganAt: Date }>`
    update outages set ended_at = ${at}
    where ended_at is null and (select count(*) from alerts
      where alerts.outage_id = outages.id and alerts.cleared_at is null) <= ${ENDED_SHARE}::float8 * outages.sites
    returning id, organization_id as "organizationId", sites, began_at as "beganAt"`.execute(tx);
  for (const { id, organizationId, sites, beganAt } of rows) {
    const { rows: left } = await sql<AlertRecord>`
      update alerts set outage_id = null where outage_id = ${id} and cleared_at is null
      returning ${ALERT_FIELDS}`.execute(tx);
    const data = {
      outage_id: Number(id),
      sites,
      still_offline: left.length,
      began_at: beganAt.toISOString(),
    };
    await appendEvents(tx, [
      { type: 'outage.ended', at, organizationId, data },
      ...left.map((alert) => alertEvent('alert.raised', alert, { at, organizationId })),
    ]);
  }
  return 0;
}

function event(type: 'alert.raised' | 'alert.cleared', alert: Raised, nowMs: number): NewEvent {
  return alertEvent(type, alert, { at: new Date(nowMs), organizationId: alert.organizationId });
}

function presenceEvent(
  type: 'site.online' | 'site.offline',
  { siteId, organizationId, since }: Raised,
  nowMs: number,
): NewEvent {
  const at = new Date(nowMs);
  return {
    type,
    at,
    siteId,
    organizationId,
    data: { since: (type === 'site.online' ? at : since).toISOString() },
  };
}
