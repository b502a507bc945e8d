import type { Scope } from '@heliograph/contracts';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { isSecondFactorRequired } from '../../access/organization-access.ts';
import type { TokenKind } from '../../common/secrets/opaque-token.ts';
import type { Database } from '../../db/open.ts';
import { PREPARED } from '../../db/prepared-statements.ts';
import type { Schema } from '../../db/schema.ts';
import type { TokenUse } from './last-used.ts';

export interface NewToken {
  readonly kind: TokenKind;
  /** The user's name for it; null when it has none. */
  readonly name: string | null;
  readonly hash: Buffer;
  readonly userId: number;
  readonly scopes: readonly Scope[];
  readonly organizationId: number | null;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
}

export class TokenRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The token with this digest, if it is neither revoked nor expired. */
  live(hash: Buffer, now: Date) {
    return this.#db
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .modifyFront(PREPARED)
      .select([
        'tokens.id',
        'tokens.kind',
        'tokens.user_id as userId',
        'users.locale',
        'users.staff',
        'tokens.scopes',
        'tokens.organization_id as organizationId',
        'tokens.site_id as siteId',
        'tokens.application_organization_id as applicationOrganizationId',
        'tokens.grant_id as grantId',
        'tokens.last_used_at as lastUsedAt',
        'tokens.authenticated_at as authenticatedAt',
        'tokens.expires_at as expiresAt',
      ])
      .where('tokens.hash', '=', hash)
      .where(isLive(now))
      .where(hasRequiredSecondFactor)
      .executeTakeFirst();
  }

  /** True for a token that is not live and was not revoked after a moment. */
  async isInvalidSince(hash: Buffer, moment: Date, now: Date): Promise<boolean> {
    const token = await this.#db
      .selectFrom('tokens')
      .select('id')
      .where('tokens.hash', '=', hash)
      .where((eb) => eb.or([isLive(now)(eb), eb('tokens.revoked_at', '>', moment)]))
      .executeTakeFirst();
    return token === undefined;
  }

  /** Stores uses of tokens. Rows that another process is writing are skipped: it stores the same. */
  async markUsed(uses: readonly TokenUse[], at: Date): Promise<void> {
    const ids = uses.map(({ id }) => id);
    const addresses = uses.map(({ address }) => address);
    await sql`
      update tokens set last_used_at = ${at}, last_used_address = used.address
      from (
        select tokens.id, uses.address
        from tokens join unnest(${ids}::int[], ${addresses}::inet[]) as uses (id, address) on uses.id = tokens.id
        for no key update of tokens skip locked
      ) as used
      where tokens.id = used.id`.execute(this.#db);
  }

  /** @returns false for a token that is not live */
  async markAuthenticated(tx: Database, id: number, at: Date): Promise<boolean> {
    const marked = await tx
      .updateTable('tokens')
      .set({ authenticated_at: at })
      .where('id', '=', id)
      .where(isLive(at))
      .returning('id')
      .executeTakeFirst();
    return marked !== undefined;
  }
}

/** @returns the token's id */
export async function addToken(db: Database, token: NewToken): Promise<number> {
  const { id } = await db
    .insertInto('tokens')
    .values({
      kind: token.kind,
      name: token.name,
      hash: token.hash,
      user_id: token.userId,
      scopes: [...token.scopes],
      organization_id: token.organizationId,
      created_at: token.createdAt,
      expires_at: token.expiresAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Locks a token against revocation until the transaction ends (FOR SHARE). @returns whether it is live */
export async function lockToken(tx: Database, id: number, now: Date): Promise<boolean> {
  const locked = await tx
    .selectFrom('tokens')
    .select('id')
    .where('id', '=', id)
    .where(isLive(now))
    .forShare()
    .executeTakeFirst();
  return locked !== undefined;
}

/**
 * Sessions that were opened by the password alone end when a second factor becomes required: the user signs in again and
 * sets one up. The order of the conditions spares all other sessions the look-up of employers.
 */
function hasRequiredSecondFactor(eb: ExpressionBuilder<Schema, 'tokens' | 'users'>): Expression<SqlBool> {
  const mustHave = isSecondFactorRequired(eb.ref('tokens.organization_id'))(eb);
  return sql<SqlBool>`case when tokens.kind = 'session' and users.second_factor_at is null then not ${mustHave} else true end`;
}

/** Neither revoked nor expired. */
export function isLive(now: Date) {
  return (eb: ExpressionBuilder<Schema, 'tokens'>): Expression<SqlBool> =>
    eb.and([
      eb('tokens.revoked_at', 'is', null),
      eb.or([eb('tokens.expires_at', 'is', null), eb('tokens.expires_at', '>', now)]),
    ]);
}
