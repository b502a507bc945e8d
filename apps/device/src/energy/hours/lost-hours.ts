import { type LocalDay, localDay, startOfDay } from '../../common/local-time.ts';
import type { StoreLoss } from '../../storage/salvage/store-loss.ts';
import type { HourStore } from './hour-store.ts';

const HOUR_MS = 60 * 60 * 1000;

/** Hours of energy that a damaged database cost, in milliseconds since the epoch. */
export interface LostHours {
  /** Null: from the beginning. */
  readonly fromMs: number | null;
  /** Null: no energy is known. */
  readonly untilMs: number | null;
  /** Null where it is unknown. */
  readonly count: number | null;
}

/** @returns null where none was lost, or the history had all of them */
export function lostHours({ at, hours: gap }: StoreLoss, hours: HourStore): LostHours | null {
  if (gap === null) return null;
  const { after } = gap;
  if (after === null) {
    const first = hours.first();
    return {
      fromMs: null,
      untilMs: first === undefined ? null : Math.max(first, gap.before ?? first),
      count: null,
    };
  }
  const before = gap.before ?? after + Math.floor((at - after) / HOUR_MS) * HOUR_MS;
  const all = Math.round((before - after) / HOUR_MS) - 1;
  const count = all - (gap.absent ?? 0) - hours.count(after, before);
  // Until its end the hour of the damage is known in part.
  if (gap.before === null) return { fromMs: after + HOUR_MS, untilMs: at, count: Math.max(count, 1) };
  return count > 0 ? { fromMs: after + HOUR_MS, untilMs: before, count } : null;
}

/** Totals of days that a damaged database cost, and that no hour is known of. */
export interface LostDays {
  /** Null: from the beginning. */
  readonly from: LocalDay | null;
  /** The last one; null: all that were known. */
  readonly until: LocalDay | null;
  /** Null where it is unknown. */
  readonly count: number | null;
}

/** More days are not kept: a damaged key may be any number. */
const MAX_DAYS = 1_000;

/** @returns null where none was lost, or the hours have all of them */
export function lostDays(
  { at, days: gap, hours: gapOfHours }: StoreLoss,
  hours: HourStore,
  zone: string,
): LostDays | null {
  if (gap === null || gap === undefined) return null;
  const { after, before } = gap;
  if (after === null) {
    const first = hours.first();
    if (first !== undefined && gapOfHours === null) return null;
    const ends = [before, first === undefined ? null : localDay(first, zone)].filter((end) => end !== null);
    return { from: null, until: ends.length === 0 ? null : Math.min(...ends) - 1, count: null };
  }
  const end = before ?? localDay(at, zone);
  if (end - after > MAX_DAYS) return { from: after + 1, until: end - 1, count: null };
  const lost = Array.from({ length: Math.max(0, end - after - 1) }, (_, i) => after + 1 + i).filter(
    (day) => hours.count(startOfDay(day, zone) - 1, startOfDay(day + 1, zone)) === 0,
  );
  const [from, until] = [lost[0], lost.at(-1)];
  return from === undefined || until === undefined ? null : { from, until, count: lost.length };
}
