import type { Session, SessionTokenAnswer } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import { recordAudit } from '../../db/audit.ts';
import { issueOneTimeToken } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { Caller } from '../tokens/policy.ts';
import type { TokenService } from '../tokens/service.ts';
import type { OrganizationName } from '../users/present.ts';
import { presentSession } from './present.ts';
import type { AccountRecord, AccountRepository } from './repository.ts';
import type { Visitor } from './visitor.ts';

/** How long a session may take to reach the other page. */
const HAND_OVER_LIFETIME_MS = 60_000;

/** Where an account signed in is remembered to the day. */
const SEEN_PRECISION_MS = 24 * 60 * 60 * 1000;

export interface Opening {
  readonly account: AccountRecord;
  /** The organization that the session is restricted to. */
  readonly organization: OrganizationName | null;
  readonly visitor: Visitor;
  /** What the account signed in with. */
  readonly means: 'password' | 'pending_token' | 'session_token' | 'confirmation' | 'reset' | 'invitation';
}

/** The tokens that an account looks after. */
export interface OwnTokens {
  /** @throws NotFound when it is no live one of the account */
  revoke(caller: Caller, kind: 'session', id: number): Promise<void>;
}

export interface SessionParts {
  readonly db: Database;
  readonly accounts: AccountRepository;
  readonly tokens: TokenService;
  readonly ownTokens: OwnTokens;
  readonly clock: Clock;
}

/** Sessions: opened by every way in, handed over to other pages, ended. */
export class Sessions {
  readonly #db: Database;
  readonly #accounts: AccountRepository;
  readonly #tokens: TokenService;
  readonly #ownTokens: OwnTokens;
  readonly #clock: Clock;

  constructor({ db, accounts, tokens, ownTokens, clock }: SessionParts) {
    this.#db = db;
    this.#accounts = accounts;
    this.#tokens = tokens;
    this.#ownTokens = ownTokens;
    this.#clock = clock;
  }

  /** Opens a session in the transaction that has made sure of the account. */
  async open(tx: Database, { account, organization, visitor, means }: Opening): Promise<Session> {
    const nowMs = this.#clock.now();
    const organizationId = organization?.id ?? null;
    const { token, expiresAtMs } = await this.#tokens.openSession(account.id, organizationId, tx);
    await recordAudit(tx, accountItself(account.id, visitor), new Date(nowMs), {
      action: 'account.signed_in',
      userId: account.id,
      organizationId,
      details: { means },
    });
    if (visitor.network !== null && nowMs - (account.seenHereAt?.getTime() ?? 0) > SEEN_PRECISION_MS) {
      await this.#accounts.rememberAddress(tx, account.id, visitor.network, new Date(nowMs));
    }
    return presentSession(token, expiresAtMs, account, organization);
  }

  /** Makes a token that opens a session like the caller's elsewhere. */
  async handOver({ userId, organizationId }: Caller): Promise<SessionTokenAnswer> {
    const life = { nowMs: this.#clock.now(), lifetimeMs: HAND_OVER_LIFETIME_MS };
    const token = await issueOneTimeToken(this.#db, 'session', { userId, organizationId }, life);
    return { session_token: token };
  }

  /** Ends the session that the caller is using. */
  end(caller: Caller): Promise<void> {
    return this.#ownTokens.revoke(caller, 'session', caller.tokenId);
  }
}

/** An account that does something before it has a token. */
export function accountItself(userId: number, { address }: Visitor) {
  return { userId, tokenId: null, via: 'api', address } as const;
}
