/** The earliest and the latest `Retry-After`, in milliseconds. */
const SOONEST_MS = 5_000;
const LATEST_MS = 600_000;
/**
 * Repeated calls for which a process makes room in a second: two thirds of what a core answers, and as many as a slower one can
 * refuse once more without losing much time.
 */
const REPEATED_PER_S = 700;

/**
 * Spreads the repetition of refused calls: each gets the next free moment of its own. A million devices then repeat a call once or
 * twice; if each chose its moment, most of a process's time would go into refusing them again.
 */
export class RetrySlots {
  #nextMs = 0;

  /**
   * @param nowMs on a clock that never runs backwards
   * @returns `Retry-After` of a refused call, in seconds
   */
  next(nowMs: number): number {
    this.#nextMs = Math.max(this.#nextMs, nowMs + SOONEST_MS) + 1_000 / REPEATED_PER_S;
    if (this.#nextMs > nowMs + LATEST_MS) this.#nextMs = nowMs + LATEST_MS / 2;
    return Math.ceil((this.#nextMs - nowMs) / 1_000);
  }
}
