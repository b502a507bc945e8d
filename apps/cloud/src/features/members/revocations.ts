import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';

export interface RevocationRecord {
  readonly siteId: number;
  readonly userId: number;
  readonly revokedAt: Date;
}

/** Old rows that one revocation clears away at most: more than it adds, and no work to speak of. */
const CLEARED_AT_ONCE = 10;

/** Who lost access to which site while site tokens of before could still be alive. */
export class RevocationRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  async add(tx: Database, { siteId, userId, revokedAt }: RevocationRecord): Promise<void> {
    await tx
      .insertInto('site_revocations')
      .values({ site_id: siteId, user_id: userId, revoked_at: revokedAt })
      .onConflict((conflict) =>
        conflict.columns(['site_id', 'user_id']).doUpdateSet({ revoked_at: revokedAt }),
      )
      .execute();
    await this.#clear(tx, new Date(revokedAt.getTime() - SITE_TOKEN_LIFETIME_MS));
  }

  /** Revocations from a moment on, the oldest first. */
  since(date: Date, limit: number): Promise<RevocationRecord[]> {
    return this.#db
      .selectFrom('site_revocations')
      .select(['site_id as siteId', 'user_id as userId', 'revoked_at as revokedAt'])
      .where('revoked_at', '>=', date)
      .orderBy('revoked_at')
      .limit(limit)
      .execute();
  }

  /** Leaves rows that another transaction is clearing to it: waiting for each other would be a deadlock. */
  async #clear(tx: Database, before: Date): Promise<void> {
    const old = tx
      .selectFrom('site_revocations')
      .select(['site_id', 'user_id'])
      .where('revoked_at', '<', before)
      .limit(CLEARED_AT_ONCE)
      .forUpdate()
      .skipLocked();
    await tx.deleteFrom('site_revocations').where(sql`(site_id, user_id)`, 'in', old).execute();
  }
}
