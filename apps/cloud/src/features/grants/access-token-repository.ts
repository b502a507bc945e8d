import type { Database } from '../../db/open.ts';
import { tokenHash } from '../../secrets/opaque-token.ts';
import type { AccessTokenRecord } from './records.ts';

/** Access tokens of third parties: rows of `tokens` that belong to a grant. */
export class AccessTokenRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @returns undefined for one that was revoked or has expired, and for every other kind of token */
  find(value: string, now: Date): Promise<AccessTokenRecord | undefined> {
    return this.#db
      .selectFrom('tokens')
      .innerJoin('oauth_grants', 'oauth_grants.id', 'tokens.grant_id')
      .select([
        'tokens.user_id as userId',
        'oauth_grants.client_id as clientId',
        'oauth_grants.id as grantId',
        'tokens.kind',
        'tokens.scopes',
        'tokens.site_id as siteId',
        'tokens.created_at as createdAt',
        'tokens.expires_at as expiresAt',
      ])
      .$narrowType<{ kind: 'oauth' | 'mcp'; expiresAt: Date }>()
      .where('tokens.hash', '=', tokenHash(value))
      .where('tokens.kind', 'in', ['oauth', 'mcp'])
      .where('tokens.revoked_at', 'is', null)
      .where('tokens.expires_at', '>', now)
      .executeTakeFirst();
  }
}
