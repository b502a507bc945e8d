import { createHash } from 'node:crypto';
import { issueOneTimeToken, spendOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';

/** How long a verification token is good for. */
const TOKEN_LIFETIME_MS = 5 * 60 * 1000;

export class BotCheckRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Trades a solved challenge for a verification token; of several callers at once exactly one gets it.
   *
   * @param signature names the challenge
   * @returns undefined when the challenge was traded before
   */
  exchange(signature: string, expiresAt: Date, nowMs: number): Promise<string | undefined> {
    return this.#db.transaction().execute(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('bot_check_solutions')
        .values({ challenge: createHash('sha256').update(signature).digest(), expires_at: expiresAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n) return undefined;
      const nobody = { userId: null, organizationId: null };
      return issueOneTimeToken(tx, 'bot_check', nobody, { nowMs, lifetimeMs: TOKEN_LIFETIME_MS });
    });
  }

  /** @returns whether the token was good; it no longer is */
  async spend(token: string, nowMs: number): Promise<boolean> {
    return (await spendOneTimeToken(this.#db, 'bot_check', token, nowMs)) !== undefined;
  }
}
