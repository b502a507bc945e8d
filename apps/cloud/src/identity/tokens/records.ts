import type { Scope } from '@heliograph/contracts';
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely';
import type { TokenKind } from '../../common/secrets/opaque-token.ts';
import type { Database } from '../../db/open.ts';
import type { Schema } from '../../db/schema.ts';

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

/** Neither revoked nor expired. */
export function isLive(now: Date) {
  return (eb: ExpressionBuilder<Schema, 'tokens'>): Expression<SqlBool> =>
    eb.and([
      eb('tokens.revoked_at', 'is', null),
      eb.or([eb('tokens.expires_at', 'is', null), eb('tokens.expires_at', '>', now)]),
    ]);
}
