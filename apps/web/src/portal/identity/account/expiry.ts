import { endOfDay } from '../../ui/end-of-day.ts';

export const EXPIRIES = ['never', '30', '90', '365', 'date'] as const;
export type Expiry = (typeof EXPIRIES)[number];

/** Long enough that a program is not cut off soon, short enough that a forgotten token ends. */
export const PROPOSED_EXPIRY: Expiry = '365';

const DAY_MS = 86_400_000;

/**
 * When a token ends.
 *
 * @param expiry never, after so many days, or on the date
 * @param date as an input has it, `2026-12-31`: the token is good until that day is over where its user is
 * @param nowMs milliseconds since 1970
 * @returns undefined for never, and for a date that is not there yet
 */
export function expiryDate(expiry: Expiry, date: string, nowMs: number): Date | undefined {
  switch (expiry) {
    case 'never':
      return undefined;
    case 'date':
      return endOfDay(date);
    default:
      return new Date(nowMs + Number(expiry) * DAY_MS);
  }
}
