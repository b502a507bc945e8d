import type { Session, SessionTokenAnswer } from '@heliograph/contracts';
import { type Clock, Unauthorized } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { SecondFactorRequired } from '../../common/errors.ts';
import { issueOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { SecondFactorProof } from '../../db/second-factor-tables.ts';
import type { MailService } from '../mail/service.ts';
import type { TokenService } from '../tokens/service.ts';
import type { OrganizationName } from '../users/present.ts';
import type { PendingSignIns } from './pending-sign-ins.ts';
import { presentSession } from './present.ts';
import type { AccountRecord } from './repository.ts';
import { type SignInMeans, storeSession } from './store-session.ts';
import { isUnknownNetwork, mayBeUnknown } from './unknown-network.ts';

/** How long a session may take to reach the other page. */
const HANDOVER_LIFETIME_MS = 60_000;

/** Where an account signed in is remembered to the day. */
const SEEN_PRECISION_MS = 24 * 60 * 60 * 1000;

/** Whoever signs in by a link in a mail has that mailbox; what a link changed is mailed about anyway. */
const BY_MAIL: readonly SignInMeans[] = ['confirmation', 'reset', 'invitation'];

export interface SessionOpening {
  /** As it was read before: an account that got a second factor since is refused. */
  readonly account: AccountRecord;
  /** The organization that the session is restricted to. */
  readonly organization: OrganizationName | null;
  readonly client: ClientAddress;
  /** What the account signed in with. */
  readonly means: SignInMeans;
  /** What its second factor was shown with; null as long as it was not. */
  readonly factor: SecondFactorProof | null;
  /** When the person proved who they are; left out, it is now. */
  readonly authenticatedAt?: Date | null;
  /** When the session expires; in 30 days when it is left out or null. */
  readonly expiresAt?: Date | null;
}

/** A session, or what has to come before it. */
export type SignInOutcome = Session | SecondFactorRequired;

/** The tokens that an account looks after. */
export interface OwnTokens {
  /** @throws NotFound when it is no live one of the account */
  revoke(caller: Caller, kind: 'session', id: number): Promise<void>;
}

export interface SessionsOptions {
  readonly db: Database;
  readonly tokens: TokenService;
  readonly ownTokens: OwnTokens;
  readonly mail: MailService;
  readonly pendingSignIns: PendingSignIns;
  readonly clock: Clock;
}

/** Sessions: opened by every way in, handed over to other pages, ended. */
export class Sessions {
  readonly #db: Database;
  readonly #tokens: TokenService;
  readonly #ownTokens: OwnTokens;
  readonly #mail: MailService;
  readonly #pendingSignIns: PendingSignIns;
  readonly #clock: Clock;

  constructor({ db, tokens, ownTokens, mail, pendingSignIns, clock }: SessionsOptions) {
    this.#db = db;
    this.#tokens = tokens;
    this.#ownTokens = ownTokens;
    this.#mail = mail;
    this.#pendingSignIns = pendingSignIns;
    this.#clock = clock;
  }

  /**
   * Does what leads into an account as one transaction.
   *
   * @throws SecondFactorRequired after what was done is committed: a password is set, and the second factor asked for
   */
  async openInTransaction(work: (tx: Database) => Promise<SignInOutcome>): Promise<Session> {
    const admission = await this.#db.transaction().execute(work);
    if (admission instanceof SecondFactorRequired) throw admission;
    return admission;
  }

  /** Opens a session in the transaction that has made sure of the account, or says what else it takes. */
  async open(tx: Database, opening: SessionOpening): Promise<SignInOutcome> {
    const { account, organization, client, factor } = opening;
    if (factor === null && (account.hasSecondFactor || account.isSecondFactorRequired))
      return this.#pendingSignIns.start(tx, account, organization, client);
    const isUnknown = await this.#isFromUnknownNetwork(tx, opening);
    const session = await this.#open(tx, opening, null);
    if (session === undefined) throw new Unauthorized('The account has changed meanwhile: sign in again');
    if (isUnknown) await this.#mailUnknownNetwork(tx, opening);
    return session;
  }

  /**
   * Opens a session for somebody who knew the password.
   *
   * @param passwordHash what the password was compared with
   * @returns undefined when the account has another one by now, or a second factor that was not shown
   */
  async openWithPassword(opening: SessionOpening, passwordHash: string): Promise<Session | undefined> {
    if (!(await this.#isFromUnknownNetwork(this.#db, opening))) {
      return this.#open(this.#db, opening, passwordHash);
    }
    return this.#db.transaction().execute(async (tx) => {
      const session = await this.#open(tx, opening, passwordHash);
      if (session !== undefined) await this.#mailUnknownNetwork(tx, opening);
      return session;
    });
  }

  async #isFromUnknownNetwork(db: Database, { account, client, means }: SessionOpening): Promise<boolean> {
    const at = new Date(this.#clock.now());
    if (
      client.network === null ||
      BY_MAIL.includes(means) ||
      !mayBeUnknown(account.lastSeenFromNetworkAt, at)
    )
      return false;
    return isUnknownNetwork(db, account.id, client.network, at);
  }

  #mailUnknownNetwork(tx: Database, { account, organization, client }: SessionOpening): Promise<void> {
    return this.#mail.enqueue(tx, {
      kind: 'unknownNetwork',
      userId: account.id,
      organizationId: organization?.id ?? account.organizationId,
      at: new Date(this.#clock.now()).toISOString(),
      address: client.address,
    });
  }

  async #open(
    db: Database,
    opening: SessionOpening,
    passwordHash: string | null,
  ): Promise<Session | undefined> {
    const { account, organization, client, means, factor } = opening;
    const session = this.#tokens.newSession();
    const { authenticatedAt = session.createdAt } = opening;
    const expiresAt = opening.expiresAt ?? session.expiresAt;
    const seenAgoMs = session.createdAt.getTime() - (account.lastSeenFromNetworkAt?.getTime() ?? 0);
    const stored = await storeSession(db, {
      ...session,
      expiresAt,
      userId: account.id,
      passwordHash,
      organizationId: organization?.id ?? null,
      address: client.address,
      means,
      factor,
      authenticatedAt,
      remember: seenAgoMs > SEEN_PRECISION_MS ? client.network : null,
    });
    return stored ? presentSession(session.token, expiresAt.getTime(), account, organization) : undefined;
  }

  /** Makes a token that opens a session like the caller's elsewhere. @throws Unauthorized */
  handOver(caller: Caller): Promise<SessionTokenAnswer> {
    const { userId, organizationId, authenticatedAt, expiresAt } = caller;
    const life = { nowMs: this.#clock.now(), lifetimeMs: HANDOVER_LIFETIME_MS };
    return this.#db.transaction().execute(async (tx) => {
      await this.#tokens.lock(tx, caller);
      const handedOver = { userId, organizationId, authenticatedAt, sessionExpiresAt: expiresAt };
      const token = await issueOneTimeToken(tx, 'session', handedOver, life);
      return { session_token: token };
    });
  }

  /** Ends the session that the caller is using. */
  end(caller: Caller): Promise<void> {
    return this.#ownTokens.revoke(caller, 'session', caller.tokenId);
  }
}
