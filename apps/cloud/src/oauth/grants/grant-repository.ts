import { sql } from 'kysely';
import { tokenHash } from '../../common/secrets/opaque-token.ts';
import type { Database } from '../../db/open.ts';
import type { AccessTokenRecord, NewGrant } from './records.ts';

/** Users' grants to programs, and the access tokens issued from them. */
export class GrantRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Adds a grant, which is not valid before the OAuth server has set its payload. */
  async add(tx: Database, grant: NewGrant, at: Date, expiresAt: Date): Promise<void> {
    await tx
      .insertInto('oauth_grants')
      .values({
        id: grant.id,
        client_id: grant.clientId,
        client_name: grant.clientName,
        organization_id: grant.organizationId,
        user_id: grant.userId,
        site_id: grant.siteId,
        scopes: [...grant.scopes],
        payload: '{}',
        created_at: at,
        expires_at: expiresAt,
      })
      .execute();
  }

  /** An agent whose id is the URL of a document has no row to mark. */
  async markClientUsed(tx: Database, clientId: string, at: Date): Promise<void> {
    await tx
      .updateTable('oauth_clients')
      .set({ last_used_at: at })
      .where('client_id', '=', clientId)
      .execute();
  }

  async setPayload(id: string, payload: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#db
      .updateTable('oauth_grants')
      .set({ payload: JSON.stringify(payload) })
      .where('id', '=', id)
      .execute();
  }

  /** @returns undefined for a grant that is revoked, expired, or has no payload yet */
  async payload(id: string, now: Date): Promise<Record<string, unknown> | undefined> {
    const grant = await this.#db
      .selectFrom('oauth_grants')
      .select('payload')
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .where('expires_at', '>', now)
      .where(sql<boolean>`payload <> '{}'`)
      .executeTakeFirst();
    return grant?.payload;
  }

  /** The site of the user's last grant to the same program. */
  async siteChosenBefore(userId: number, clientId: string): Promise<number | null> {
    const last = await this.#db
      .selectFrom('oauth_grants')
      .select('site_id as siteId')
      .where('user_id', '=', userId)
      .where('client_id', '=', clientId)
      .orderBy('created_at', 'desc')
      .limit(1)
      .executeTakeFirst();
    return last?.siteId ?? null;
  }

  /** A third party's live access token. @returns undefined for every other kind of token */
  findToken(value: string, now: Date): Promise<AccessTokenRecord | undefined> {
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
