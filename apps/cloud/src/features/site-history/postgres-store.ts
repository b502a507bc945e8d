import { formatDate } from '@heliograph/kit/calendar-days';
import { DAY_MS, type LocalDay } from '@heliograph/kit/local-time';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { removeSiteHistory } from '../../db/site-history.ts';
import { packDay, unpackDay } from './day-codec.ts';
import { mergeUpload, type StoredDay } from './merge-upload.ts';
import type { HistoryDay, SiteHistoryStore } from './store.ts';

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
    const isKnown = stored.some(({ day }) => day === newest);
    const first = isKnown ? newest : await firstIncomplete(tx, siteId, days);
    const merged = mergeUpload(stored, days);
    const column = <T>(of: (day: StoredDay) => T): T[] => merged.map(of);
    await sql`insert into site_history_days (site_id, day, time_zone, data, rest_time_zone, rest_data)
      select ${siteId}::integer, * from unnest(${column(({ day }) => formatDate(day))}::date[],
        ${column(({ zone }) => zone)}::text[], ${column(({ values }) => packDay(values))}::bytea[],
        ${column(({ rest }) => rest?.zone ?? null)}::text[],
        ${column(({ rest }) => (rest === undefined ? null : packDay(rest.values)))}::bytea[])
      on conflict (site_id, day) do update set time_zone = excluded.time_zone, data = excluded.data,
        rest_time_zone = excluded.rest_time_zone, rest_data = excluded.rest_data`.execute(tx);
    return first < newest ? datesOfSite(tx, siteId, { from: first, until: newest }) : [];
  }

  async read(siteId: number, from: LocalDay, until: LocalDay): Promise<readonly HistoryDay[]> {
    const dates = await datesOfSite(this.#db, siteId, { from, until });
    return dates.flatMap((date) => [...(date.rest ? [{ day: date.day, ...date.rest }] : []), date]);
  }

  async ends(siteId: number): Promise<{ first: LocalDay; last: HistoryDay } | undefined> {
    const { rows } = await sql<Row & { first: string }>`
      select day::text, time_zone, data, rest_time_zone, rest_data,
        (select min(day)::text from site_history_days where site_id = ${siteId}) as first
      from site_history_days where site_id = ${siteId} order by site_history_days.day desc limit 1`.execute(
      this.#db,
    );
    const [row] = rows;
    return row && { first: Date.parse(row.first) / DAY_MS, last: dateOf(row) };
  }

  async remove(tx: Database, siteId: number): Promise<void> {
    await removeSiteHistory(tx, siteId);
  }
}

interface Row {
  readonly day: string;
  readonly time_zone: string;
  readonly data: Buffer;
  readonly rest_time_zone: string | null;
  readonly rest_data: Buffer | null;
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
    select day::text, time_zone, data, rest_time_zone, rest_data from site_history_days
    where site_id = ${siteId} and day >= ${formatDate(from)}::date and day < ${formatDate(until)}::date
    order by day ${lock}`.execute(db);
  return rows.map(dateOf);
}

/** The newest day that is kept; the first of an upload where none is. */
async function firstIncomplete(tx: Database, siteId: number, days: readonly HistoryDay[]): Promise<LocalDay> {
  const { rows } = await sql<{ day: string | null }>`
    select max(day)::text as day from site_history_days where site_id = ${siteId}`.execute(tx);
  const newest = rows[0]?.day ?? null;
  return newest === null ? Math.min(...days.map(({ day }) => day)) : Date.parse(newest) / DAY_MS;
}

function dateOf({ day, time_zone: zone, data, rest_time_zone, rest_data }: Row): StoredDay {
  const rest =
    rest_time_zone === null || rest_data === null
      ? undefined
      : { zone: rest_time_zone, values: unpackDay(rest_data) };
  return { day: Date.parse(day) / DAY_MS, zone, values: unpackDay(data), rest };
}
