/**
 * Answers that may still come, to requests whose time was over. Whether a late answer can be told from the one
 * that is waited for depends on the protocol: requests whose answers look responseKey share a name here, and the next
 * of that name waits until the late answer can no longer come. Kept for longer than a connection, because a
 * gateway passes a late answer to whoever is connected when it comes.
 */
export class LateAnswers {
  readonly #untilMs = new Map<string, number>();

  /** One may come for so long from now on. */
  expect(responseKey: string, forMs: number): void {
    const nowMs = performance.now();
    for (const [other, untilMs] of this.#untilMs) if (untilMs <= nowMs) this.#untilMs.delete(other);
    this.#untilMs.set(responseKey, nowMs + forMs);
  }

  /** How long to wait before a request whose answer looks like that, in milliseconds. */
  waitMs(responseKey: string): number {
    return Math.max(0, (this.#untilMs.get(responseKey) ?? 0) - performance.now());
  }
}
