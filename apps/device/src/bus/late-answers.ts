/**
 * Answers that may still come, to requests that timed out. Whether a late answer differs visibly from the one
 * that is due depends on the protocol: requests whose answers look the same share a response key, and the next
 * with that key waits until the late answer can no longer come. Kept for longer than a connection, because a
 * gateway passes a late answer to the client that is connected by then.
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
