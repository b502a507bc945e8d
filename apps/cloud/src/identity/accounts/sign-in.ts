import type {
  LinkEmail,
  OrganizationChoice,
  PasskeyAssertion,
  PasskeyRequestOptions,
  Session,
  SignInBody,
} from '@heliograph/contracts';
import { BadRequest, type Clock, Unauthorized } from '@heliograph/kit';
import { actorOfAccount } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { EmailUnconfirmed } from '../../common/errors.ts';
import { emailKey } from '../../common/limits/email-key.ts';
import type { RateLimits } from '../../common/limits/rate-limits.ts';
import type { PasswordHashing } from '../../common/secrets/password-hashing.ts';
import { readOneTimeToken, spendOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { SecondFactorProof } from '../../db/second-factor-tables.ts';
import type { RelyingParty, SecondFactorService } from '../second-factor/service.ts';
import type { OrganizationName } from '../users/present.ts';
import type { AttemptLimits } from './attempts.ts';
import type { Confirmations } from './confirmations.ts';
import { PASSKEY_CHALLENGES_PER_ADDRESS, PASSKEY_SIGN_INS_PER_ADDRESS } from './limits.ts';
import { lockAccount, lockAccountWithPassword } from './lock-account.ts';
import { chosenOrganization, organizationNotOfAccount } from './organization-choice.ts';
import type { PendingSignIns } from './pending-sign-ins.ts';
import type { AccountRecord, AccountRepository, PendingSignInRecord } from './repository.ts';
import type { Sessions } from './sessions.ts';
import type { SignInFailures } from './sign-in-failures.ts';

export interface SignInOptions {
  readonly db: Database;
  readonly accounts: AccountRepository;
  readonly sessions: Sessions;
  readonly confirmations: Confirmations;
  readonly pendingSignIns: PendingSignIns;
  readonly secondFactors: SecondFactorService;
  readonly attempts: AttemptLimits;
  readonly failures: SignInFailures;
  readonly limits: RateLimits;
  readonly hashing: PasswordHashing;
  readonly clock: Clock;
}

/** A pending sign-in's token, and a second factor if the client sends it along. */
interface PendingCredentials {
  readonly email: string;
  readonly choice: OrganizationChoice;
  readonly pendingToken: string;
  readonly otp: string | undefined;
}

/** Signs in with a password, a passkey, or the token of a pending sign-in or a handover. */
export class SignIn {
  readonly #options: SignInOptions;

  constructor(options: SignInOptions) {
    this.#options = options;
  }

  /**
   * @throws BadRequest for a missing field; ValidationError for an unknown organization, and after the right password for one
   * that the account does not belong to; Unauthorized alike for a wrong email, password or token, and for a wrong second factor;
   * EmailUnconfirmed; SecondFactorRequired; TooManyRequests; Unavailable
   */
  async withCredentials(body: SignInBody, client: ClientAddress): Promise<Session> {
    const { email, organization_id: choice, password, pending_token: pendingToken } = body;
    const otp = body.otp?.trim() || undefined;
    const isComplete =
      email !== undefined && choice !== undefined && (password || pendingToken !== undefined);
    if (body.session_token !== undefined && !isComplete) {
      return this.#withSessionToken(body.session_token, client);
    }
    if (email === undefined) throw new BadRequest('email is missing');
    if (choice === undefined) throw new BadRequest('organization_id is missing');
    if (pendingToken !== undefined && !password) {
      return this.#withPendingToken({ email: email.trim(), choice, pendingToken, otp }, client);
    }
    if (password === undefined) throw new BadRequest('password or pending_token is missing');
    const organization = await chosenOrganization(this.#options.accounts, choice);
    return this.#withPassword({ email: email.trim(), password, otp }, organization, client);
  }

  async #withPassword(
    credentials: { email: string; password: string; otp: string | undefined },
    organization: OrganizationName | null,
    client: ClientAddress,
  ): Promise<Session> {
    const { accounts, attempts, failures, hashing } = this.#options;
    const { email, password, otp } = credentials;
    const context = { organizationId: organization?.id ?? null, network: client.network };
    const account = await accounts.byEmail(email, context);
    const attempt = {
      email,
      network: client.network,
      fromKnownNetwork: (account?.lastSeenFromNetworkAt ?? null) !== null,
    };
    const subject = { userId: account?.id ?? null, client };
    const verification = attempts.verify(attempt, () =>
      hashing.matches(account?.passwordHash ?? null, password),
    );
    const isRight = await failures.recordLockout(subject, verification);
    if (!isRight || !account?.passwordHash) {
      failures.record({ action: 'account.sign_in_failed', ...subject });
      throw wrongCredentials();
    }
    if (!account.hasOrganizationAccess) throw organizationNotOfAccount();
    const { passwordHash } = account;
    const session = await this.#enter({ ...account, passwordHash }, organization, otp, client);
    // The password, its hash or the second factors have changed since the account was read: start again.
    if (session === undefined) return this.#withPassword(credentials, organization, client);
    await this.#renewHash(account.id, passwordHash, password);
    return session;
  }

  /**
   * @returns undefined when the account has another password by now
   * @throws EmailUnconfirmed; SecondFactorRequired; Unauthorized for a wrong second factor
   */
  async #enter(
    account: AccountRecord & { readonly passwordHash: string },
    organization: OrganizationName | null,
    otp: string | undefined,
    client: ClientAddress,
  ): Promise<Session | undefined> {
    const { confirmations, sessions } = this.#options;
    const { passwordHash } = account;
    if (account.confirmedAt !== null) {
      const opening = { account, organization, client, means: 'password', factor: null } as const;
      if (!account.hasSecondFactor && !account.isSecondFactorRequired)
        return sessions.openWithPassword(opening, passwordHash);
      if (!account.hasSecondFactor || otp === undefined)
        return this.#waitForSecondFactor(account, organization, client);
      const factor = await this.#verify(account.id, otp, client);
      return sessions.openWithPassword({ ...opening, factor }, passwordHash);
    }
    const pendingToken = await confirmations.requestAgain(account, passwordHash, organization?.id ?? null);
    if (pendingToken !== undefined) throw new EmailUnconfirmed(pendingToken);
    return undefined;
  }

  /** Request options for signing in by a passkey alone. @throws TooManyRequests */
  async passkeyOptions(party: RelyingParty, { network }: ClientAddress): Promise<PasskeyRequestOptions> {
    const { limits, secondFactors } = this.#options;
    await limits.consume(PASSKEY_CHALLENGES_PER_ADDRESS, network);
    return secondFactors.passkeySignInOptions(party);
  }

  /**
   * Signs in by a passkey alone, whose authenticator has verified its user; the session belongs to no organization.
   *
   * @throws Unauthorized; TooManyRequests
   */
  async withPasskey(passkey: PasskeyAssertion, client: ClientAddress): Promise<Session> {
    const { failures, limits, secondFactors, sessions } = this.#options;
    await limits.consume(PASSKEY_SIGN_INS_PER_ADDRESS, client.network);
    const actor = { userId: null, tokenId: null, via: 'api', address: client.address } as const;
    const userId = await secondFactors.verifier
      .verifyPasskeyOnly(passkey, { actor, network: client.network })
      .catch((error: unknown) => {
        if (error instanceof Unauthorized)
          failures.record({ action: 'account.sign_in_failed', userId: null, client });
        throw error;
      });
    const account = await this.#owner(userId, null, client);
    if (account.confirmedAt === null) throw wrongCredentials();
    return sessions.openInTransaction(async (tx) => {
      await lockAccount(tx, account.id);
      return sessions.open(tx, {
        account,
        organization: null,
        client,
        means: 'passkey',
        factor: 'passkey',
      });
    });
  }

  /** @returns undefined when the account has another password by now @throws SecondFactorRequired */
  async #waitForSecondFactor(
    account: AccountRecord & { readonly passwordHash: string },
    organization: OrganizationName | null,
    client: ClientAddress,
  ): Promise<undefined> {
    const { accounts, pendingSignIns } = this.#options;
    const required = await accounts.transaction(async (tx) =>
      (await lockAccountWithPassword(tx, account.id, account.passwordHash))
        ? pendingSignIns.start(tx, account, organization, client)
        : undefined,
    );
    if (required !== undefined) throw required;
  }

  #verify(userId: number, otp: string, client: ClientAddress): Promise<SecondFactorProof> {
    const claimant = { actor: actorOfAccount(userId, client), network: client.network };
    const { failures, secondFactors } = this.#options;
    return failures.recordLockout(
      { userId, client },
      secondFactors.verifier.verify(userId, { otp }, claimant),
    );
  }

  /** Continues a sign-in whose password was right. */
  async #finish(
    pending: PendingSignInRecord,
    { email, choice, pendingToken, otp }: PendingCredentials,
    client: ClientAddress,
  ): Promise<Session> {
    const { accounts, clock, pendingSignIns, sessions } = this.#options;
    const organization = await chosenOrganization(accounts, choice);
    const account = await this.#owner(pending.userId, organization, client);
    if (emailKey(account.email) !== emailKey(email) || !account.hasOrganizationAccess)
      throw wrongCredentials();
    const verified =
      pending.factor === null && otp !== undefined ? await this.#verify(account.id, otp, client) : null;
    const factor = pending.factor ?? verified;
    if (factor === null)
      throw await pendingSignIns.secondFactorRequired(pendingToken, account, pending.organizationId);
    return sessions.openInTransaction(async (tx) => {
      await lockAccount(tx, account.id);
      if ((await spendOneTimeToken(tx, 'second_factor', pendingToken, clock.now())) === undefined)
        throw wrongCredentials();
      return sessions.open(tx, { account, organization, client, means: 'second_factor', factor });
    });
  }

  /** Returns the same token until the address is confirmed, and then spends it. */
  async #withPendingToken(credentials: PendingCredentials, client: ClientAddress): Promise<Session> {
    const { db, accounts, clock, pendingSignIns, sessions } = this.#options;
    const { email, choice, pendingToken } = credentials;
    const waiting = await pendingSignIns.find(pendingToken);
    if (waiting !== undefined) return this.#finish(waiting, credentials, client);
    const organization = await chosenOrganization(accounts, choice);
    const pending = await readOneTimeToken(db, 'pending', pendingToken, clock.now());
    const account = await this.#owner(pending?.userId, organization, client);
    if (emailKey(account.email) !== emailKey(email) || !account.hasOrganizationAccess)
      throw wrongCredentials();
    if (account.confirmedAt === null) throw new EmailUnconfirmed(pendingToken);
    return sessions.openInTransaction(async (tx) => {
      await lockAccount(tx, account.id);
      if ((await spendOneTimeToken(tx, 'pending', pendingToken, clock.now())) === undefined)
        throw wrongCredentials();
      return sessions.open(tx, { account, organization, client, means: 'pending_token', factor: null });
    });
  }

  /** The account that a handed-over session is of; its token stays good. @throws Unauthorized */
  async handoverAccount(sessionToken: string, client: ClientAddress): Promise<LinkEmail> {
    const { account } = await this.#readHandover(sessionToken, client);
    return { email: account.email };
  }

  async #readHandover(sessionToken: string, client: ClientAddress) {
    const { db, accounts, clock } = this.#options;
    const handover = await readOneTimeToken(db, 'session', sessionToken, clock.now());
    const organization = await chosenOrganization(accounts, handover?.organizationId ?? null);
    const account = await this.#owner(handover?.userId, organization, client);
    if (!account.hasOrganizationAccess) throw wrongCredentials();
    return { handover, organization, account };
  }

  async #withSessionToken(sessionToken: string, client: ClientAddress): Promise<Session> {
    const { clock, sessions } = this.#options;
    const { handover, organization, account } = await this.#readHandover(sessionToken, client);
    return sessions.openInTransaction(async (tx) => {
      await lockAccount(tx, account.id);
      if ((await spendOneTimeToken(tx, 'session', sessionToken, clock.now())) === undefined)
        throw wrongCredentials();
      return sessions.open(tx, {
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

  async #owner(
    userId: number | null | undefined,
    organization: OrganizationName | null,
    { network }: ClientAddress,
  ): Promise<AccountRecord> {
    const context = { organizationId: organization?.id ?? null, network };
    const account = userId ? await this.#options.accounts.byId(userId, context) : undefined;
    if (account === undefined) throw new Unauthorized('The token is invalid or has expired');
    return account;
  }

  async #renewHash(userId: number, passwordHash: string, password: string): Promise<void> {
    const { accounts, hashing } = this.#options;
    if (!hashing.isOutdated(passwordHash)) return;
    await accounts.replacePasswordHash(userId, passwordHash, await hashing.hash(password));
  }
}

function wrongCredentials(): Unauthorized {
  return new Unauthorized('Wrong email or password');
}
