import { SESSION_SCOPES } from '@heliograph/contracts';
import { type Clock, Unauthorized } from '@heliograph/kit';
import type { Database } from '../../db/open.ts';
import { newToken, tokenHash } from '../../secrets/opaque-token.ts';
import type { LastUsed } from './last-used.ts';
import type { Caller } from './policy.ts';
import type { TokenRepository } from './repository.ts';

const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

export interface OpenedSession {
  readonly token: string;
  readonly expiresAtMs: number;
}

/** Bearer tokens: what they stand for, and sessions. */
export class TokenService {
  readonly #tokens: TokenRepository;
  readonly #lastUsed: LastUsed;
  readonly #clock: Clock;

  constructor(tokens: TokenRepository, lastUsed: LastUsed, clock: Clock) {
    this.#tokens = tokens;
    this.#lastUsed = lastUsed;
    this.#clock = clock;
  }

  /**
   * @param address where the request came from
   * @throws Unauthorized unless the token exists, has not expired and was not revoked
   */
  async authenticate(token: string, address: string): Promise<Caller> {
    const record = await this.#tokens.live(tokenHash(token), new Date(this.#clock.now()));
    if (record === undefined) throw new Unauthorized('The token is invalid or has expired');
    this.#lastUsed.note(record.id, record.lastUsedAt);
    return {
      userId: record.userId,
      staff: record.staff,
      kind: record.kind,
      tokenId: record.id,
      scopes: new Set(record.scopes),
      organizationId: record.organizationId,
      siteId: record.siteId,
      applicationOrganizationId: record.applicationOrganizationId,
      address,
    };
  }

  /**
   * Opens a session of 30 days.
   *
   * @param db the transaction that decided to open it, if there is one
   */
  async openSession(userId: number, organizationId: number | null, db?: Database): Promise<OpenedSession> {
    const token = newToken('session');
    const nowMs = this.#clock.now();
    const expiresAtMs = nowMs + SESSION_LIFETIME_MS;
    const session = {
      kind: 'session',
      name: null,
      hash: tokenHash(token),
      userId,
      scopes: SESSION_SCOPES,
      organizationId,
      createdAt: new Date(nowMs),
      expiresAt: new Date(expiresAtMs),
    } as const;
    await this.#tokens.add(session, db);
    return { token, expiresAtMs };
  }

  /** Ends every session of an account, as after a changed password. */
  revokeSessions(userId: number, db?: Database): Promise<void> {
    return this.#tokens.revokeSessions(userId, new Date(this.#clock.now()), db);
  }
}
