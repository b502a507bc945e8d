import type { PendingSignIn, ShowSecondFactorBody } from '@heliograph/contracts';
import { type Clock, Unauthorized } from '@heliograph/kit';
import { actorOfAccount, type Enrollee } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { SecondFactorRequired } from '../../common/errors.ts';
import { issueOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import { tokenHash } from '../../secrets/opaque-token.ts';
import type { RelyingParty, SecondFactorService } from '../second-factor/service.ts';
import type { OrganizationName } from '../users/present.ts';
import type { AccountRecord, AccountRepository, PendingSignInRecord } from './repository.ts';
import type { SignInFailures } from './sign-in-failures.ts';

/** How long a person may take to show the second factor. */
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
 * Sign-ins with the right password that wait for a second factor. It is shown here or on a page; whoever has the token
 * then gets the session.
 */
export class PendingSignIns {
  readonly #options: PendingSignInOptions;

  constructor(options: PendingSignInOptions) {
    this.#options = options;
  }

  /** @returns what the caller throws once the transaction is committed, without which the token is none */
  async start(
    tx: Database,
    account: PendingAccount,
    organization: OrganizationName | null,
    { address }: ClientAddress,
  ): Promise<SecondFactorRequired> {
    const organizationId = organization?.id ?? null;
    const life = { nowMs: this.#options.clock.now(), lifetimeMs: PENDING_LIFETIME_MS };
    const about = { userId: account.id, organizationId, address };
    const token = await issueOneTimeToken(tx, 'second_factor', about, life);
    return this.#required(token, account, organizationId, tx);
  }

  /** What a caller is answered who asks with the token too early. */
  secondFactorRequired(
    token: string,
    account: PendingAccount,
    organizationId: number | null,
  ): Promise<SecondFactorRequired> {
    return this.#required(token, account, organizationId);
  }

  /** What a page tells the person who is to finish it. @throws Unauthorized */
  async describe(pendingToken: string, party: RelyingParty): Promise<PendingSignIn> {
    const { verifier } = this.#options.secondFactors;
    const { userId, email, hasSecondFactor, createdAt, address } = await this.#pending(pendingToken);
    return {
      email,
      requested_at: createdAt.toISOString(),
      address,
      methods: hasSecondFactor ? await verifier.methodsOf(userId) : [],
      passkey: hasSecondFactor ? await verifier.passkeyOptions(userId, party) : null,
    };
  }

  /** Shows the second factor, after which the token signs in. @throws Unauthorized; TooManyRequests */
  async verifySecondFactor(
    { pending_token: token, ...shown }: ShowSecondFactorBody,
    client: ClientAddress,
  ): Promise<void> {
    const { accounts, failures, secondFactors, clock } = this.#options;
    const { userId } = await this.#pending(token);
    const claimant = { actor: actorOfAccount(userId, client), network: client.network };
    const verified = secondFactors.verifier.verify(userId, shown, claimant);
    const factor = await failures.recordLockout({ userId, client }, verified);
    const now = new Date(clock.now());
    if (!(await accounts.finishPendingSignIn(tokenHash(token), factor, now))) throw invalidToken();
  }

  /** @returns undefined for what is no token of a sign-in that waits, or was finished */
  find(token: string): Promise<PendingSignInRecord | undefined> {
    return this.#options.accounts.pendingSignIn(tokenHash(token), new Date(this.#options.clock.now()));
  }

  /** Who sets up a first second factor by leave of a sign-in that waits for it. @throws Unauthorized */
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

/** Unknown, expired and finished ones are one: whoever guesses learns nothing. */
function invalidToken(): Unauthorized {
  return new Unauthorized('The token is invalid or has expired');
}
