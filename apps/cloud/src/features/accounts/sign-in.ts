import type { OrganizationChoice, Session, SignInBody } from '@heliograph/contracts';
import { BadRequest, type Clock, Unauthorized } from '@heliograph/kit';
import { readOneTimeToken, spendOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import { TooManyRequests, Unconfirmed } from '../../problems.ts';
import type { Visitor } from '../../visitor.ts';
import type { OrganizationName } from '../users/present.ts';
import type { Confirmations } from './confirmations.ts';
import type { GuessLimits } from './guesses.ts';
import { holdAccount } from './hold.ts';
import { chosenOrganization } from './organizations.ts';
import { hashPassword, isOutdated, passwordMatches } from './password.ts';
import type { AccountRecord, AccountRepository } from './repository.ts';
import type { Sessions } from './sessions.ts';
import type { SignInFailures } from './sign-in-failures.ts';

export interface SignInParts {
  readonly db: Database;
  readonly accounts: AccountRepository;
  readonly sessions: Sessions;
  readonly confirmations: Confirmations;
  readonly guesses: GuessLimits;
  readonly failures: SignInFailures;
  readonly clock: Clock;
}

/** The three ways in of an account that exists. */
export class SignIn {
  readonly #parts: SignInParts;

  constructor(parts: SignInParts) {
    this.#parts = parts;
  }

  /**
   * @throws BadRequest when something is missing; ValidationError when there is no such organization; Unauthorized
   * for a wrong email, password or token and for a stranger to the organization alike; Unconfirmed;
   * TooManyRequests; Unavailable
   */
  async signIn(body: SignInBody, visitor: Visitor): Promise<Session> {
    const { email, organization_id: choice, password, pending_token: pendingToken } = body;
    if (body.session_token !== undefined && !password && pendingToken === undefined) {
      return this.#withSessionToken(body.session_token, visitor);
    }
    if (email === undefined) throw new BadRequest('email is missing');
    if (choice === undefined) throw new BadRequest('organization_id is missing');
    if (pendingToken !== undefined && !password) {
      return this.#withPendingToken({ email: email.trim(), choice, pendingToken }, visitor);
    }
    if (password === undefined) throw new BadRequest('password or pending_token is missing');
    const organization = await chosenOrganization(this.#parts.accounts, choice);
    return this.#withPassword({ email: email.trim(), password }, organization, visitor);
  }

  async #withPassword(
    { email, password }: { email: string; password: string },
    organization: OrganizationName | null,
    visitor: Visitor,
  ): Promise<Session> {
    const { accounts, guesses, failures } = this.#parts;
    const entrance = { organizationId: organization?.id ?? null, network: visitor.network };
    const account = await accounts.byEmail(email, entrance);
    const guess = { email, network: visitor.network, atHome: (account?.seenHereAt ?? null) !== null };
    const who = { userId: account?.id ?? null, visitor };
    const right = await guesses
      .attempt(guess, async () => {
        const matches = await passwordMatches(account?.passwordHash ?? null, password);
        return matches && account?.mayEnter === true;
      })
      .catch((error: unknown) => {
        if (error instanceof TooManyRequests) failures.note({ action: 'account.locked_out', ...who });
        throw error;
      });
    if (!right || !account?.passwordHash) {
      failures.note({ action: 'account.sign_in_failed', ...who });
      throw wrong();
    }
    const { passwordHash } = account;
    const session = await this.#enter({ ...account, passwordHash }, organization, visitor);
    // The password was changed, or its hash renewed, since it was looked at: what it is now decides.
    if (session === undefined) return this.#withPassword({ email, password }, organization, visitor);
    await this.#renewHash(account.id, passwordHash, password);
    return session;
  }

  /** @returns undefined when the account has another password by now @throws Unconfirmed */
  async #enter(
    account: AccountRecord & { readonly passwordHash: string },
    organization: OrganizationName | null,
    visitor: Visitor,
  ): Promise<Session | undefined> {
    const { confirmations, sessions } = this.#parts;
    const { passwordHash } = account;
    if (account.confirmedAt !== null) {
      return sessions.openWithPassword({ account, organization, visitor, means: 'password' }, passwordHash);
    }
    const pendingToken = await confirmations.askAgain(account, passwordHash, organization?.id ?? null);
    if (pendingToken !== undefined) throw new Unconfirmed(pendingToken);
    return undefined;
  }

  /** Answers the same token for as long as the address waits for its confirmation, and spends it then. */
  async #withPendingToken(
    { email, choice, pendingToken }: { email: string; choice: OrganizationChoice; pendingToken: string },
    visitor: Visitor,
  ): Promise<Session> {
    const { db, accounts, clock, sessions } = this.#parts;
    const organization = await chosenOrganization(accounts, choice);
    const pending = await readOneTimeToken(db, 'pending', pendingToken, clock.now());
    const account = await this.#owner(pending?.userId, organization, visitor);
    if (account.email.toLowerCase() !== email.toLowerCase() || !account.mayEnter) throw wrong();
    if (account.confirmedAt === null) throw new Unconfirmed(pendingToken);
    return accounts.transaction(async (tx) => {
      await holdAccount(tx, account.id);
      if ((await spendOneTimeToken(tx, 'pending', pendingToken, clock.now())) === undefined) throw wrong();
      return sessions.open(tx, { account, organization, visitor, means: 'pending_token' });
    });
  }

  async #withSessionToken(sessionToken: string, visitor: Visitor): Promise<Session> {
    const { db, accounts, clock, sessions } = this.#parts;
    const handedOver = await readOneTimeToken(db, 'session', sessionToken, clock.now());
    const organization = await chosenOrganization(accounts, handedOver?.organizationId ?? null);
    const account = await this.#owner(handedOver?.userId, organization, visitor);
    if (!account.mayEnter) throw wrong();
    return accounts.transaction(async (tx) => {
      await holdAccount(tx, account.id);
      if ((await spendOneTimeToken(tx, 'session', sessionToken, clock.now())) === undefined) throw wrong();
      return sessions.open(tx, { account, organization, visitor, means: 'session_token' });
    });
  }

  async #owner(
    userId: number | null | undefined,
    organization: OrganizationName | null,
    { network }: Visitor,
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
