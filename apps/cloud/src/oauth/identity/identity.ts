import type { IdTokenAnswer, Scope } from '@heliograph/contracts';
import { Unauthorized, ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import { PREPARED } from '../../db/prepared-statements.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { ServerPlatform } from '../../platform.ts';
import { findClient } from '../applications/clients.ts';
import { type IdentityClaims, type IdentityRecord, identityClaims } from './claims.ts';

/** Long enough to reach a server; existing clients expect it. */
const ID_TOKEN_LIFETIME_S = 300;

const COLUMNS = [
  'users.id',
  'users.email',
  'users.first_name as firstName',
  'users.last_name as lastName',
  'users.locale',
  sql<boolean>`users.confirmed_at is not null`.as('confirmed'),
] as const;

export async function claimsOf(db: Database, userId: number): Promise<IdentityClaims | undefined> {
  const account: IdentityRecord | undefined = await db
    .selectFrom('users')
    .modifyFront(PREPARED)
    .select(COLUMNS)
    .where('id', '=', userId)
    .executeTakeFirst();
  return account && identityClaims(account);
}

/** The start of the caller's session. @throws Unauthorized when the session has ended */
export async function signedInAt(db: Database, caller: Caller): Promise<Date> {
  return (await accountOf(db, caller)).openedAt;
}

/**
 * Exchanges a session for an id_token that an application's server, or its database, verifies by itself.
 *
 * @throws Unauthorized; ValidationError for a client that may not learn the identity
 */
export async function createIdToken(
  { db, keys, cloudUrl, clock }: ServerPlatform,
  caller: Caller,
  { body: { client_id, nonce } }: InputOf<'createIdToken'>,
): Promise<IdTokenAnswer> {
  const client = await findClient(db, client_id);
  if (client === undefined || !canReceiveIdentity(caller, client)) {
    throw new ValidationError({ client_id: ['is not an application that may ask who you are'] });
  }
  const account = await accountOf(db, caller);
  const issuedAt = Math.floor(clock.now() / 1000);
  const token = await keys.signIdentity({
    ...identityClaims(account),
    iss: cloudUrl(),
    aud: client_id,
    nonce,
    iat: issuedAt,
    exp: issuedAt + ID_TOKEN_LIFETIME_S,
    auth_time: Math.floor(account.openedAt.getTime() / 1000),
  });
  return { id_token: token, expires_in: ID_TOKEN_LIFETIME_S };
}

/** The account of the caller's session, and the start of the session. @throws Unauthorized when it has ended */
async function accountOf(
  db: Database,
  { tokenId }: Caller,
): Promise<IdentityRecord & { readonly openedAt: Date }> {
  const account = await db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .select([...COLUMNS, 'tokens.created_at as openedAt'])
    .where('tokens.id', '=', tokenId)
    .executeTakeFirst();
  if (account === undefined) throw new Unauthorized('The account no longer exists');
  return account;
}

/** A program that requests the identity of a user. */
interface IdentityClient {
  readonly kind: 'confidential' | 'public' | 'agent';
  readonly organizationId: number | null;
  readonly scopes: readonly Scope[];
}

/**
 * Allows an id_token for an organization's application that has the scope `openid`, unless the session is restricted to
 * another organization.
 */
function canReceiveIdentity(
  { organizationId }: Pick<Caller, 'organizationId'>,
  client: IdentityClient,
): boolean {
  if (client.kind === 'agent' || !client.scopes.includes('openid')) return false;
  return organizationId === null || organizationId === client.organizationId;
}
