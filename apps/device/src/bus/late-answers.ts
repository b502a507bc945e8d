/**
 * Answers that may still come, to requests whose time was over. Whether a late answer can be told from the one
 * that is waited for depends on the protocol: requests whose answers look alike share a name here, and the next
 * of that name waits until the late answer can no longer come. Kept for longer than a connection, because a
 * gateway passes a late answer to whoever is connected when it comes.
 */
export class LateAnswers {
  readonly #untilMs = new Map<string, number>();

  /** One may come for so long from now on. */
  expect(alike: string, forMs: number): void {
    this.#untilMs.set(alike, performance.now() + forMs);
  }

  /** How long to wait before a request whose answer looks like that, in milliseconds. */
  waitMs(alike: string): number {
    const untilMs = this.#untilMs.get(alike);
    if (untilMs === undefined) return 0;
    const remainingMs = untilMs - performance.now();
    if (remainingMs <= 0) this.#untilMs.delete(alike);
    return Math.max(0, remainingMs);
  }
}
