export interface RateLimiterOptions {
  readonly perSecond: number;
  /** Events admitted at once after a quiet period. */
  readonly burst: number;
  /** How many keys are remembered; beyond it the one that was quiet for longest is forgotten. */
  readonly maxKeys: number;
}

/** Multiple of the burst beyond which events are rejected without a delay. */
const HARD_LIMIT_FACTOR = 4;

/** A bucket that leaks: how full it was, and when. */
interface Bucket {
  level: number;
  atMs: number;
}

/**
 * How often something comes, by key: a bucket for each, which every coming fills by one and which leaks with time.
 * Who goes on beyond the limit keeps it full, so it takes a pause to get in again.
 */
export class RateLimiter {
  readonly #options: RateLimiterOptions;
  readonly #buckets = new Map<string, Bucket>();

  constructor(options: RateLimiterOptions) {
    this.#options = options;
  }

  /**
   * Counts one coming.
   *
   * @param nowMs time that never runs backwards, in milliseconds
   * @returns 0 when it may come in; else after how many seconds it may; infinite when this is far beyond the limit
   */
  count(key: string, nowMs: number): number {
    const { perSecond, burst, maxKeys } = this.#options;
    const bucket = this.#buckets.get(key) ?? { level: 0, atMs: nowMs };
    const level = Math.max(0, bucket.level - ((nowMs - bucket.atMs) / 1000) * perSecond);
    const full = level + 1 > burst * HARD_LIMIT_FACTOR;
    bucket.level = full ? level : level + 1;
    bucket.atMs = nowMs;
    // The last one that came stands last, so that the first is the one to forget.
    this.#buckets.delete(key);
    this.#buckets.set(key, bucket);
    if (this.#buckets.size > maxKeys) this.#evictOldest();
    if (full) return Number.POSITIVE_INFINITY;
    return bucket.level <= burst ? 0 : Math.ceil((bucket.level - burst) / perSecond);
  }

  /** How many keys are remembered. */
  get size(): number {
    return this.#buckets.size;
  }

  #evictOldest(): void {
    for (const key of this.#buckets.keys()) {
      this.#buckets.delete(key);
      return;
    }
  }
}
