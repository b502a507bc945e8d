import type { PendingSignIn } from '@heliograph/contracts';
import { Unauthorized } from '@heliograph/kit';
import { sql } from 'kysely';
import { actorOfAccount, type Enrollee } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { SecondFactorRequired } from '../../common/errors.ts';
import { tokenHash } from '../../common/secrets/opaque-token.ts';
import { issueOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { SecondFactorProof } from '../../db/tables/identity.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform, ServerPlatform } from '../../platform.ts';
import type { IdentityPlatform } from '../platform.ts';
import { requestOptions } from '../second-factor/passkeys.ts';
import type { RelyingParty } from '../second-factor/relying-party.ts';
import { methodsOf, passkeyHosts, verifySecondFactor } from '../second-factor/verifier.ts';
import type { OrganizationName } from '../users/present.ts';
import type { AccountRecord } from './records.ts';

const PENDING_LIFETIME_MS = 10 * 60 * 1000;

type PendingAccount = Pick<AccountRecord, 'id' | 'organizationId' | 'hasSecondFactor'>;

/** A sign-in with the right password that waits for a second factor. */
export interface PendingSignInRecord {
  readonly userId: number;
  readonly email: string;
  readonly hasSecondFactor: boolean;
  readonly organizationId: number | null;
  readonly createdAt: Date;
  /** The client's address. */
  readonly address: string | null;
  /** Null as long as no second factor was verified. */
  readonly factor: SecondFactorProof | null;
}

/**
 * Begins a sign-in with the right password that waits for a second factor. The factor is verified here or on a page; the
 * pending token then opens the session.
 *
 * @returns an error that the caller throws after the commit, which makes its token valid
 */
export async function startPendingSignIn(
  platform: Platform,
  tx: Database,
  account: PendingAccount,
  organization: OrganizationName | null,
  { address }: ClientAddress,
): Promise<SecondFactorRequired> {
  const organizationId = organization?.id ?? null;
  const lifetime = { nowMs: platform.clock.now(), lifetimeMs: PENDING_LIFETIME_MS };
  const about = { userId: account.id, organizationId, address };
  const token = await issueOneTimeToken(tx, 'second_factor', about, lifetime);
  return required(platform, tx, token, account, organizationId);
}

/** The error for a client that uses the token before the second factor is verified. */
export function secondFactorRequired(
  platform: Platform,
  token: string,
  account: PendingAccount,
  organizationId: number | null,
): Promise<SecondFactorRequired> {
  return required(platform, platform.db, token, account, organizationId);
}

/** The sign-in as the page shows it on which it is finished. @throws Unauthorized */
export async function describePendingSignIn(
  platform: ServerPlatform,
  party: RelyingParty,
  { body: { pending_token: pendingToken } }: InputOf<'describePendingSignIn'>,
): Promise<PendingSignIn> {
  const { db } = platform;
  const { userId, email, hasSecondFactor, createdAt, address } = await pending(platform, pendingToken);
  return {
    email,
    requested_at: createdAt.toISOString(),
    address,
    methods: hasSecondFactor ? await methodsOf(db, userId) : [],
    passkey: hasSecondFactor ? await requestOptions(platform, userId, party) : null,
    passkey_hosts: hasSecondFactor ? await passkeyHosts(db, userId) : [],
  };
}

/** Verifies the second factor, after which the token signs in. @throws Unauthorized; TooManyRequests */
export async function showSecondFactor(
  platform: IdentityPlatform,
  client: ClientAddress,
  { body: { pending_token: token, ...presented } }: InputOf<'showSecondFactor'>,
): Promise<void> {
  const { db, clock, signInFailures } = platform;
  const { userId } = await pending(platform, token);
  const claimant = { actor: actorOfAccount(userId, client), network: client.network };
  const verified = verifySecondFactor(platform, userId, presented, claimant);
  const factor = await signInFailures.recordLockout({ userId, client }, verified);
  const now = new Date(clock.now());
  if (!(await finishPending(db, tokenHash(token), factor, now))) throw invalidToken();
}

/** @returns undefined for an unknown or expired token */
export function findPendingSignIn(
  { db, clock }: Platform,
  token: string,
): Promise<PendingSignInRecord | undefined> {
  return selectPending(db, tokenHash(token), new Date(clock.now()));
}

/** The account that a pending sign-in authorizes to set up a first second factor. @throws Unauthorized */
export async function authenticateEnrollee(
  platform: Platform,
  token: string,
  client: ClientAddress,
): Promise<Enrollee> {
  const { userId, hasSecondFactor } = await pending(platform, token);
  if (hasSecondFactor) throw invalidToken();
  return { userId, actor: actorOfAccount(userId, client), pendingSignIn: tokenHash(token) };
}

async function required(
  { cloudUrl }: Platform,
  db: Database,
  token: string,
  account: PendingAccount,
  organizationId: number | null,
): Promise<SecondFactorRequired> {
  const methods = account.hasSecondFactor ? await methodsOf(db, account.id) : [];
  const brand = organizationId ?? account.organizationId;
  const host = brand === null ? undefined : await portalHost(db, brand);
  const portal = host === undefined ? cloudUrl() : `https://${host}`;
  return new SecondFactorRequired(token, methods, `${portal}/sign_in#second_factor/${token}`);
}

async function pending(platform: Platform, token: string): Promise<PendingSignInRecord> {
  const pending = await findPendingSignIn(platform, token);
  if (pending === undefined || pending.factor !== null) throw invalidToken();
  return pending;
}

/** The host of an organization's own pages, once an operator has vetted it. */
async function portalHost(db: Database, organizationId: number): Promise<string | undefined> {
  const organization = await db
    .selectFrom('organizations')
    .select('cloud_host as host')
    .where('id', '=', organizationId)
    .where('cloud_host_vetted', '=', true)
    .executeTakeFirst();
  return organization?.host ?? undefined;
}

/** @returns undefined when it is unknown, finished or expired */
function selectPending(db: Database, hash: Buffer, now: Date): Promise<PendingSignInRecord | undefined> {
  return db
    .selectFrom('one_time_tokens')
    .innerJoin('users', 'users.id', 'one_time_tokens.user_id')
    .select([
      'users.id as userId',
      'users.email',
      sql<boolean>`users.second_factor_at is not null`.as('hasSecondFactor'),
      'one_time_tokens.organization_id as organizationId',
      'one_time_tokens.created_at as createdAt',
      'one_time_tokens.address',
      'one_time_tokens.factor',
    ])
    .where('one_time_tokens.hash', '=', hash)
    .where('one_time_tokens.purpose', '=', 'second_factor')
    .where('one_time_tokens.spent_at', 'is', null)
    .where('one_time_tokens.expires_at', '>', now)
    .executeTakeFirst();
}

/** @returns false when it is unknown, finished or expired */
async function finishPending(
  db: Database,
  hash: Buffer,
  factor: SecondFactorProof,
  now: Date,
): Promise<boolean> {
  const finished = await db
    .updateTable('one_time_tokens')
    .set({ factor })
    .where('hash', '=', hash)
    .where('purpose', '=', 'second_factor')
    .where('spent_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('user_id')
    .executeTakeFirst();
  return finished !== undefined;
}

/** One error for unknown, expired and finished tokens, so that attempts reveal nothing. */
function invalidToken(): Unauthorized {
  return new Unauthorized('The token is invalid or has expired');
}
