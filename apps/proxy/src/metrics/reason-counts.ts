/** Reasons come from our own code, but some name what they were configured with: no more of them than this. */
const MAX_REASONS = 100;
const OTHER = 'other';

/** How often something happened, by reason. */
export class ReasonCounts {
  readonly #counts = new Map<string, number>();

  add(reason: string): void {
    const key = this.#counts.has(reason) || this.#counts.size < MAX_REASONS ? reason : OTHER;
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  [Symbol.iterator](): Iterator<[reason: string, count: number]> {
    return this.#counts.entries();
  }
}
