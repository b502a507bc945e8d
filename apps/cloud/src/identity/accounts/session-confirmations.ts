import type { ConfirmedSession, ConfirmSessionBody, SessionConfirmation } from '@heliograph/contracts';
import { type Clock, Unauthorized, ValidationError } from '@heliograph/kit';
import { actorOf, type Caller } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { recordAudit } from '../../db/audit.ts';
import type { RelyingParty, SecondFactorService } from '../second-factor/service.ts';
import { markAuthenticated } from '../tokens/session-tokens.ts';
import type { OwnPasswords } from './own-passwords.ts';
import type { AccountRecord, AccountRepository } from './repository.ts';
import type { SignInFailures } from './sign-in-failures.ts';

export interface SessionConfirmationOptions {
  readonly accounts: AccountRepository;
  readonly failures: SignInFailures;
  readonly ownPasswords: OwnPasswords;
  readonly secondFactors: SecondFactorService;
  readonly clock: Clock;
}

/**
 * Authenticates the user of a session again, for operations that require a fresh sign-in. With a second factor the
 * password is not enough: a thief with an open browser and the password could remove the factor.
 */
export class SessionConfirmations {
  readonly #options: SessionConfirmationOptions;

  constructor(options: SessionConfirmationOptions) {
    this.#options = options;
  }

  /** The accepted methods. @throws Unauthorized */
  async describe(caller: Caller, party: RelyingParty): Promise<SessionConfirmation> {
    const { verifier } = this.#options.secondFactors;
    const { id, hasSecondFactor } = await this.#account(caller);
    if (!hasSecondFactor) return { methods: ['password'], passkey: null, passkey_hosts: [] };
    return {
      methods: await verifier.methodsOf(id),
      passkey: await verifier.passkeyOptions(id, party),
      passkey_hosts: await verifier.passkeyHosts(id),
    };
  }

  /** @throws ValidationError for a wrong or insufficient proof; Unauthorized; TooManyRequests */
  async confirm(caller: Caller, body: ConfirmSessionBody): Promise<ConfirmedSession> {
    const { accounts, clock } = this.#options;
    const account = await this.#account(caller);
    const means = account.hasSecondFactor
      ? await this.#withSecondFactor(caller, body)
      : await this.#withPassword(account, caller, body.password ?? '');
    return accounts.transaction(async (tx) => {
      const at = await markAuthenticated(tx, caller, clock);
      const event = { action: 'session.confirmed', userId: caller.userId, details: { means } } as const;
      await recordAudit(tx, actorOf(caller), at, event);
      return { authenticated_at: at.toISOString() };
    });
  }

  async #withSecondFactor(caller: Caller, { otp, passkey }: ConfirmSessionBody) {
    if (otp === undefined && passkey === undefined)
      throw new ValidationError({ password: ['is not enough: show the second factor'] });
    const claimant = { actor: actorOf(caller), network: caller.network };
    try {
      const { failures, secondFactors } = this.#options;
      const verified = secondFactors.verifier.verify(caller.userId, { otp, passkey }, claimant);
      return await failures.recordLockout({ userId: caller.userId, client: caller }, verified);
    } catch (error) {
      // 401 would mean that the session has ended.
      if (!(error instanceof Unauthorized)) throw error;
      throw new ValidationError(
        passkey ? { passkey: ['was refused'] } : { otp: ['is wrong or was used before'] },
      );
    }
  }

  async #withPassword(account: AccountRecord, client: ClientAddress, password: string) {
    await this.#options.ownPasswords.verify(account, client, password);
    return 'password';
  }

  async #account({ userId, organizationId, network }: Caller): Promise<AccountRecord> {
    const account = await this.#options.accounts.byId(userId, { organizationId, network });
    if (account === undefined) throw new Unauthorized('The token is invalid or has expired');
    return account;
  }
}
