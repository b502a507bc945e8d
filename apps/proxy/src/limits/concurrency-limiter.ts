/** Counts what is under way under each key, and keeps nothing of keys under which nothing is. */
export class ConcurrencyLimiter<Key> {
  readonly #counts = new Map<Key, number>();
  readonly #max: number;

  /** @param max how much may be under way under one key at a time */
  constructor(max: number) {
    this.#max = max;
  }

  /** Counts one more, unless there are enough. @returns whether it was counted, and so is to be given back */
  tryAcquire(key: Key): boolean {
    const count = this.#counts.get(key) ?? 0;
    if (count >= this.#max) return false;
    this.#counts.set(key, count + 1);
    return true;
  }

  release(key: Key): void {
    const count = this.#counts.get(key) ?? 0;
    if (count > 1) this.#counts.set(key, count - 1);
    else this.#counts.delete(key);
  }

  /** How many keys there is something under. */
  get size(): number {
    return this.#counts.size;
  }

  /** How much is under way under a key. */
  countOf(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }
}
