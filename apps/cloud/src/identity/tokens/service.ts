import { type Scope, SESSION_SCOPES } from '@heliograph/contracts';
import { type Clock, Unauthorized } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import { type Caller, type Resource, requireFreshSignIn, requireResource } from '../../access/caller.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { newToken, tokenHash } from '../../common/secrets/opaque-token.ts';
import type { Database } from '../../db/open.ts';
import { revokeTokens } from '../../db/revoke-tokens.ts';
import type { LastUsed } from './last-used.ts';
import { lockToken, type TokenRepository } from './repository.ts';

const SESSION_LIFETIME_MS = 30 * 24 * 60 * 60 * 1000;

/** Longer than an answer travels. */
const JUST_REVOKED_MS = 60_000;

export interface NewSession {
  readonly token: string;
  /** Digest of the token, for the database. */
  readonly hash: Buffer;
  readonly scopes: readonly Scope[];
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** Authenticates bearer tokens; makes and ends sessions. */
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
      locale: record.locale,
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

  /** @returns undefined for an ended session and for any other token */
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

  /** Stores a new authentication of a session's user. @throws Unauthorized when the session has ended */
  async markAuthenticated(caller: Caller, tx: Database): Promise<Date> {
    const at = new Date(this.#clock.now());
    if (!(await this.#tokens.markAuthenticated(tx, caller.tokenId, at)))
      throw new Unauthorized('The token is invalid or has expired');
    return at;
  }

  /** True for a token that is invalid and was not revoked within the last minute. */
  isLongInvalid(token: string): Promise<boolean> {
    const nowMs = this.#clock.now();
    return this.#tokens.isInvalidSince(tokenHash(token), new Date(nowMs - JUST_REVOKED_MS), new Date(nowMs));
  }

  /** A session of 30 days, not stored yet: signing in stores it together with its other records. */
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
   * Locks the caller's token against revocation until the transaction ends. Each transaction that derives further access
   * from it takes this lock: so signing out and a password change find access that is being created.
   *
   * @throws Unauthorized when it was revoked or has expired
   */
  async lock(tx: Database, { tokenId }: Caller): Promise<void> {
    const isLive = await lockToken(tx, tokenId, new Date(this.#clock.now()));
    if (!isLive) throw new Unauthorized('The token is invalid or has expired');
  }

  /** Ends every session of an account, as after a changed password. */
  async revokeSessions(userId: number, tx: Database): Promise<void> {
    await revokeTokens(tx, sql<SqlBool>`user_id = ${userId} and kind = 'session'`, this.#clock);
  }
}
