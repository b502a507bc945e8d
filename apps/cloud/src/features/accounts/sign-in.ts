import type {
  OrganizationChoice,
  PasskeyAssertion,
  PasskeyRequestOptions,
  Session,
  SignInBody,
} from '@heliograph/contracts';
import { BadRequest, type Clock, Unauthorized } from '@heliograph/kit';
import type { ClientAddress } from '../../common/client-address.ts';
import { EmailUnconfirmed } from '../../common/errors.ts';
import { readOneTimeToken, spendOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { SecondFactorProof } from '../../db/second-factor-tables.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { RelyingParty, SecondFactorService } from '../second-factor/service.ts';
import type { OrganizationName } from '../users/present.ts';
import { accountItself } from './account-itself.ts';
import type { Confirmations } from './confirmations.ts';
import type { GuessLimits } from './guesses.ts';
import { holdAccount, holdAccountWithPassword } from './hold.ts';
import { PASSKEY_CHALLENGES_PER_ADDRESS, PASSKEY_SIGN_INS_PER_ADDRESS } from './limits.ts';
import { chosenOrganization } from './organizations.ts';
import { hashPassword, isOutdated, passwordMatches } from './password.ts';
import type { PendingSignIns } from './pending-sign-ins.ts';
import type { AccountRecord, AccountRepository, PendingSignInRecord } from './repository.ts';
import type { Sessions } from './sessions.ts';
import type { SignInFailures } from './sign-in-failures.ts';

export interface SignInParts {
  readonly db: Database;
  readonly accounts: AccountRepository;
  readonly sessions: Sessions;
  readonly confirmations: Confirmations;
  readonly pendingSignIns: PendingSignIns;
  readonly secondFactors: SecondFactorService;
  readonly guesses: GuessLimits;
  readonly failures: SignInFailures;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** The token of a sign-in that waits, and a second factor, if it is shown with it. */
interface PendingCredentials {
  readonly email: string;
  readonly choice: OrganizationChoice;
  readonly pendingToken: string;
  readonly otp: string | undefined;
}

/** The ways in of an account that exists. */
export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /**
   * @throws BadRequest when something is missing; ValidationError when there is no such organization; Unauthorized
   * for a wrong email, password or token and for a stranger to the organization alike, and for a wrong second factor;
   * Unconfirmed; SecondFactorRequired; TooManyRequests; Unavailable
   */
  async signIn(body: SignInBody, clientAddress: ClientAddress): Promise<Session> {
    const { email, organization_id: choice, password, pending_token: pendingToken } = body;
    const otp = body.otp?.trim() || undefined;
    if (body.session_token !== undefined && !password && pendingToken === undefined) {
      return this.#withSessionToken(body.session_token, clientAddress);
    }
    if (email === undefined) throw new BadRequest('email is missing');
    if (choice === undefined) throw new BadRequest('organization_id is missing');
    if (pendingToken !== undefined && !password) {
      return this.#withPendingToken({ email: email.trim(), choice, pendingToken, otp }, clientAddress);
    }
    if (password === undefined) throw new BadRequest('password or pending_token is missing');
    const organization = await chosenOrganization(this.#parts.accounts, choice);
    return this.#withPassword({ email: email.trim(), password, otp }, organization, clientAddress);
  }

  async #withPassword(
    credentials: { email: string; password: string; otp: string | undefined },
    organization: OrganizationName | null,
    clientAddress: ClientAddress,
  ): Promise<Session> {
    const { accounts, guesses, failures } = this.#parts;
    const { email, password, otp } = credentials;
    const entrance = { organizationId: organization?.id ?? null, network: clientAddress.network };
    const account = await accounts.byEmail(email, entrance);
    const guess = { email, network: clientAddress.network, atHome: (account?.seenHereAt ?? null) !== null };
    const who = { userId: account?.id ?? null, clientAddress };
    const attempt = guesses.attempt(guess, async () => {
      const matches = await passwordMatches(account?.passwordHash ?? null, password);
      return matches && account?.mayEnter === true;
    });
    const right = await failures.noteLockout(who, attempt);
    if (!right || !account?.passwordHash) {
      failures.note({ action: 'account.sign_in_failed', ...who });
      throw wrong();
    }
    const { passwordHash } = account;
    const session = await this.#enter({ ...account, passwordHash }, organization, otp, clientAddress);
    // The password was changed, its hash renewed, or a second factor added since: what is now decides.
    if (session === undefined) return this.#withPassword(credentials, organization, clientAddress);
    await this.#renewHash(account.id, passwordHash, password);
    return session;
  }

  /**
   * @returns undefined when the account has another password by now
   * @throws Unconfirmed; SecondFactorRequired; Unauthorized for a wrong second factor
   */
  async #enter(
    account: AccountRecord & { readonly passwordHash: string },
    organization: OrganizationName | null,
    otp: string | undefined,
    clientAddress: ClientAddress,
  ): Promise<Session | undefined> {
    const { confirmations, sessions } = this.#parts;
    const { passwordHash } = account;
    if (account.confirmedAt !== null) {
      const opening = { account, organization, clientAddress, means: 'password', factor: null } as const;
      if (!account.hasSecondFactor && !account.mustHaveSecondFactor)
        return sessions.openWithPassword(opening, passwordHash);
      if (!account.hasSecondFactor || otp === undefined)
        return this.#waitForSecondFactor(account, organization, clientAddress);
      const factor = await this.#verify(account.id, otp, clientAddress);
      return sessions.openWithPassword({ ...opening, factor }, passwordHash);
    }
    const pendingToken = await confirmations.askAgain(account, passwordHash, organization?.id ?? null);
    if (pendingToken !== undefined) throw new EmailUnconfirmed(pendingToken);
    return undefined;
  }

  /** What a browser is asked that signs in by a passkey alone. @throws TooManyRequests */
  async passkeyOptions(party: RelyingParty, { network }: ClientAddress): Promise<PasskeyRequestOptions> {
    const { limits, secondFactors } = this.#parts;
    await limits.consume(PASSKEY_CHALLENGES_PER_ADDRESS, network);
    return secondFactors.passkeySignInOptions(party);
  }

  /**
   * Signs in by a passkey alone, whose authenticator has verified its owner; the session belongs to no organization.
   *
   * @throws Unauthorized; TooManyRequests
   */
  async withPasskey(passkey: PasskeyAssertion, clientAddress: ClientAddress): Promise<Session> {
    const { failures, limits, secondFactors, sessions } = this.#parts;
    await limits.consume(PASSKEY_SIGN_INS_PER_ADDRESS, clientAddress.network);
    const actor = { userId: null, tokenId: null, via: 'api', address: clientAddress.address } as const;
    const userId = await secondFactors.verifier
      .verifyAlone(passkey, { actor, network: clientAddress.network })
      .catch((error: unknown) => {
        if (error instanceof Unauthorized)
          failures.note({ action: 'account.sign_in_failed', userId: null, clientAddress });
        throw error;
      });
    const account = await this.#owner(userId, null, clientAddress);
    if (account.confirmedAt === null) throw wrong();
    return sessions.admit(async (tx) => {
      await holdAccount(tx, account.id);
      return sessions.open(tx, {
        account,
        organization: null,
        clientAddress,
        means: 'passkey',
        factor: 'passkey',
      });
    });
  }

  /** @returns undefined when the account has another password by now @throws SecondFactorRequired */
  async #waitForSecondFactor(
    account: AccountRecord & { readonly passwordHash: string },
    organization: OrganizationName | null,
    clientAddress: ClientAddress,
  ): Promise<undefined> {
    const { accounts, pendingSignIns } = this.#parts;
    const required = await accounts.transaction(async (tx) =>
      (await holdAccountWithPassword(tx, account.id, account.passwordHash))
        ? pendingSignIns.start(tx, account, organization, clientAddress)
        : undefined,
    );
    if (required !== undefined) throw required;
  }

  #verify(userId: number, otp: string, clientAddress: ClientAddress): Promise<SecondFactorProof> {
    const claimant = { actor: accountItself(userId, clientAddress), network: clientAddress.network };
    const { failures, secondFactors } = this.#parts;
    return failures.noteLockout(
      { userId, clientAddress },
      secondFactors.verifier.verify(userId, { otp }, claimant),
    );
  }

  /** Goes on where the password was right. */
  async #finish(
    pending: PendingSignInRecord,
    { email, choice, pendingToken, otp }: PendingCredentials,
    clientAddress: ClientAddress,
  ): Promise<Session> {
    const { accounts, clock, pendingSignIns, sessions } = this.#parts;
    const organization = await chosenOrganization(accounts, choice);
    const account = await this.#owner(pending.userId, organization, clientAddress);
    if (account.email.toLowerCase() !== email.toLowerCase() || !account.mayEnter) throw wrong();
    const shown =
      pending.factor === null && otp !== undefined
        ? await this.#verify(account.id, otp, clientAddress)
        : null;
    const factor = pending.factor ?? shown;
    if (factor === null)
      throw await pendingSignIns.stillRequired(pendingToken, account, pending.organizationId);
    return sessions.admit(async (tx) => {
      await holdAccount(tx, account.id);
      if ((await spendOneTimeToken(tx, 'second_factor', pendingToken, clock.now())) === undefined)
        throw wrong();
      return sessions.open(tx, { account, organization, clientAddress, means: 'second_factor', factor });
    });
  }

  /** Answers the same token for as long as the address waits for its confirmation, and spends it then. */
  async #withPendingToken(credentials: PendingCredentials, clientAddress: ClientAddress): Promise<Session> {
    const { db, accounts, clock, pendingSignIns, sessions } = this.#parts;
    const { email, choice, pendingToken } = credentials;
    const waiting = await pendingSignIns.find(pendingToken);
    if (waiting !== undefined) return this.#finish(waiting, credentials, clientAddress);
    const organization = await chosenOrganization(accounts, choice);
    const pending = await readOneTimeToken(db, 'pending', pendingToken, clock.now());
    const account = await this.#owner(pending?.userId, organization, clientAddress);
    if (account.email.toLowerCase() !== email.toLowerCase() || !account.mayEnter) throw wrong();
    if (account.confirmedAt === null) throw new EmailUnconfirmed(pendingToken);
    return sessions.admit(async (tx) => {
      await holdAccount(tx, account.id);
      if ((await spendOneTimeToken(tx, 'pending', pendingToken, clock.now())) === undefined) throw wrong();
      return sessions.open(tx, {
        account,
        organization,
        clientAddress,
        means: 'pending_token',
        factor: null,
      });
    });
  }

  async #withSessionToken(sessionToken: string, clientAddress: ClientAddress): Promise<Session> {
    const { db, accounts, clock, sessions } = this.#parts;
    const handedOver = await readOneTimeToken(db, 'session', sessionToken, clock.now());
    const organization = await chosenOrganization(accounts, handedOver?.organizationId ?? null);
    const account = await this.#owner(handedOver?.userId, organization, clientAddress);
    if (!account.mayEnter) throw wrong();
    return sessions.admit(async (tx) => {
      await holdAccount(tx, account.id);
      if ((await spendOneTimeToken(tx, 'session', sessionToken, clock.now())) === undefined) throw wrong();
      return sessions.open(tx, {
        account,
        organization,
        clientAddress,
        means: 'session_token',
        // Shown, where there is one, when the session was opened that is handed over.
        factor: account.hasSecondFactor ? 'handed_over' : null,
        authenticatedAt: handedOver?.authenticatedAt ?? null,
        expiresAt: handedOver?.sessionExpiresAt ?? null,
      });
    });
  }

  async #owner(
    userId: number | null | undefined,
    organization: OrganizationName | null,
    { network }: ClientAddress,
  ): Promise<AccountRecord> {
    const entrance = { organizationId: organization?.id ?? null, network };
    const account = userId ? await this.#parts.accounts.byId(userId, entrance) : undefined;
    if (account === undefined) throw new Unauthorized('The token is invalid or has expired');
    return account;
  }

  async #renewHash(userId: number, passwordHash: string, password: string): Promise<void> {
    if (!isOutdated(passwordHash)) return;
    await this.#parts.accounts.replacePasswordHash(userId, passwordHash, await hashPassword(password));
  }
}

function wrong(): Unauthorized {
  return new Unauthorized('Wrong email or password');
}
