import type {
  LinkEmail,
  OrganizationChoice,
  PasskeyAssertion,
  PasskeyRequestOptions,
  Session,
} from '@heliograph/contracts';
import { BadRequest, Unauthorized } from '@heliograph/kit';
import { actorOfAccount } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { EmailUnconfirmed } from '../../common/errors.ts';
import { emailKey } from '../../common/limits/email-key.ts';
import { readOneTimeToken, spendOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { SecondFactorProof } from '../../db/tables/identity.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform, ServerPlatform } from '../../platform.ts';
import type { IdentityPlatform } from '../platform.ts';
import { signInOptions } from '../second-factor/passkeys.ts';
import type { RelyingParty } from '../second-factor/relying-party.ts';
import { verifyPasskeyOnly, verifySecondFactor } from '../second-factor/verifier.ts';
import type { OrganizationName } from '../users/present.ts';
import { verifyAttempt } from './attempts.ts';
import { requestConfirmationAgain } from './confirmations.ts';
import { PASSKEY_CHALLENGES_PER_ADDRESS, PASSKEY_SIGN_INS_PER_ADDRESS } from './limits.ts';
import { lockAccount, lockAccountWithPassword } from './lock-account.ts';
import { chosenOrganization, organizationNotOfAccount } from './organization-choice.ts';
import {
  findPendingSignIn,
  type PendingSignInRecord,
  secondFactorRequired,
  startPendingSignIn,
} from './pending-sign-ins.ts';
import { type AccountRecord, accountByEmail, accountById } from './records.ts';
import { openInTransaction, openSession, openWithPassword } from './sessions.ts';

/** A pending sign-in's token, and a second factor if the client sends it along. */
interface PendingCredentials {
  readonly email: string;
  readonly choice: OrganizationChoice;
  readonly pendingToken: string;
  readonly otp: string | undefined;
}

/**
 * Signs in with a password, or the token of a pending sign-in or a handover.
 *
 * @throws BadRequest for a missing field; ValidationError for an unknown organization, and after the right password for one
 * that the account does not belong to; Unauthorized alike for a wrong email, password or token, and for a wrong second factor;
 * EmailUnconfirmed; SecondFactorRequired; TooManyRequests; Unavailable
 */
export async function signIn(
  platform: IdentityPlatform,
  client: ClientAddress,
  { body }: InputOf<'signIn'>,
): Promise<Session> {
  const { email, organization_id: choice, password, pending_token: pendingToken } = body;
  const otp = body.otp?.trim() || undefined;
  const isComplete = email !== undefined && choice !== undefined && (password || pendingToken !== undefined);
  if (body.session_token !== undefined && !isComplete) {
    return withSessionToken(platform, body.session_token, client);
  }
  if (email === undefined) throw new BadRequest('email is missing');
  if (choice === undefined) throw new BadRequest('organization_id is missing');
  if (pendingToken !== undefined && !password) {
    return withPendingToken(platform, { email: email.trim(), choice, pendingToken, otp }, client);
  }
  if (password === undefined) throw new BadRequest('password or pending_token is missing');
  const organization = await chosenOrganization(platform.db, choice);
  return withPassword(platform, { email: email.trim(), password, otp }, organization, client);
}

async function withPassword(
  platform: IdentityPlatform,
  credentials: { email: string; password: string; otp: string | undefined },
  organization: OrganizationName | null,
  client: ClientAddress,
): Promise<Session> {
  const { db, limits, hashing, signInFailures: failures } = platform;
  const { email, password, otp } = credentials;
  const context = { organizationId: organization?.id ?? null, network: client.network };
  const account = await accountByEmail(db, email, context);
  const attempt = {
    email,
    network: client.network,
    fromKnownNetwork: (account?.lastSeenFromNetworkAt ?? null) !== null,
  };
  const subject = { userId: account?.id ?? null, client };
  const verification = verifyAttempt(limits, attempt, () =>
    hashing.matches(account?.passwordHash ?? null, password),
  );
  const isRight = await failures.recordLockout(subject, verification);
  if (!isRight || !account?.passwordHash) {
    failures.record({ action: 'account.sign_in_failed', ...subject });
    throw wrongCredentials();
  }
  if (!account.hasOrganizationAccess) throw organizationNotOfAccount();
  const { passwordHash } = account;
  const session = await enter(platform, { ...account, passwordHash }, organization, otp, client);
  // The password, its hash or the second factors have changed since the account was read: start again.
  if (session === undefined) return withPassword(platform, credentials, organization, client);
  await renewHash(platform, account.id, passwordHash, password);
  return session;
}

/**
 * @returns undefined when the account has another password by now
 * @throws EmailUnconfirmed; SecondFactorRequired; Unauthorized for a wrong second factor
 */
async function enter(
  platform: IdentityPlatform,
  account: AccountRecord & { readonly passwordHash: string },
  organization: OrganizationName | null,
  otp: string | undefined,
  client: ClientAddress,
): Promise<Session | undefined> {
  const { passwordHash } = account;
  if (account.confirmedAt !== null) {
    const opening = { account, organization, client, means: 'password', factor: null } as const;
    if (!account.hasSecondFactor && !account.isSecondFactorRequired)
      return openWithPassword(platform, opening, passwordHash);
    if (!account.hasSecondFactor || otp === undefined)
      return waitForSecondFactor(platform, account, organization, client);
    const factor = await verify(platform, account.id, otp, client);
    return openWithPassword(platform, { ...opening, factor }, passwordHash);
  }
  const pendingToken = await requestConfirmationAgain(
    platform,
    account,
    passwordHash,
    organization?.id ?? null,
  );
  if (pendingToken !== undefined) throw new EmailUnconfirmed(pendingToken);
  return undefined;
}

/** Request options for signing in by a passkey alone. @throws TooManyRequests */
export async function startPasskeySignIn(
  platform: ServerPlatform,
  { network }: ClientAddress,
  party: RelyingParty,
): Promise<PasskeyRequestOptions> {
  await platform.limits.consume(PASSKEY_CHALLENGES_PER_ADDRESS, network);
  return signInOptions(platform, party);
}

/**
 * Signs in by a passkey alone, whose authenticator has verified its user; the session belongs to no organization.
 *
 * @throws Unauthorized; TooManyRequests
 */
export async function signInWithPasskey(
  platform: IdentityPlatform,
  client: ClientAddress,
  passkey: PasskeyAssertion,
): Promise<Session> {
  const { db, limits, signInFailures } = platform;
  await limits.consume(PASSKEY_SIGN_INS_PER_ADDRESS, client.network);
  const actor = { userId: null, tokenId: null, via: 'api', address: client.address } as const;
  const userId = await verifyPasskeyOnly(platform, passkey, { actor, network: client.network }).catch(
    (error: unknown) => {
      if (error instanceof Unauthorized)
        signInFailures.record({ action: 'account.sign_in_failed', userId: null, client });
      throw error;
    },
  );
  const account = await ownerOf(db, userId, null, client);
  if (account.confirmedAt === null) throw wrongCredentials();
  return openInTransaction(db, async (tx) => {
    await lockAccount(tx, account.id);
    return openSession(platform, tx, {
      account,
      organization: null,
      client,
      means: 'passkey',
      factor: 'passkey',
    });
  });
}

/** @returns undefined when the account has another password by now @throws SecondFactorRequired */
async function waitForSecondFactor(
  platform: IdentityPlatform,
  account: AccountRecord & { readonly passwordHash: string },
  organization: OrganizationName | null,
  client: ClientAddress,
): Promise<undefined> {
  const required = await platform.db
    .transaction()
    .execute(async (tx) =>
      (await lockAccountWithPassword(tx, account.id, account.passwordHash))
        ? startPendingSignIn(platform, tx, account, organization, client)
        : undefined,
    );
  if (required !== undefined) throw required;
}

function verify(
  platform: IdentityPlatform,
  userId: number,
  otp: string,
  client: ClientAddress,
): Promise<SecondFactorProof> {
  const claimant = { actor: actorOfAccount(userId, client), network: client.network };
  return platform.signInFailures.recordLockout(
    { userId, client },
    verifySecondFactor(platform, userId, { otp }, claimant),
  );
}

/** Continues a sign-in whose password was right. */
async function finish(
  platform: IdentityPlatform,
  pending: PendingSignInRecord,
  { email, choice, pendingToken, otp }: PendingCredentials,
  client: ClientAddress,
): Promise<Session> {
  const { db, clock } = platform;
  const organization = await chosenOrganization(db, choice);
  const account = await ownerOf(db, pending.userId, organization, client);
  if (emailKey(account.email) !== emailKey(email) || !account.hasOrganizationAccess) throw wrongCredentials();
  const verified =
    pending.factor === null && otp !== undefined ? await verify(platform, account.id, otp, client) : null;
  const factor = pending.factor ?? verified;
  if (factor === null)
    throw await secondFactorRequired(platform, pendingToken, account, pending.organizationId);
  return openInTransaction(db, async (tx) => {
    await lockAccount(tx, account.id);
    if ((await spendOneTimeToken(tx, 'second_factor', pendingToken, clock.now())) === undefined)
      throw wrongCredentials();
    return openSession(platform, tx, { account, organization, client, means: 'second_factor', factor });
  });
}

/** Returns the same token until the address is confirmed, and then spends it. */
async function withPendingToken(
  platform: IdentityPlatform,
  credentials: PendingCredentials,
  client: ClientAddress,
): Promise<Session> {
  const { db, clock } = platform;
  const { email, choice, pendingToken } = credentials;
  const waiting = await findPendingSignIn(platform, pendingToken);
  if (waiting !== undefined) return finish(platform, waiting, credentials, client);
  const organization = await chosenOrganization(db, choice);
  const pending = await readOneTimeToken(db, 'pending', pendingToken, clock.now());
  const account = await ownerOf(db, pending?.userId, organization, client);
  if (emailKey(account.email) !== emailKey(email) || !account.hasOrganizationAccess) throw wrongCredentials();
  if (account.confirmedAt === null) throw new EmailUnconfirmed(pendingToken);
  return openInTransaction(db, async (tx) => {
    await lockAccount(tx, account.id);
    if ((await spendOneTimeToken(tx, 'pending', pendingToken, clock.now())) === undefined)
      throw wrongCredentials();
    return openSession(platform, tx, { account, organization, client, means: 'pending_token', factor: null });
  });
}

/** The account that a handed-over session is of; its token stays good. @throws Unauthorized */
export async function handoverAccount(
  platform: Platform,
  client: ClientAddress,
  sessionToken: string,
): Promise<LinkEmail> {
  const { account } = await readHandover(platform, sessionToken, client);
  return { email: account.email };
}

async function readHandover({ db, clock }: Platform, sessionToken: string, client: ClientAddress) {
  const handover = await readOneTimeToken(db, 'session', sessionToken, clock.now());
  const organization = await chosenOrganization(db, handover?.organizationId ?? null);
  const account = await ownerOf(db, handover?.userId, organization, client);
  if (!account.hasOrganizationAccess) throw wrongCredentials();
  return { handover, organization, account };
}

async function withSessionToken(
  platform: IdentityPlatform,
  sessionToken: string,
  client: ClientAddress,
): Promise<Session> {
  const { db, clock } = platform;
  const { handover, organization, account } = await readHandover(platform, sessionToken, client);
  return openInTransaction(db, async (tx) => {
    await lockAccount(tx, account.id);
    if ((await spendOneTimeToken(tx, 'session', sessionToken, clock.now())) === undefined)
      throw wrongCredentials();
    return openSession(platform, tx, {
      account,
      organization,
      client,
      means: 'session_token',
      // A second factor was verified when the original session was opened.
      factor: account.hasSecondFactor ? 'handed_over' : null,
      authenticatedAt: handover?.authenticatedAt ?? null,
      expiresAt: handover?.sessionExpiresAt ?? null,
    });
  });
}

async function ownerOf(
  db: Database,
  userId: number | null | undefined,
  organization: OrganizationName | null,
  { network }: ClientAddress,
): Promise<AccountRecord> {
  const context = { organizationId: organization?.id ?? null, network };
  const account = userId ? await accountById(db, userId, context) : undefined;
  if (account === undefined) throw new Unauthorized('The token is invalid or has expired');
  return account;
}

async function renewHash(
  { db, hashing }: Platform,
  userId: number,
  passwordHash: string,
  password: string,
): Promise<void> {
  if (!hashing.isOutdated(passwordHash)) return;
  const renewed = await hashing.hash(password);
  await db
    .updateTable('users')
    .set({ password_hash: renewed })
    .where('id', '=', userId)
    .where('password_hash', '=', passwordHash)
    .execute();
}

function wrongCredentials(): Unauthorized {
  return new Unauthorized('Wrong email or password');
}
