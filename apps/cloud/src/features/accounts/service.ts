import type { Clock, Logger } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import type { BotCheckService } from '../bot-check/service.ts';
import type { MailService } from '../mail/service.ts';
import type { SecondFactorService } from '../second-factor/service.ts';
import type { TokenService } from '../tokens/service.ts';
import { Confirmations } from './confirmations.ts';
import { GuessLimits } from './guesses.ts';
import { PasswordLinks, type TeamInvitationAcceptance } from './password-links.ts';
import { PendingSignIns } from './pending-sign-ins.ts';
import { Registration } from './registration.ts';
import { AccountRepository } from './repository.ts';
import { SessionConfirmations } from './session-confirmations.ts';
import { type OwnTokens, Sessions } from './sessions.ts';
import { SignIn } from './sign-in.ts';
import { SignInFailures } from './sign-in-failures.ts';

export interface AccountServiceOptions {
  readonly db: Database;
  readonly tokens: TokenService;
  readonly ownTokens: OwnTokens;
  readonly teamInvitations: TeamInvitationAcceptance;
  readonly mail: MailService;
  readonly limits: RateLimits;
  readonly botCheck: BotCheckService;
  readonly secondFactors: SecondFactorService;
  /** The cloud's public URL. */
  readonly cloudUrl: () => string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Whether confirming an address may leave the organization out. */
  readonly confirmWithoutOrganization: boolean;
}

/** Accounts: how they come to be, and the ways into them. */
export class AccountService {
  readonly signIn: SignIn;
  readonly registration: Registration;
  readonly confirmations: Confirmations;
  readonly passwordLinks: PasswordLinks;
  readonly sessions: Sessions;
  readonly pendingSignIns: PendingSignIns;
  readonly sessionConfirmations: SessionConfirmations;
  /** Whether confirming an address may leave the organization out. */
  readonly confirmsWithoutOrganization: boolean;
  readonly #accounts: AccountRepository;
  readonly #failures: SignInFailures;

  constructor({ confirmWithoutOrganization, ...shared }: AccountServiceOptions) {
    const accounts = new AccountRepository(shared.db);
    const failures = new SignInFailures(shared.db, shared.clock, shared.logger);
    const pendingSignIns = new PendingSignIns({ ...shared, accounts, failures });
    const sessions = new Sessions({ ...shared, pendingSignIns });
    const guesses = new GuessLimits(shared.limits);
    const parts = { ...shared, accounts, sessions, guesses, failures, pendingSignIns };
    const confirmations = new Confirmations({ ...parts, withoutOrganization: confirmWithoutOrganization });
    this.#accounts = accounts;
    this.#failures = failures;
    this.sessions = sessions;
    this.pendingSignIns = pendingSignIns;
    this.sessionConfirmations = new SessionConfirmations(parts);
    this.confirmations = confirmations;
    this.signIn = new SignIn({ ...parts, confirmations });
    this.registration = new Registration({ ...parts, confirmations });
    this.passwordLinks = new PasswordLinks(parts);
    this.confirmsWithoutOrganization = confirmWithoutOrganization;
  }

  /** Waits until the failed sign-ins so far are recorded. */
  stop(): Promise<void> {
    return this.#failures.settle();
  }

  /** Where a user's new sites belong: the organization of the token, else the user's own. */
  async organizationForNewSites({ userId, organizationId }: Caller): Promise<number | null> {
    return organizationId ?? (await this.#accounts.homeOrganizationOf(userId));
  }
}
