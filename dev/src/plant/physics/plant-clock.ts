import type { Clock } from '@heliograph/kit';

export interface PlantClockOptions {
  /** Plant seconds per second; 60 turns a minute into an hour. */
  readonly speed: number;
  /** The beginning of the plant's own time, milliseconds since the epoch; absent: with the clock it runs on. */
  readonly startMs?: number;
}

/**
 * The plant's own time. At speed 1 and without a start it is simply the clock's; otherwise it runs from its
 * start at its own pace, which no change of the system's clock disturbs.
 */
export class PlantClock {
  readonly #clock: Clock;
  readonly #speed: number;
  readonly #startMs: number | undefined;
  readonly #bornMonotonic: number;

  constructor(clock: Clock, { speed, startMs }: PlantClockOptions) {
    this.#clock = clock;
    this.#speed = speed;
    this.#startMs = startMs ?? (speed === 1 ? undefined : clock.now());
    this.#bornMonotonic = clock.monotonic();
  }

  /** The plant's wall clock. */
  now(): number {
    return this.#startMs === undefined ? this.#clock.now() : this.#startMs + this.elapsed();
  }

  /** Plant milliseconds since this clock was made; never runs backwards. */
  elapsed(): number {
    return (this.#clock.monotonic() - this.#bornMonotonic) * this.#speed;
  }
}
