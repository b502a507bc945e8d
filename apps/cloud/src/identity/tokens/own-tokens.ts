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
import { actorOf, type Caller } from '../../access/caller.ts';
import type { RateLimits, RateRule } from '../../common/limits/rate-limits.ts';
import { newToken, tokenHash } from '../../common/secrets/opaque-token.ts';
import { recordAudit } from '../../db/audit.ts';
import { suspendLapsed } from '../../db/delegations.ts';
import { spendTokensOf } from '../../db/one-time-tokens.ts';
import type { Database } from '../../db/open.ts';
import type { MailService } from '../../delivery/mail/service.ts';
import type { OrganizationName } from '../users/present.ts';
import type { OwnTokenKind, OwnTokenRepository } from './own-tokens-repository.ts';
import { presentApiToken, presentSessionSummary } from './present.ts';
import { addToken, lockToken, type NewToken } from './repository.ts';

/** API tokens that an account creates: each is mailed. */
export const API_TOKENS_MADE: RateRule = { name: 'api-tokens-made', points: 120, durationS: 60 * 60 };

const MAX_API_TOKENS = 100;

const MAX_NAME_LENGTH = 100;

export interface OwnTokenOptions {
  readonly db: Database;
  readonly tokens: OwnTokenRepository;
  readonly mail: MailService;
  readonly limits: RateLimits;
  readonly clock: Clock;
}

/** Lists, creates and revokes tokens of the caller's own account; in a session only. */
export class OwnTokenService {
  readonly #options: OwnTokenOptions;

  constructor(options: OwnTokenOptions) {
    this.#options = options;
  }

  async listApiTokens(caller: Caller): Promise<ApiToken[]> {
    const tokens = await this.#options.tokens.list(caller, 'api', this.#now());
    return tokens.map(presentApiToken);
  }

  async listSessions(caller: Caller): Promise<SessionSummary[]> {
    const sessions = await this.#options.tokens.list(caller, 'session', this.#now());
    return sessions.map((session) => presentSessionSummary(session, caller.tokenId));
  }

  /**
   * Creates an API token. In a session of an organization it is a token of that organization.
   *
   * @throws ValidationError for fields, Unprocessable when the account has too many, Unauthorized when the session
   * has ended meanwhile, TooManyRequests
   */
  async createApiToken(caller: Caller, body: CreateApiTokenBody): Promise<CreatedApiToken> {
    const createdAt = this.#now();
    const fields = readFields(body, createdAt);
    const organization = await this.#organization(caller, body.organization_id);
    if (caller.kind !== 'console') await this.#options.limits.consume(API_TOKENS_MADE, String(caller.userId));
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

  /** Errors of the fields of a new API token that are given. */
  fieldErrors(fields: Partial<CreateApiTokenBody>): Record<string, readonly string[]> {
    return apiTokenErrors(fields, this.#now());
  }

  /**
   * Suspends delegations that an API token made; those of a session go on, as a person made them.
   *
   * @param mails whether those who decide about it are mailed
   * @throws NotFound unless it is one of the account that was not revoked
   */
  async revoke(caller: Caller, kind: OwnTokenKind, id: number, mails = true): Promise<void> {
    const { db, tokens, clock } = this.#options;
    await db.transaction().execute(async (tx) => {
      const at = this.#now();
      const revoked = await tokens.revoke(tx, caller, kind, id, clock);
      if (revoked === undefined) throw new NotFound();
      // Otherwise a handover of the session could open another one after its end.
      if (kind === 'session') await spendTokensOf(tx, caller.userId, ['session'], at.getTime());
      if (kind === 'api') await suspendLapsed(tx, [caller.userId], { clock, mails });
      await recordAudit(tx, actorOf(caller), at, {
        action: 'token.revoked',
        userId: caller.userId,
        organizationId: revoked.organizationId,
        details: { id, kind, name: revoked.name },
      });
    });
  }

  /** The owner of an API token that is not revoked, for operators. */
  ownerOf(id: number): Promise<number | undefined> {
    return this.#options.tokens.ownerOf(id);
  }

  #create(caller: Caller, token: NewToken): Promise<number> {
    const { db, tokens, mail } = this.#options;
    const { createdAt, kind, name, organizationId, scopes } = token;
    const { userId } = caller;
    return db.transaction().execute(async (tx) => {
      await tokens.lockOwner(tx, userId);
      const isAuthorized = caller.kind === 'console' || (await lockToken(tx, caller.tokenId, createdAt));
      if (!isAuthorized) throw new Unauthorized('The token is invalid or has expired');
      if ((await tokens.countApiTokens(tx, userId, createdAt)) >= MAX_API_TOKENS)
        throw new Unprocessable(`An account can have ${MAX_API_TOKENS} API tokens: revoke one first`);
      const id = await addToken(tx, token);
      const details = { id, kind, name, scopes };
      const event = { action: 'token.created', userId, organizationId, details } as const;
      await recordAudit(tx, actorOf(caller), createdAt, event);
      await mail.enqueue(tx, {
        kind: 'tokenCreated',
        userId,
        organizationId,
        at: createdAt.toISOString(),
        address: caller.address,
        name: name ?? '',
        scopes,
      });
      return id;
    });
  }

  async #organization(
    caller: Caller,
    choice: OrganizationChoice | undefined,
  ): Promise<OrganizationName | null> {
    const requested = choice ?? caller.organizationId ?? 'none';
    if (requested === 'none' && caller.organizationId === null) return null;
    if (requested === 'none') throw new ValidationError({ organization_id: ["can't be blank"] });
    const isOutside = caller.organizationId !== null && requested !== caller.organizationId;
    const isValid = !isOutside && requested >= 1 && requested <= MAX_ID;
    const name = isValid ? await this.#options.tokens.organizationFor(caller.userId, requested) : undefined;
    if (name === undefined) throw new ValidationError({ organization_id: ['does not exist'] });
    return { id: requested, name };
  }

  #now(): Date {
    return new Date(this.#options.clock.now());
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
  const errors = apiTokenErrors(body, now);
  if (Object.keys(errors).length > 0) throw new ValidationError(errors);
  const scopes = API_TOKEN_SCOPES.filter((scope) => body.scopes.includes(scope));
  return { name, scopes, expiresAt: body.expires_at == null ? null : new Date(body.expires_at) };
}

/** Errors of the fields that are given. */
function apiTokenErrors(fields: Partial<CreateApiTokenBody>, now: Date): Record<string, readonly string[]> {
  const { scopes = [], expires_at: expiresAt } = fields;
  const name = fields.name?.trim();
  const isUnknown = (scope: string) => !API_TOKEN_SCOPES.some((known) => known === scope);
  return {
    ...(name === '' && { name: ["can't be blank"] }),
    ...((name?.length ?? 0) > MAX_NAME_LENGTH && {
      name: [`can't be longer than ${MAX_NAME_LENGTH} characters`],
    }),
    ...(scopes.some(isUnknown) && { scopes: [`may be ${API_TOKEN_SCOPES.join(', ')}`] }),
    ...(fields.scopes?.length === 0 && { scopes: ["can't be blank"] }),
    ...(expiresAt != null && !(new Date(expiresAt) > now) && { expires_at: ['must be in the future'] }),
  };
}
