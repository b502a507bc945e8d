import { formatDate } from '@heliograph/kit/calendar-days';
import { DAY_MS, type LocalDay } from '@heliograph/kit/local-time';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { removeSiteHistory } from '../../db/site-history.ts';
import { packDay, unpackDay } from './day-codec.ts';
import { holdsValues, mergeUpload, type StoredDay, startOfLastValue } from './merge-upload.ts';
import type { HistoryDay, HistoryExtent, SiteHistoryStore } from './store.ts';

/** Days in a row each, of about a kilobyte. */
export class PostgresHistoryStore implements SiteHistoryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async merge(tx: Database, siteId: number, days: readonly HistoryDay[]): Promise<readonly HistoryDay[]> {
    if (days.length === 0) return [];
    const sent = days.map(({ day }) => day);
    const newest = Math.max(...sent);
    const stored = await datesOfSite(
      tx,
      siteId,
      { from: Math.min(...sent) - DAYS_AROUND, until: newest + 1 + DAYS_AROUND },
      sql`for update`,
    );
    const first = await firstComplete(tx, siteId, days, stored);
    const merged = mergeUpload(stored, days);
    const rows = merged.map(({ day, zone, values, rests }) => {
      const [zones, packed] = [rests.map((rest) => rest.zone), rests.map((rest) => packDay(rest.values))];
      return sql`(${siteId}::integer, ${formatDate(day)}::date, ${zone}::text, ${packDay(values)}::bytea,
        ${zones}::text[], ${packed}::bytea[])`;
    });
    await sql`insert into site_history_days (site_id, day, time_zone, data, rest_time_zones, rests)
      values ${sql.join(rows)}
      on conflict (site_id, day) do update set time_zone = excluded.time_zone, data = excluded.data,
        rest_time_zones = excluded.rest_time_zones, rests = excluded.rests`.execute(tx);
    if (first >= newest) return [];
    return (await datesOfSite(tx, siteId, { from: first, until: newest })).filter(isHeld);
  }

  async read(siteId: number, from: LocalDay, until: LocalDay): Promise<readonly HistoryDay[]> {
    const dates = await datesOfSite(this.#db, siteId, { from, until });
    return dates.flatMap((date) => [...date.rests.map((rest) => ({ day: date.day, ...rest })), date]);
  }

  async extent(siteId: number): Promise<HistoryExtent | undefined> {
    const { rows } = await sql<Row & { first: string }>`
      select day::text, time_zone, data, rest_time_zones, rests,
        (select min(day)::text from site_history_days where site_id = ${siteId}) as first
      from site_history_days where site_id = ${siteId} order by site_history_days.day desc
      limit ${1 + DAYS_AROUND}`.execute(this.#db);
    const [row] = rows;
    if (row === undefined) return undefined;
    const dates = rows.map(dateOf);
    const [latest] = dates.toSorted((a, b) => startOfLastValue(b) - startOfLastValue(a));
    return {
      first: Date.parse(row.first) / DAY_MS,
      last: Date.parse(row.day) / DAY_MS,
      zone: latest?.zone ?? row.time_zone,
    };
  }

  async remove(tx: Database, siteId: number): Promise<void> {
    await removeSiteHistory(tx, siteId);
  }
}

interface Row {
  readonly day: string;
  readonly time_zone: string;
  readonly data: Buffer;
  readonly rest_time_zones: readonly string[];
  readonly rests: readonly Buffer[];
}

/** Days of another zone that an upload can overlap: clocks differ by 26 hours at most. */
const DAYS_AROUND = 2;

async function datesOfSite(
  db: Database,
  siteId: number,
  { from, until }: { readonly from: LocalDay; readonly until: LocalDay },
  lock = sql``,
): Promise<readonly StoredDay[]> {
  const { rows } = await sql<Row>`
    select day::text, time_zone, data, rest_time_zones, rests from site_history_days
    where site_id = ${siteId} and day >= ${formatDate(from)}::date and day < ${formatDate(until)}::date
    order by day ${lock}`.execute(db);
  return rows.map(dateOf);
}

/**
 * The first day that an upload completes; its newest day where it completes none. A site that comes back from a date ahead has
 * days after the newest one, by the clock of its former zone or emptied: its days are complete once more by the new clock.
 *
 * @param stored what is there around the upload before it is merged
 */
async function firstComplete(
  tx: Database,
  siteId: number,
  sent: readonly HistoryDay[],
  stored: readonly StoredDay[],
): Promise<LocalDay> {
  const newest = Math.max(...sent.map(({ day }) => day));
  const zone = sent.find(({ day }) => day === newest)?.zone;
  const held = stored.filter(isHeld);
  const fromNewest = held.filter(({ day }) => day >= newest);
  if (fromNewest.some((date) => date.zone === zone)) return newest;
  const { rows: later } = await sql`select from site_history_days
    where site_id = ${siteId} and day > ${formatDate(newest + DAYS_AROUND)}::date limit 1`.execute(tx);
  if (later.length > 0) return newest;
  const { rows } = await sql<Row>`select day::text, time_zone, data, rest_time_zones, rests
    from site_history_days where site_id = ${siteId} and day < ${formatDate(newest)}::date
    order by site_history_days.day desc limit ${1 + 2 * DAYS_AROUND}`.execute(tx);
  const before = rows.map(dateOf).find(isHeld);
  const sentDays = new Set(sent.map(({ day }) => day));
  const moved = held.filter((date) => date.day < newest && date.zone !== zone && sentDays.has(date.day));
  // The former zone's days before the newest one are complete already.
  const isMoving = fromNewest.length > 0 && before?.zone !== zone;
  const first = isMoving ? newest : (before?.day ?? Math.min(...sentDays));
  return Math.min(first, ...moved.map(({ day }) => day));
}

function isHeld({ values }: HistoryDay): boolean {
  return holdsValues(values);
}

function dateOf({ day, time_zone: zone, data, rest_time_zones: zones, rests }: Row): StoredDay {
  return {
    day: Date.parse(day) / DAY_MS,
    zone,
    values: unpackDay(data),
    rests: rests.map((rest, i) => ({ zone: zones[i] ?? zone, values: unpackDay(rest) })),
  };
}
