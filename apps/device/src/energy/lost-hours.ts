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
  if (after === null) {
    const first = hours.first();
    return {
      fromMs: null,
      untilMs: first === undefined ? null : Math.max(first, gap.before ?? first),
      count: null,
    };
  }
  const before = gap.before ?? Math.floor(at / HOUR_MS) * HOUR_MS;
  const all = Math.round((before - after) / HOUR_MS) - 1;
  const count = all - (gap.absent ?? 0) - hours.count(after, before);
  // Until its end the hour of the damage is known in part.
  if (gap.before === null) return { fromMs: after + HOUR_MS, untilMs: at, count: Math.max(count, 1) };
  return count > 0 ? { fromMs: after + HOUR_MS, untilMs: before, count } : null;
}
