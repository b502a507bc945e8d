import { createHash } from 'node:crypto';
import { issueOneTimeToken, spendOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';

/** How long a verification token is good for. */
const TOKEN_LIFETIME_MS = 5 * 60 * 1000;

/** Rows that a solved challenge cleans up after others: more than it adds, so that the table stays small. */
const CLEANED_AT_ONCE = 100;

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
      await forgetExpired(tx, new Date(nowMs));
      const nobody = { userId: null, organizationId: null };
      return issueOneTimeToken(tx, 'bot_check', nobody, { nowMs, lifetimeMs: TOKEN_LIFETIME_MS });
    });
  }

  /** @returns whether the token was good; it no longer is */
  async spend(token: string, nowMs: number, db: Database = this.#db): Promise<boolean> {
    return (await spendOneTimeToken(db, 'bot_check', token, nowMs)) !== undefined;
  }
}

/** Takes only rows that nobody else is deleting, so that two who clean up never wait for each other. */
async function forgetExpired(tx: Database, now: Date): Promise<void> {
  await tx
    .deleteFrom('bot_check_solutions')
    .where('challenge', 'in', (eb) =>
      eb
        .selectFrom('bot_check_solutions')
        .select('challenge')
        .where('expires_at', '<', now)
        .limit(CLEANED_AT_ONCE)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}
