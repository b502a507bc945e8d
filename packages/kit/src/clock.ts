/** Source of time, injected so that tests control it. */
export interface Clock {
  /** Wall-clock time in milliseconds since the Unix epoch; may jump when the system's clock is set. */
  now(): number;
  /** Milliseconds since an arbitrary start; never jumps and never runs backwards. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

/** Whole milliseconds since the epoch that the wall clock shows for a moment of the monotonic one. */
export function wallAt(clock: Clock, monotonicMs: number): number {
  return Math.round(clock.now() - (clock.monotonic() - monotonicMs));
}

/** How far test moments are from a whole second, in milliseconds. */
const OFF_SECOND_MS = 137;

/** The beginning of a test: real ones begin at no whole second. @param second ISO 8601, with its offset */
export function testMoment(second: string): number {
  return Date.parse(second) + OFF_SECOND_MS;
}

/** Milliseconds of the monotonic clock of a process that has just started. */
const STARTED_MS = 8_123.456_789;

/** How long reading the monotonic clock takes, in milliseconds. */
const READING_MS = 0.000_137;

/**
 * A clock that only `advance` and `jump` move. `advance` moves both readings, `jump` the wall clock alone. As that of a system
 * it shows whole milliseconds on the wall and fractions of them in its monotonic reading, which no two calls find the same.
 */
export class ManualClock implements Clock {
  #now: number;
  #monotonic = STARTED_MS;

  constructor(nowMs: number) {
    this.#now = nowMs;
  }

  now(): number {
    return Math.floor(this.#now);
  }

  monotonic(): number {
    this.#monotonic += READING_MS;
    return this.#monotonic;
  }

  advance(ms: number): void {
    this.#now += ms;
    this.#monotonic += ms;
  }

  /** Sets the wall clock alone, as NTP or a user would. */
  jump(toMs: number): void {
    this.#now = toMs;
  }
}
