import type { LocalDay } from '@heliograph/kit/local-time';
import type { Database } from '../../db/open.ts';
import type { DayValues } from './day-codec.ts';

/** A local day of a site. */
export interface HistoryDay {
  readonly day: LocalDay;
  /** IANA name of the time zone that the day is of. */
  readonly zone: string;
  readonly values: DayValues;
}

/** The dates of a site that have history. */
export interface HistoryExtent {
  readonly first: LocalDay;
  /** The last date, which a former zone may have been ahead by. */
  readonly last: LocalDay;
  /** IANA name of the zone of the latest values. */
  readonly zone: string;
}

/**
 * Keeps the days of sites: all that grows with sites and years. Consents and newest values, which are one row for each site,
 * stay in PostgreSQL, whatever keeps the days; docs/scale.md has when another store takes them over.
 */
export interface SiteHistoryStore {
  /**
   * Adds values to days, in the transaction of their consent: known ones replace those that are there, unknown ones none. Where
   * the days are of another zone than before, no time is kept twice.
   * Called for one upload of a site at a time.
   *
   * @returns the days that are complete now, in order: there is a later one, for the first time
   */
  merge(tx: Database, siteId: number, days: readonly HistoryDay[]): Promise<readonly HistoryDay[]>;
  /** Those from a day until before another one, in order; a date on which the site came to other zones may be there for each. */
  read(siteId: number, from: LocalDay, until: LocalDay): Promise<readonly HistoryDay[]>;
  /** Undefined where nothing is kept. */
  extent(siteId: number): Promise<HistoryExtent | undefined>;
  /** Deletes all of a site, its newest values included, in the transaction that ends the consent. */
  remove(tx: Database, siteId: number): Promise<void>;
}
