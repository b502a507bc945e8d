import type { StoreLoss } from '../storage/store-loss.ts';
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
  if (after === null) return { fromMs: null, untilMs: hours.first() ?? null, count: null };
  const before = gap.before ?? Math.floor(at / HOUR_MS) * HOUR_MS;
  const count = Math.round((before - after) / HOUR_MS) - 1 - hours.count(after, before);
  return count > 0 ? { fromMs: after + HOUR_MS, untilMs: before, count } : null;
}
