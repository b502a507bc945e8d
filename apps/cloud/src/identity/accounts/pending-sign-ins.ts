import type { PendingSignIn, ShowSecondFactorBody } from '@heliograph/contracts';
import { type Clock, Unauthorized } from '@heliograph/kit';
import { actorOfAccount, type Enrollee } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { SecondFactorRequired } from '../../common/errors.ts';
import { tokenHash } from '../../common/secrets/opaque-token.ts';
import { issueOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { RelyingParty, SecondFactorService } from '../second-factor/service.ts';
import type { OrganizationName } from '../users/present.ts';
import type { AccountRecord, AccountRepository, PendingSignInRecord } from './repository.ts';
import type { SignInFailures } from './sign-in-failures.ts';

const PENDING_LIFETIME_MS = 10 * 60 * 1000;

type PendingAccount = Pick<AccountRecord, 'id' | 'organizationId' | 'hasSecondFactor'>;

export interface PendingSignInOptions {
  readonly accounts: AccountRepository;
  readonly secondFactors: SecondFactorService;
  readonly failures: SignInFailures;
  readonly clock: Clock;
  /** The cloud's public URL. */
  readonly cloudUrl: () => string;
}

/**
 * Sign-ins with the right password that wait for a second factor. The factor is verified here or on a page; the pending
 * token then opens the session.
 */
export class PendingSignIns {
  readonly #options: PendingSignInOptions;

  constructor(options: PendingSignInOptions) {
    this.#options = options;
  }

  /** @returns an error that the caller throws after the commit, which makes its token valid */
  async start(
    tx: Database,
    account: PendingAccount,
    organization: OrganizationName | null,
    { address }: ClientAddress,
  ): Promise<SecondFactorRequired> {
    const organizationId = organization?.id ?? null;
    const lifetime = { nowMs: this.#options.clock.now(), lifetimeMs: PENDING_LIFETIME_MS };
    const about = { userId: account.id, organizationId, address };
    const token = await issueOneTimeToken(tx, 'second_factor', about, lifetime);
    return this.#required(token, account, organizationId, tx);
  }

  /** The error for a client that uses the token before the second factor is verified. */
  secondFactorRequired(
    token: string,
    account: PendingAccount,
    organizationId: number | null,
  ): Promise<SecondFactorRequired> {
    return this.#required(token, account, organizationId);
  }

  /** The sign-in as the page shows it on which it is finished. @throws Unauthorized */
  async describe(pendingToken: string, party: RelyingParty): Promise<PendingSignIn> {
    const { verifier } = this.#options.secondFactors;
    const { userId, email, hasSecondFactor, createdAt, address } = await this.#pending(pendingToken);
    return {
      email,
      requested_at: createdAt.toISOString(),
      address,
      methods: hasSecondFactor ? await verifier.methodsOf(userId) : [],
      passkey: hasSecondFactor ? await verifier.passkeyOptions(userId, party) : null,
      passkey_hosts: hasSecondFactor ? await verifier.passkeyHosts(userId) : [],
    };
  }

  /** Verifies the second factor, after which the token signs in. @throws Unauthorized; TooManyRequests */
  async verifySecondFactor(
    { pending_token: token, ...presented }: ShowSecondFactorBody,
    client: ClientAddress,
  ): Promise<void> {
    const { accounts, failures, secondFactors, clock } = this.#options;
    const { userId } = await this.#pending(token);
    const claimant = { actor: actorOfAccount(userId, client), network: client.network };
    const verified = secondFactors.verifier.verify(userId, presented, claimant);
    const factor = await failures.recordLockout({ userId, client }, verified);
    const now = new Date(clock.now());
    if (!(await accounts.finishPendingSignIn(tokenHash(token), factor, now))) throw invalidToken();
  }

  /** @returns undefined for an unknown or expired token */
  find(token: string): Promise<PendingSignInRecord | undefined> {
    return this.#options.accounts.pendingSignIn(tokenHash(token), new Date(this.#options.clock.now()));
  }

  /** The account that a pending sign-in authorizes to set up a first second factor. @throws Unauthorized */
  async enrollee(token: string, client: ClientAddress): Promise<Enrollee> {
    const { userId, hasSecondFactor } = await this.#pending(token);
    if (hasSecondFactor) throw invalidToken();
    return { userId, actor: actorOfAccount(userId, client), pendingSignIn: tokenHash(token) };
  }

  async #required(
    token: string,
    account: PendingAccount,
    organizationId: number | null,
    db?: Database,
  ): Promise<SecondFactorRequired> {
    const { accounts, secondFactors, cloudUrl } = this.#options;
    const methods = account.hasSecondFactor ? await secondFactors.verifier.methodsOf(account.id, db) : [];
    const brand = organizationId ?? account.organizationId;
    const host = brand === null ? undefined : await accounts.portalHost(brand, db);
    const portal = host === undefined ? cloudUrl() : `https://${host}`;
    return new SecondFactorRequired(token, methods, `${portal}/sign_in#second_factor/${token}`);
  }

  async #pending(token: string): Promise<PendingSignInRecord> {
    const pending = await this.find(token);
    if (pending === undefined || pending.factor !== null) throw invalidToken();
    return pending;
  }
}

/** One error for unknown, expired and finished tokens, so that attempts reveal nothing. */
function invalidToken(): Unauthorized {
  return new Unauthorized('The token is invalid or has expired');
}
