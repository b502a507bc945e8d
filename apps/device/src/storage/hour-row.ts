import type { SQLInputValue } from 'node:sqlite';

/** In milliseconds. */
export const HOUR_MS = 60 * 60 * 1000;

/** In milliseconds: fractions of polls add up to more than an hour, and a clock that is set back covers one again. */
export const MAX_COVER_MS = 31 * 24 * HOUR_MS;

/** Ten megawatts for an hour, in half watt-milliseconds: more is a damaged number. */
export const MAX_HOUR_AMOUNT = 2 * 10_000_000 * HOUR_MS;

/** The last moment that `Date` knows, in milliseconds since the epoch: no stored integer is beyond. */
export const MAX_NUMBER = 8_640_000_000_000_000;

/** No hour of energy is from before, or after; a damaged key may be any number. */
const [FIRST_HOUR, LAST_HOUR] = [Date.UTC(2020, 0, 1), Date.UTC(2200, 0, 1)];

export function isHourStart(start: number): boolean {
  return start >= FIRST_HOUR && start <= LAST_HOUR && start % (HOUR_MS / 4) === 0;
}

/** Whether a row of `energy_hours` can be one that was written: an hour without an amount is not. */
export function isHour(row: Readonly<Record<string, SQLInputValue>>): boolean {
  const { start, ...values } = row;
  const { covered_ms: coveredMs, ...amounts } = values;
  const isCover = Number(coveredMs ?? 0) >= 0 && Number(coveredMs ?? 0) <= MAX_COVER_MS;
  const areAmounts = Object.values(amounts).every(
    (value) => Number(value ?? 0) >= 0 && Number(value ?? 0) <= MAX_HOUR_AMOUNT,
  );
  const isAny = Object.values(values).some((value) => value !== null);
  return isHourStart(Number(start)) && isCover && areAmounts && isAny;
}
