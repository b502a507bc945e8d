import { type Scope, SESSION_SCOPES } from '@heliograph/contracts';
import { type Clock, Unauthorized } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { newToken, tokenHash } from '../../common/secrets/opaque-token.ts';
import type { Database } from '../../db/open.ts';
import { revokeTokens } from '../../db/revoke-tokens.ts';
import { isLive, lockToken } from './records.ts';

const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

export interface NewSession {
  readonly token: string;
  /** Digest of the token, for the database. */
  readonly hash: Buffer;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** A session of 30 days, not stored yet: signing in stores it together with its other records. */
export function newSession(clock: Clock): NewSession {
  const token = newToken('session');
  const nowMs = clock.now();
  return {
    token,
    hash: tokenHash(token),
    scopes: SESSION_SCOPES,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + SESSION_LIFETIME_MS),
  };
}

/** Stores a new authentication of a session's user. @throws Unauthorized when the session has ended */
export async function markAuthenticated(tx: Database, { tokenId }: Caller, clock: Clock): Promise<Date> {
  const at = new Date(clock.now());
  const marked = await tx
    .updateTable('tokens')
    .set({ authenticated_at: at })
    .where('id', '=', tokenId)
    .where(isLive(at))
    .returning('id')
    .executeTakeFirst();
  if (marked === undefined) throw new Unauthorized('The token is invalid or has expired');
  return at;
}

/**
 * Locks the caller's token against revocation until the transaction ends. Each transaction that derives further access
 * from it takes this lock: so signing out and a password change find access that is being created.
 *
 * @throws Unauthorized when it was revoked or has expired
 */
export async function lockTokenOf(tx: Database, { tokenId }: Caller, clock: Clock): Promise<void> {
  const live = await lockToken(tx, tokenId, new Date(clock.now()));
  if (!live) throw new Unauthorized('The token is invalid or has expired');
}

/** Ends every session of an account, as after a changed password. */
export async function revokeSessions(tx: Database, userId: number, clock: Clock): Promise<void> {
  await revokeTokens(tx, sql<SqlBool>`user_id = ${userId} and kind = 'session'`, clock);
}
