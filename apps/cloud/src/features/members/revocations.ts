import type { Database } from '../../db/open.ts';

export interface RevocationRecord {
  readonly siteId: number;
  /** `user:<id>`, `token:<id>` or `grant:<id>`. */
  readonly subject: string;
  readonly userId: number;
  readonly revokedAt: Date;
}

/** Site tokens that were revoked while they could still be alive. */
export class RevocationRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Revocations after a moment, the oldest first; more than the limit where several are of the same moment. */
  since(date: Date, limit: number): Promise<RevocationRecord[]> {
    return this.#db
      .selectFrom('site_token_revocations')
      .select(['site_id as siteId', 'subject', 'user_id as userId', 'revoked_at as revokedAt'])
      .where('revoked_at', '>', date)
      .orderBy('revoked_at')
      .fetch(limit, 'with ties')
      .execute();
  }

  /** Those of a site after a moment, the newest first. */
  ofSite(siteId: number, date: Date, limit: number): Promise<RevocationRecord[]> {
    return this.#db
      .selectFrom('site_token_revocations')
      .select(['site_id as siteId', 'subject', 'user_id as userId', 'revoked_at as revokedAt'])
      .where('site_id', '=', siteId)
      .where('revoked_at', '>', date)
      .orderBy('revoked_at', 'desc')
      .limit(limit)
      .execute();
  }
}
