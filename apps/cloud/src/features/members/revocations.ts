import type { Database } from '../../db/open.ts';

export interface RevocationRecord {
  readonly siteId: number;
  readonly userId: number;
  readonly revokedAt: Date;
}

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
  }

  /** Revocations after a moment, the oldest first; more than the limit where several are of the same moment. */
  since(date: Date, limit: number): Promise<RevocationRecord[]> {
    return this.#db
      .selectFrom('site_revocations')
      .select(['site_id as siteId', 'user_id as userId', 'revoked_at as revokedAt'])
      .where('revoked_at', '>', date)
      .orderBy('revoked_at')
      .fetch(limit, 'with ties')
      .execute();
  }
}
