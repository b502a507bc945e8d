import type { Clock } from '@heliograph/kit';

/** Failures remembered at most; the oldest is the first to go. */
const MAX_FAILURES = 1_000;

/** What failed a moment ago, and would again: whoever repeats it costs nothing. */
export class RecentFailures {
  readonly #clock: Clock;
  readonly #lifetimeMs: number;
  readonly #until = new Map<string, number>();

  constructor(clock: Clock, lifetimeMs: number) {
    this.#clock = clock;
    this.#lifetimeMs = lifetimeMs;
  }

  has(key: string): boolean {
    return (this.#until.get(key) ?? 0) > this.#clock.now();
  }

  add(key: string): void {
    this.#until.delete(key);
    this.#until.set(key, this.#clock.now() + this.#lifetimeMs);
    const [oldest] = this.#until.keys();
    if (this.#until.size > MAX_FAILURES && oldest !== undefined) this.#until.delete(oldest);
  }
}
