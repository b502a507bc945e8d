import { type Scope, SESSION_SCOPES } from '@heliograph/contracts';
import { type Clock, Unauthorized } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { type Caller, type Resource, requireFreshSignIn, requireResource } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import type { Database } from '../../db/open.ts';
import { revokeTokens } from '../../db/revoke-tokens.ts';
import { newToken, tokenHash } from '../../secrets/opaque-token.ts';
import type { LastUsed } from './last-used.ts';
import { lockToken, type TokenRepository } from './repository.ts';

const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Longer than an answer is on its way. */
const JUST_REVOKED_MS = 60_000;

export interface NewSession {
  readonly token: string;
  /** What is stored of the token. */
  readonly hash: Buffer;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
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

  /** @throws Unauthorized unless the token exists, is for this resource, has not expired and was not revoked */
  async authenticate(token: string, client: ClientAddress, resource: Resource = 'api'): Promise<Caller> {
    const record = await this.#tokens.live(tokenHash(token), new Date(this.#clock.now()));
    if (record === undefined) throw new Unauthorized('The token is invalid or has expired');
    requireResource(resource, record.kind);
    this.#lastUsed.record({ id: record.id, address: client.address }, record.lastUsedAt);
    return {
      userId: record.userId,
      staff: record.staff,
      kind: record.kind,
      tokenId: record.id,
      scopes: new Set(record.scopes),
      organizationId: record.organizationId,
      siteId: record.siteId,
      applicationOrganizationId: record.applicationOrganizationId,
      grantId: record.grantId,
      expiresAt: record.expiresAt,
      authenticatedAt: record.authenticatedAt,
      ...client,
    };
  }

  /** The caller of a session; undefined for what is none, and for one that has ended. */
  async session(token: string, client: ClientAddress): Promise<Caller | undefined> {
    try {
      const caller = await this.authenticate(token, client);
      return caller.kind === 'session' ? caller : undefined;
    } catch (error) {
      if (error instanceof Unauthorized) return undefined;
      throw error;
    }
  }

  /** @throws FreshSignInRequired when the person of a session has not proved who they are for too long */
  requireFresh(caller: Caller): void {
    requireFreshSignIn(caller, this.#clock.now());
  }

  /** Notes that the person of a session has just proved who they are. @throws Unauthorized when it has ended */
  async markAuthenticated(caller: Caller, tx: Database): Promise<Date> {
    const at = new Date(this.#clock.now());
    if (!(await this.#tokens.markAuthenticated(tx, caller.tokenId, at)))
      throw new Unauthorized('The token is invalid or has expired');
    return at;
  }

  /** Whether a token is no good, and has not just been revoked. */
  isLongInvalid(token: string): Promise<boolean> {
    const nowMs = this.#clock.now();
    return this.#tokens.isInvalidSince(tokenHash(token), new Date(nowMs - JUST_REVOKED_MS), new Date(nowMs));
  }

  /** A session of 30 days, for the one statement that stores it together with what else signing in leaves. */
  newSession(): NewSession {
    const token = newToken('session');
    const nowMs = this.#clock.now();
    return {
      token,
      hash: tokenHash(token),
      scopes: SESSION_SCOPES,
      createdAt: new Date(nowMs),
      expiresAt: new Date(nowMs + SESSION_LIFETIME_MS),
    };
  }

  /**
   * Keeps the caller's token from being revoked until the transaction ends. Whoever makes another way in comes
   * through here: then signing out and a changed password leave none behind that was being made meanwhile.
   *
   * @throws Unauthorized when it was revoked or has expired
   */
  async lock(tx: Database, { tokenId }: Caller): Promise<void> {
    const isHeld = await lockToken(tx, tokenId, new Date(this.#clock.now()));
    if (!isHeld) throw new Unauthorized('The token is invalid or has expired');
  }

  /** Ends every session of an account, as after a changed password. */
  async revokeSessions(userId: number, tx: Database): Promise<void> {
    await revokeTokens(tx, sql<SqlBool>`user_id = ${userId} and kind = 'session'`, this.#clock);
  }
}
