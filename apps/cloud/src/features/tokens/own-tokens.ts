import {
  API_TOKEN_SCOPES,
  type ApiToken,
  type CreateApiTokenBody,
  type CreatedApiToken,
  MAX_ID,
  type OrganizationChoice,
  type Scope,
  type SessionSummary,
} from '@heliograph/contracts';
import { type Clock, NotFound, Unauthorized, Unprocessable, ValidationError } from '@heliograph/kit';
import type { Caller } from '../../access/caller.ts';
import type { RateLimits } from '../../limits/rate-limits.ts';
import { newToken, tokenHash } from '../../secrets/opaque-token.ts';
import type { OrganizationName } from '../users/present.ts';
import { API_TOKENS_MADE } from './limits.ts';
import { type OwnTokenKind, type OwnTokenRepository, TooManyTokens } from './own-tokens-repository.ts';
import { presentApiToken, presentSessionSummary } from './present.ts';
import type { NewToken } from './repository.ts';

/** Live API tokens that an account may have. */
const MAX_API_TOKENS = 100;

const MAX_NAME_LENGTH = 100;

/** What a user sees and changes of the tokens of their own account; only in a session. */
export class OwnTokenService {
  readonly #tokens: OwnTokenRepository;
  readonly #limits: RateLimits;
  readonly #clock: Clock;

  constructor(tokens: OwnTokenRepository, limits: RateLimits, clock: Clock) {
    this.#tokens = tokens;
    this.#limits = limits;
    this.#clock = clock;
  }

  async listApiTokens(caller: Caller): Promise<ApiToken[]> {
    const tokens = await this.#tokens.list(caller, 'api', this.#now());
    return tokens.map(presentApiToken);
  }

  async listSessions(caller: Caller): Promise<SessionSummary[]> {
    const sessions = await this.#tokens.list(caller, 'session', this.#now());
    return sessions.map((session) => presentSessionSummary(session, caller.tokenId));
  }

  /**
   * Makes an API token. In a session of an organization it is a token of that organization.
   *
   * @throws ValidationError for fields, Unprocessable when the account has too many, Unauthorized when the session
   * has ended meanwhile, TooManyRequests
   */
  async createApiToken(caller: Caller, body: CreateApiTokenBody): Promise<CreatedApiToken> {
    const createdAt = this.#now();
    const fields = readFields(body, createdAt);
    const organization = await this.#organization(caller, body.organization_id);
    if (caller.kind !== 'console') await this.#limits.consume(API_TOKENS_MADE, String(caller.userId));
    const token = newToken('api');
    const organizationId = organization?.id ?? null;
    const id = await this.#create(caller, {
      ...fields,
      kind: 'api',
      hash: tokenHash(token),
      userId: caller.userId,
      organizationId,
      createdAt,
    });
    const organizationName = organization?.name ?? null;
    const unused = { lastUsedAt: null, lastUsedAddress: null };
    const record = { ...fields, id, organizationId, organizationName, createdAt, ...unused };
    return { ...presentApiToken(record), token };
  }

  /** @throws NotFound unless it is one of the account that was not revoked */
  async revoke(caller: Caller, kind: OwnTokenKind, id: number): Promise<void> {
    if (!(await this.#tokens.revoke(caller, kind, id, this.#clock))) throw new NotFound();
  }

  /** Whose an API token is that was not revoked, for operators. @returns undefined when there is none */
  ownerOf(id: number): Promise<number | undefined> {
    return this.#tokens.ownerOf(id);
  }

  async #create(caller: Caller, token: NewToken): Promise<number> {
    try {
      const id = await this.#tokens.create(caller, token, MAX_API_TOKENS);
      if (id === undefined) throw new Unauthorized('The token is invalid or has expired');
      return id;
    } catch (error) {
      if (!(error instanceof TooManyTokens)) throw error;
      throw new Unprocessable(`An account can have ${MAX_API_TOKENS} API tokens: revoke one first`, error);
    }
  }

  async #organization(
    caller: Caller,
    choice: OrganizationChoice | undefined,
  ): Promise<OrganizationName | null> {
    const wanted = choice ?? caller.organizationId ?? 'none';
    if (wanted === 'none' && caller.organizationId === null) return null;
    if (wanted === 'none') throw new ValidationError({ organization_id: ["can't be blank"] });
    const outside = caller.organizationId !== null && wanted !== caller.organizationId;
    const known = !outside && wanted >= 1 && wanted <= MAX_ID;
    const name = known ? await this.#tokens.organizationFor(caller.userId, wanted) : undefined;
    if (name === undefined) throw new ValidationError({ organization_id: ['does not exist'] });
    return { id: wanted, name };
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

interface Fields {
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: Date | null;
}

/** @throws ValidationError that names every field at fault */
function readFields(body: CreateApiTokenBody, now: Date): Fields {
  const name = body.name.trim();
  const scopes = API_TOKEN_SCOPES.filter((scope) => body.scopes.includes(scope));
  const expiresAt = body.expires_at == null ? null : new Date(body.expires_at);
  const errors = {
    ...(name === '' && { name: ["can't be blank"] }),
    ...(name.length > MAX_NAME_LENGTH && { name: [`can't be longer than ${MAX_NAME_LENGTH} characters`] }),
    ...(scopes.length < new Set(body.scopes).size && { scopes: ['is invalid'] }),
    ...(body.scopes.length === 0 && { scopes: ["can't be blank"] }),
    ...(expiresAt !== null && !(expiresAt > now) && { expires_at: ['must be in the future'] }),
  };
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  return { name, scopes, expiresAt };
}
