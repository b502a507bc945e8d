import { createHash } from 'node:crypto';
import { issueOneTimeToken, spendOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';

const TOKEN_LIFETIME_MS = 5 * 60 * 1000;

export class BotCheckRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /**
   * Exchanges a solved challenge for a verification token; of concurrent callers exactly one gets it.
   *
   * @param signature identifies the challenge
   * @returns undefined for a challenge that was exchanged before
   */
  exchange(signature: string, expiresAt: Date, nowMs: number): Promise<string | undefined> {
    return this.#db.transaction().execute(async (tx) => {
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('bot_check_solutions')
        .values({ challenge: createHash('sha256').update(signature).digest(), expires_at: expiresAt })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (numInsertedOrUpdatedRows === 0n) return undefined;
      const subject = { userId: null, organizationId: null };
      return issueOneTimeToken(tx, 'bot_check', subject, { nowMs, lifetimeMs: TOKEN_LIFETIME_MS });
    });
  }

  /** @returns whether the token was valid */
  async spend(token: string, nowMs: number): Promise<boolean> {
    return (await spendOneTimeToken(this.#db, 'bot_check', token, nowMs)) !== undefined;
  }
}
