import { Unauthorized } from '@heliograph/kit';
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import { type Caller, type Resource, requireResource } from '../../access/caller.ts';
import { isSecondFactorRequired } from '../../access/organization-access.ts';
import type { ClientAddress } from '../../common/client-address.ts';
import { tokenHash } from '../../common/secrets/opaque-token.ts';
import type { Database } from '../../db/open.ts';
import { PREPARED } from '../../db/prepared-statements.ts';
import type { Schema } from '../../db/schema.ts';
import type { Platform } from '../../platform.ts';
import type { IdentityPlatform } from '../platform.ts';
import { isLive } from './records.ts';

/** Longer than an answer travels. */
const JUST_REVOKED_MS = 60_000;

type AuthenticationPlatform = Pick<IdentityPlatform, 'db' | 'clock' | 'lastUsed'>;

/** @throws Unauthorized unless the token exists, is for this resource, has not expired and was not revoked */
export async function authenticate(
  { db, clock, lastUsed }: AuthenticationPlatform,
  token: string,
  client: ClientAddress,
  resource: Resource = 'api',
): Promise<Caller> {
  const record = await liveToken(db, tokenHash(token), new Date(clock.now()));
  if (record === undefined) throw new Unauthorized('The token is invalid or has expired');
  requireResource(resource, record.kind);
  lastUsed.record({ id: record.id, address: client.address }, record.lastUsedAt);
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
export async function authenticateSession(
  platform: AuthenticationPlatform,
  token: string,
  client: ClientAddress,
): Promise<Caller | undefined> {
  try {
    const caller = await authenticate(platform, token, client);
    return caller.kind === 'session' ? caller : undefined;
  } catch (error) {
    if (error instanceof Unauthorized) return undefined;
    throw error;
  }
}

/**
 * True for a token that is invalid and was not revoked within the last minute. Browsers keep the cookie for that minute: the
 * answer could arrive after that of the sign-in that ended the session, and would delete the new cookie.
 */
export async function isLongInvalid(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  token: string,
): Promise<boolean> {
  const nowMs = clock.now();
  const found = await db
    .selectFrom('tokens')
    .select('id')
    .where('tokens.hash', '=', tokenHash(token))
    .where((eb) =>
      eb.or([isLive(new Date(nowMs))(eb), eb('tokens.revoked_at', '>', new Date(nowMs - JUST_REVOKED_MS))]),
    )
    .executeTakeFirst();
  return found === undefined;
}

/** The token with this digest, if it is neither revoked nor expired. */
function liveToken(db: Database, hash: Buffer, now: Date) {
  return db
    .selectFrom('tokens')
    .innerJoin('users', 'users.id', 'tokens.user_id')
    .modifyFront(PREPARED)
    .select([
      'tokens.id',
      'tokens.kind',
      'tokens.user_id as userId',
      'users.locale',
      'users.staff',
      'tokens.scopes',
      'tokens.organization_id as organizationId',
      'tokens.site_id as siteId',
      'tokens.application_organization_id as applicationOrganizationId',
      'tokens.grant_id as grantId',
      'tokens.last_used_at as lastUsedAt',
      'tokens.authenticated_at as authenticatedAt',
      'tokens.expires_at as expiresAt',
    ])
    .where('tokens.hash', '=', hash)
    .where(isLive(now))
    .where(hasRequiredSecondFactor)
    .executeTakeFirst();
}

/**
 * Sessions that were opened by the password alone end when a second factor becomes required: the user signs in again and
 * sets one up. The order of the conditions spares all other sessions the look-up of employers.
 */
function hasRequiredSecondFactor(eb: ExpressionBuilder<Schema, 'tokens' | 'users'>): Expression<SqlBool> {
  const mustHave = isSecondFactorRequired(eb.ref('tokens.organization_id'))(eb);
  return sql<SqlBool>`case when tokens.kind = 'session' and users.second_factor_at is null then not ${mustHave} else true end`;
}
