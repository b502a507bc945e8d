import { formatDate } from '@heliograph/kit/calendar-days';
import { DAY_MS, type LocalDay } from '@heliograph/kit/local-time';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { removeSiteHistory } from '../../db/site-history.ts';
import { mergeDays, packDay, unpackDay } from './day-codec.ts';
import type { HistoryDay, SiteHistoryStore } from './store.ts';

/** Days in a row each, of about a kilobyte. */
export class PostgresHistoryStore implements SiteHistoryStore {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async merge(tx: Database, siteId: number, days: readonly HistoryDay[]): Promise<readonly HistoryDay[]> {
    if (days.length === 0) return [];
    const dates = days.map(({ day }) => formatDate(day));
    const { rows: stored } = await sql<Row>`
      select day::text, time_zone, data from site_history_days
      where site_id = ${siteId} and day = any(${dates}::date[]) for update`.execute(tx);
    const byDay = new Map(stored.map((row) => [row.day, row]));
    const newest = Math.max(...days.map(({ day }) => day));
    const first = byDay.has(formatDate(newest)) ? newest : await firstIncomplete(tx, siteId, days);
    const packed = days.map(({ day, zone, values }) => {
      const before = byDay.get(formatDate(day));
      // Quarters of another zone's day are other times.
      return packDay(
        before === undefined || before.time_zone !== zone
          ? values
          : mergeDays(unpackDay(before.data), values),
      );
    });
    await sql`insert into site_history_days (site_id, day, time_zone, data)
      select ${siteId}::integer, * from unnest(${dates}::date[], ${days.map(({ zone }) => zone)}::text[], ${packed}::bytea[])
      on conflict (site_id, day) do update set time_zone = excluded.time_zone, data = excluded.data`.execute(
      tx,
    );
    return first < newest ? daysOfSite(tx, siteId, first, newest) : [];
  }

  async read(siteId: number, from: LocalDay, until: LocalDay): Promise<readonly HistoryDay[]> {
    return daysOfSite(this.#db, siteId, from, until);
  }

  async ends(siteId: number): Promise<{ first: LocalDay; last: HistoryDay } | undefined> {
    const { rows } = await sql<Row & { first: string }>`
      select day::text, time_zone, data,
        (select min(day)::text from site_history_days where site_id = ${siteId}) as first
      from site_history_days where site_id = ${siteId} order by site_history_days.day desc limit 1`.execute(
      this.#db,
    );
    const [row] = rows;
    return row && { first: Date.parse(row.first) / DAY_MS, last: dayOf(row) };
  }

  async remove(tx: Database, siteId: number): Promise<void> {
    await removeSiteHistory(tx, siteId);
  }
}

interface Row {
  readonly day: string;
  readonly time_zone: string;
  readonly data: Buffer;
}

async function daysOfSite(
  db: Database,
  siteId: number,
  from: LocalDay,
  until: LocalDay,
): Promise<readonly HistoryDay[]> {
  const { rows } = await sql<Row>`
    select day::text, time_zone, data from site_history_days
    where site_id = ${siteId} and day >= ${formatDate(from)}::date and day < ${formatDate(until)}::date order by day`.execute(
    db,
  );
  return rows.map(dayOf);
}

/** The newest day that is kept; the first of an upload where none is. */
async function firstIncomplete(tx: Database, siteId: number, days: readonly HistoryDay[]): Promise<LocalDay> {
  const { rows } = await sql<{ day: string | null }>`
    select max(day)::text as day from site_history_days where site_id = ${siteId}`.execute(tx);
  const newest = rows[0]?.day ?? null;
  return newest === null ? Math.min(...days.map(({ day }) => day)) : Date.parse(newest) / DAY_MS;
}

function dayOf({ day, time_zone: zone, data }: Row): HistoryDay {
  return { day: Date.parse(day) / DAY_MS, zone, values: unpackDay(data) };
}
