import { type MetricDefinition, type MetricValue, roundTo } from '@heliograph/metrics';

/** A value and when it was read, by both clocks. */
export interface Measured {
  readonly value: MetricValue;
  /** Wall clock, milliseconds since the epoch; 0 before the first reading. Only for people to read. */
  readonly readAt: number;
  /** Monotonic clock, milliseconds; -Infinity before the first reading. How old it is follows from this. */
  readonly readAtMonotonic: number;
  /** Whether it is null for being too old: what was read last is no longer true. */
  readonly stale?: boolean;
  /** Whether it was not read since the start, and may be yet: its connection has not been polled three times. */
  readonly awaited?: boolean;
}

/** The last value that a unit reported. */
export interface LatestValue extends Measured {
  /**
   * When it was last reported, by the monotonic clock: later than it was read where hardware is read in turns, and a value that
   * waits for its turn is reported again. Whether the link still works follows from this.
   */
  readonly confirmedAtMs: number;
}

export const NEVER_READ: LatestValue = {
  value: null,
  readAt: 0,
  readAtMonotonic: Number.NEGATIVE_INFINITY,
  confirmedAtMs: Number.NEGATIVE_INFINITY,
};

/** A measured value under its name in the catalogue. */
export interface NamedMeasured extends Measured {
  readonly definition: MetricDefinition;
}

/** How many polls a value may be missing from before it is stale: a device shows no old value as live. */
export const STALE_AFTER_POLLS = 3;

/**
 * The value as it is shown: rounded as its quantity promises, null once it was not confirmed for too long.
 *
 * @param isNewLink whether the connection has not been polled three times since the start
 */
export function presented(
  definition: MetricDefinition,
  latest: LatestValue,
  oldestAllowed: number,
  isNewLink: boolean,
): NamedMeasured {
  const { value, readAt, readAtMonotonic, confirmedAtMs } = latest;
  const fresh = confirmedAtMs >= oldestAllowed;
  const shown = fresh ? { value: roundTo(definition, value) } : { value: null, stale: true };
  const awaited = isNewLink && confirmedAtMs === NEVER_READ.confirmedAtMs;
  return { definition, ...shown, readAt, readAtMonotonic, ...(awaited && { awaited }) };
}
