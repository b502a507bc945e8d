import { momentsAhead, type PassedMoments, TOLERANCE_MS } from './check-clock.ts';

/** A clock that was ahead, as it is stored; both in milliseconds since the epoch. */
export interface ClockLead {
  /** When that was found, by the right clock. */
  readonly atMs: number;
  /** The last moment that the wrong clock showed. */
  readonly untilMs: number;
}

export interface PassedTimeOptions {
  readonly releaseMs: number;
  /** The newest reading that was taken at a moment or before, in milliseconds since the epoch. */
  readonly newestReading: (untilMs: number) => number | undefined;
  readonly stored: ClockLead | null;
  readonly store: (lead: ClockLead) => void;
}

/** No software runs for so long after its release: a reading beyond is of a clock that was ahead, in milliseconds. */
const MAX_AGE_MS = 10 * 366 * 24 * 60 * 60 * 1000;

/**
 * Moments that have passed, by which a clock shows to be behind. Readings of a clock that was ahead are no evidence once a
 * correction of the clock, or the cloud, has contradicted them.
 */
export class PassedTime {
  readonly #options: PassedTimeOptions;
  #lastReadingMs: number | undefined;

  constructor(options: PassedTimeOptions) {
    this.#options = options;
    this.#lastReadingMs = this.#evidence();
  }

  get moments(): PassedMoments {
    return { release: this.#options.releaseMs, last_reading: this.#lastReadingMs };
  }

  isBehind(nowMs: number): boolean {
    return momentsAhead(nowMs, this.moments).length > 0;
  }

  /** The cloud answered a proof that the clock dated. */
  confirm(nowMs: number): void {
    const newest = this.#options.newestReading(Number.MAX_SAFE_INTEGER);
    if (newest !== undefined && newest > nowMs + TOLERANCE_MS) this.#contradict(nowMs, newest);
  }

  /** The clock was set. One set back to before the start of this process may be wrong now. */
  correct(fromMs: number, toMs: number): void {
    const known = Math.max(this.#options.releaseMs, this.#lastReadingMs ?? 0);
    if (toMs < fromMs && toMs >= known - TOLERANCE_MS) this.#contradict(toMs, fromMs);
  }

  #contradict(atMs: number, untilMs: number): void {
    const lead = { atMs: Math.round(atMs), untilMs: Math.round(untilMs) };
    this.#options.store(lead);
    this.#lastReadingMs = this.#options.newestReading(lead.atMs);
  }

  #evidence(): number | undefined {
    const { newestReading, stored, releaseMs } = this.#options;
    const newest = newestReading(releaseMs + MAX_AGE_MS);
    if (stored === null || newest === undefined || newest > stored.untilMs) return newest;
    return newestReading(stored.atMs);
  }
}
