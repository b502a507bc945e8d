import type { Database } from '../../db/open.ts';

export interface RevocationRecord {
  readonly siteId: number;
  /** `user:<id>`, `token:<id>` or `grant:<id>`. */
  readonly subject: string;
  readonly userId: number;
  readonly revokedAt: Date;
}

/** Revocations of site tokens that may not have expired yet. */
export class RevocationRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The oldest first; exceeds the limit where several revocations share the date of the last one. */
  since(date: Date, limit: number): Promise<RevocationRecord[]> {
    return this.#db
      .selectFrom('site_token_revocations')
      .select(['site_id as siteId', 'subject', 'user_id as userId', 'revoked_at as revokedAt'])
      .where('revoked_at', '>', date)
      .orderBy('revoked_at')
      .fetch(limit, 'with ties')
      .execute();
  }

  /** The newest first. */
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
