import {
  API_TOKEN_SCOPES,
  type CreateApiTokenBody,
  type CreatedApiToken,
  MAX_ID,
  type OrganizationChoice,
  type Scope,
} from '@heliograph/contracts';
import { Unauthorized, Unprocessable, ValidationError } from '@heliograph/kit';
import { sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { hasOrganizationAccess } from '../../access/organization-access.ts';
import type { RateRule } from '../../common/limits/rate-limits.ts';
import { newToken, tokenHash } from '../../common/secrets/opaque-token.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import type { OrganizationName } from '../users/present.ts';
import { presentApiToken } from './present.ts';
import { addToken, isLive, lockToken, type NewToken } from './records.ts';

/** API tokens that an account creates: each is mailed. */
export const API_TOKENS_MADE: RateRule = { name: 'api-tokens-made', points: 120, durationS: 60 * 60 };

const MAX_API_TOKENS = 100;

const MAX_NAME_LENGTH = 100;

/**
 * Creates an API token. In a session of an organization it is a token of that organization.
 *
 * @throws ValidationError for fields, Unprocessable when the account has too many, Unauthorized when the session
 * has ended meanwhile, TooManyRequests
 */
export async function createToken(
  platform: Platform,
  caller: Caller,
  { body }: InputOf<'createToken'>,
): Promise<CreatedApiToken> {
  const { db, limits, clock } = platform;
  const createdAt = new Date(clock.now());
  const fields = readFields(body, createdAt);
  const organization = await chosenOrganization(db, caller, body.organization_id);
  if (caller.kind !== 'console') await limits.consume(API_TOKENS_MADE, String(caller.userId));
  const token = newToken('api');
  const organizationId = organization?.id ?? null;
  const id = await store(platform, caller, {
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

function store({ db, mail }: Platform, caller: Caller, token: NewToken): Promise<number> {
  const { createdAt, kind, name, organizationId, scopes } = token;
  const { userId } = caller;
  return db.transaction().execute(async (tx) => {
    // Locks the account, so that concurrent requests cannot both take the last free place.
    await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute();
    const isAuthorized = caller.kind === 'console' || (await lockToken(tx, caller.tokenId, createdAt));
    if (!isAuthorized) throw new Unauthorized('The token is invalid or has expired');
    if ((await countApiTokens(tx, userId, createdAt)) >= MAX_API_TOKENS)
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

/** The live API tokens of an account. */
async function countApiTokens(tx: Database, userId: number, now: Date): Promise<number> {
  const { count } = await tx
    .selectFrom('tokens')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .where('kind', '=', 'api')
    .where(isLive(now))
    .executeTakeFirstOrThrow();
  return count;
}

async function chosenOrganization(
  db: Database,
  caller: Caller,
  choice: OrganizationChoice | undefined,
): Promise<OrganizationName | null> {
  const requested = choice ?? caller.organizationId ?? 'none';
  if (requested === 'none' && caller.organizationId === null) return null;
  if (requested === 'none') throw new ValidationError({ organization_id: ["can't be blank"] });
  const isOutside = caller.organizationId !== null && requested !== caller.organizationId;
  const isValid = !isOutside && requested >= 1 && requested <= MAX_ID;
  const name = isValid ? await organizationFor(db, caller.userId, requested) : undefined;
  if (name === undefined) throw new ValidationError({ organization_id: ['does not exist'] });
  return { id: requested, name };
}

/** An organization's name; undefined when the account may not hold tokens of it. */
async function organizationFor(
  db: Database,
  userId: number,
  organizationId: number,
): Promise<string | undefined> {
  const found = await db
    .selectFrom('organizations')
    .innerJoin('users', (join) => join.on('users.id', '=', userId))
    .select('organizations.name')
    .where('organizations.id', '=', organizationId)
    .where(hasOrganizationAccess(organizationId))
    .executeTakeFirst();
  return found?.name;
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

/** Errors of the fields of a new API token that are given. */
export function apiTokenErrors(
  fields: Partial<CreateApiTokenBody>,
  now: Date,
): Record<string, readonly string[]> {
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
