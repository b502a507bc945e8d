import type { AuditAction, Scope } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { SecondFactorProof } from '../../db/tables/identity.ts';

export type SignInMeans =
  | 'password'
  | 'pending_token'
  | 'session_token'
  | 'second_factor'
  | 'passkey'
  | 'confirmation'
  | 'reset'
  | 'invitation';

export interface StoredSession {
  readonly userId: number;
  /** The password hash that the account must have; null when it does not matter. */
  readonly passwordHash: string | null;
  readonly hash: Buffer;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly organizationId: number | null;
  /** The client's address. */
  readonly address: string | null;
  readonly means: SignInMeans;
  /** Null without a second factor; an account that has one gets no session then. */
  readonly factor: SecondFactorProof | null;
  /** The last authentication of the user. */
  readonly authenticatedAt: Date | null;
  /** The network to store as one of the account's; null when it is stored already. */
  readonly networkToStore: string | null;
}

const SIGNED_IN: AuditAction = 'account.signed_in';

/**
 * Stores a session, its audit record and its network in one statement: a storm of sign-ins should cost little besides
 * the passwords, and a transaction would take five round trips.
 *
 * The account is locked as by `lockAccount`: the statement waits for a password change in progress, and the session is
 * then either refused here or found and revoked by the change.
 *
 * @returns false, with nothing stored, when the account is gone, has another password by now, or has a second factor
 * that was not verified
 */
export async function storeSession(db: Database, session: StoredSession): Promise<boolean> {
  const { passwordHash, createdAt, organizationId, networkToStore, factor } = session;
  const details = JSON.stringify({ means: session.means, ...(factor !== null && { factor }) });
  const { rows } = await sql`
    with account as (
      select id from users
      where id = ${session.userId} and (${passwordHash}::text is null or password_hash = ${passwordHash})
        and (${factor !== null}::boolean or second_factor_at is null)
      for share
    ), session as (
      insert into tokens (kind, hash, user_id, scopes, organization_id, created_at, expires_at, authenticated_at)
      select 'session', ${session.hash}::bytea, id, ${session.scopes}::text[], ${organizationId}::int,
        ${createdAt}::timestamptz, ${session.expiresAt}::timestamptz, ${session.authenticatedAt}::timestamptz
      from account
      returning id
    ), event as (
      insert into audit_events (at, action, actor_id, token_id, via, address, organization_id, user_id, details)
      select ${createdAt}::timestamptz, ${SIGNED_IN}, account.id, session.id, 'api', ${session.address}::inet,
        ${organizationId}::int, account.id, ${details}::jsonb
      from account, session
    ), network as (
      insert into known_addresses (user_id, address, seen_at)
      select id, ${networkToStore}::inet, ${createdAt}::timestamptz from account where ${networkToStore}::inet is not null
      on conflict (user_id, address) do update set seen_at = excluded.seen_at
    )
    select id from session`.execute(db);
  return rows.length > 0;
}
