import type { Clock } from '@heliograph/kit';

/** How far back the share of answered polls looks, in milliseconds, and over how many polls at least. */
const WINDOW_MS = 60_000;
const WINDOW_POLLS = 10;

/** How well a connection answers its polls: shows a failing cable before it breaks. */
export class LinkHealth {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  /** When polls were answered, by the monotonic clock, oldest first. */
  #answeredAt: number[] = [];
  #firstAt: number | undefined;
  #pollMs: number | null = null;

  constructor(clock: Clock, intervalMs: number) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** How far apart polls are: the interval, or the multiple of it that a slow link really takes, in milliseconds. */
  get cadenceMs(): number {
    return Math.max(1, Math.ceil((this.#pollMs ?? 0) / this.#intervalMs)) * this.#intervalMs;
  }

  /** How long the last poll that was answered took, in milliseconds; null before the first. */
  get pollMs(): number | null {
    return this.#pollMs;
  }

  /** A poll begins, or an attempt at one. */
  attempted(): void {
    this.#firstAt ??= this.#clock.monotonic();
  }

  /** @param tookMs how long the poll took, in milliseconds */
  answered(tookMs: number): void {
    this.#pollMs = tookMs;
    this.#answeredAt.push(this.#clock.monotonic());
  }

  /** Answered polls of the last minute out of those that there should have been, in percent; null before the first. */
  quality(): number | null {
    if (this.#firstAt === undefined) return null;
    const now = this.#clock.monotonic();
    const windowMs = Math.max(WINDOW_MS, WINDOW_POLLS * this.cadenceMs);
    // Polls are never exactly one cadence apart: the window ends between two of them.
    const oldestMs = now - windowMs - this.cadenceMs / 2;
    this.#answeredAt = this.#answeredAt.filter((at) => at >= oldestMs);
    const spanMs = Math.max(this.cadenceMs, Math.min(windowMs, now - this.#firstAt));
    return Math.min(100, Math.round((100 * this.#answeredAt.length * this.cadenceMs) / spanMs));
  }
}
