import type { Scope } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { type Expression, type ExpressionBuilder, expressionBuilder, type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { hasOrganizationAccess } from '../../access/organization-access.ts';
import type { Database } from '../../db/open.ts';
import { revokeTokens } from '../../db/revoke-tokens.ts';
import type { Schema } from '../../db/schema.ts';
import { isLive } from './repository.ts';

/** The kinds of tokens that users manage themselves. */
export type OwnTokenKind = 'api' | 'session';

export interface OwnTokenRecord {
  readonly id: number;
  readonly name: string | null;
  readonly scopes: readonly Scope[];
  readonly organizationId: number | null;
  readonly organizationName: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly lastUsedAddress: string | null;
}

/** The tokens of the caller's account. */
export class OwnTokenRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Those that are neither revoked nor expired, the newest first. */
  list(caller: Caller, kind: OwnTokenKind, now: Date): Promise<OwnTokenRecord[]> {
    return this.#db
      .selectFrom('tokens')
      .leftJoin('organizations', 'organizations.id', 'tokens.organization_id')
      .select([
        'tokens.id',
        'tokens.name',
        'tokens.scopes',
        'organizations.id as organizationId',
        'organizations.name as organizationName',
        'tokens.created_at as createdAt',
        'tokens.expires_at as expiresAt',
        'tokens.last_used_at as lastUsedAt',
        'tokens.last_used_address as lastUsedAddress',
      ])
      .where(isOwn(caller, kind))
      .where(isLive(now))
      .orderBy('tokens.id', 'desc')
      .execute();
  }

  /** An organization's name; undefined when the account may not hold tokens of it. */
  async organizationFor(userId: number, organizationId: number): Promise<string | undefined> {
    const found = await this.#db
      .selectFrom('organizations')
      .innerJoin('users', (join) => join.on('users.id', '=', userId))
      .select('organizations.name')
      .where('organizations.id', '=', organizationId)
      .where(hasOrganizationAccess(organizationId))
      .executeTakeFirst();
    return found?.name;
  }

  async ownerOf(id: number): Promise<number | undefined> {
    const token = await this.#db
      .selectFrom('tokens')
      .select('user_id as userId')
      .where('id', '=', id)
      .where('kind', '=', 'api')
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return token?.userId;
  }

  /** Locks the account, so that concurrent requests cannot both take the last free place. */
  async lockOwner(tx: Database, userId: number): Promise<void> {
    await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
  }

  /** The live API tokens of an account. */
  async countApiTokens(tx: Database, userId: number, now: Date): Promise<number> {
    const { count } = await tx
      .selectFrom('tokens')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('user_id', '=', userId)
      .where('kind', '=', 'api')
      .where(isLive(now))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Revokes an expired token, too: site tokens issued from it may be live. @returns undefined when there is none */
  async revoke(tx: Database, caller: Caller, kind: OwnTokenKind, id: number, clock: Clock) {
    const which = expressionBuilder<Schema, 'tokens'>();
    const [revoked] = await revokeTokens(
      tx,
      which.and([which('tokens.id', '=', id), isOwn(caller, kind)(which)]),
      clock,
    );
    return revoked;
  }
}

/** In a session of an organization nothing outside of it exists, tokens included. */
function isOwn({ userId, organizationId }: Caller, kind: OwnTokenKind) {
  return (eb: ExpressionBuilder<Schema, 'tokens'>): Expression<SqlBool> =>
    eb.and([
      eb('tokens.user_id', '=', userId),
      eb('tokens.kind', '=', kind),
      ...(organizationId === null ? [] : [eb('tokens.organization_id', '=', organizationId)]),
    ]);
}
