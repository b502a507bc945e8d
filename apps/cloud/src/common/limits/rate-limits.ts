import { createHash } from 'node:crypto';
import type { Pool } from 'pg';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { TooManyRequests } from '../errors.ts';

/** At most `points` in `durationS` seconds for each key. */
export interface RateRule {
  /** Part of the stored key: rules with one name count together. */
  readonly name: string;
  readonly points: number;
  readonly durationS: number;
  /**
   * Whether each process counts for itself, in memory: for calls that come by the thousand, of which each would be a write to the
   * database. Default false.
   */
  readonly perProcess?: boolean;
}

/**
 * Counters in the database, so that several processes of the cloud count as one. While the database cannot be
 * reached each process counts for itself. Whatever has no key, such as a request from no address, counts together.
 */
export class RateLimits {
  readonly #pool: Pool;
  readonly #limiters = new Map<string, RateLimiterAbstract>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Takes points, by default one. @throws TooManyRequests when too few are left, with the seconds until there are */
  async consume(rule: RateRule, key: string | null, points = 1): Promise<void> {
    try {
      await this.#limiter(rule).consume(stored(key), points);
    } catch (refusal) {
      throw refusal instanceof RateLimiterRes ? new TooManyRequests(secondsOf(refusal)) : refusal;
    }
  }

  /** Takes one point, where running out of them is no reason to refuse. @returns whether there was one */
  async tryConsume(rule: RateRule, key: string | null): Promise<boolean> {
    try {
      await this.consume(rule, key);
      return true;
    } catch (error) {
      if (error instanceof TooManyRequests) return false;
      throw error;
    }
  }

  /** Gives a point back: what looked like abuse was none. */
  async reward(rule: RateRule, key: string | null): Promise<void> {
    await this.#limiter(rule).reward(stored(key));
  }

  /** Checks that a point is left, and consumes none. @throws TooManyRequests when none is */
  async check(rule: RateRule, key: string | null): Promise<void> {
    const state = await this.#limiter(rule).get(stored(key));
    if (state !== null && state.consumedPoints >= rule.points) throw new TooManyRequests(secondsOf(state));
  }

  /** Forgets what was counted for a key. */
  async reset(rule: RateRule, key: string | null): Promise<void> {
    await this.#limiter(rule).delete(stored(key));
  }

  #limiter(rule: RateRule): RateLimiterAbstract {
    const known = this.#limiters.get(rule.name);
    if (known !== undefined) return known;
    const { name: keyPrefix, points, durationS: duration } = rule;
    const inMemory = new RateLimiterMemory({ keyPrefix, points, duration });
    const limiter = rule.perProcess ? inMemory : this.#inDatabase(rule, inMemory);
    this.#limiters.set(rule.name, limiter);
    return limiter;
  }

  /** @param insurance counts while the database cannot be reached */
  #inDatabase({ name, points, durationS }: RateRule, insurance: RateLimiterMemory): RateLimiterPostgres {
    return new RateLimiterPostgres({
      storeClient: this.#pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      // The migrations make the table, and housekeeping empties it.
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: name,
      points,
      duration: durationS,
      insuranceLimiter: insurance,
    });
  }
}

/** Keys are email addresses, uids and the like: a digest has a fixed length and discloses nothing. */
function stored(key: string | null): string {
  return createHash('sha256')
    .update(key ?? 'unknown')
    .digest('base64url');
}

function secondsOf({ msBeforeNext }: RateLimiterRes): number {
  return Math.max(1, Math.ceil(msBeforeNext / 1000));
}
