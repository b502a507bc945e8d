import { type SqlBool, sql } from 'kysely';
import { actorOf, type Caller, SERVICE } from '../../access/caller.ts';
import { tokenHash } from '../../common/secrets/opaque-token.ts';
import { recordAudit } from '../../db/audit.ts';
import { addDelegation } from '../../db/delegations.ts';
import type { Database } from '../../db/open.ts';
import type { Platform } from '../../platform.ts';
import { revokeGrants } from '../../sites/connections/revoke.ts';
import type { AccessTokenRecord, NewGrant } from './records.ts';

/** Lifetime of third parties' access tokens, in milliseconds; there are no refresh tokens. */
export const ACCESS_TOKEN_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** A code is exchanged at once, and its token is the last one of a grant. */
const GRANT_LIFETIME_MS = ACCESS_TOKEN_LIFETIME_MS + 60 * 60 * 1000;

/**
 * Adds a user's grant to a program, which is not valid before the OAuth server has set its payload.
 *
 * @param caller the user's own session
 */
export async function addGrant({ db, clock }: Platform, caller: Caller, grant: NewGrant): Promise<void> {
  const at = new Date(clock.now());
  const { id, clientId, clientName, organizationId, siteId, userId, scopes } = grant;
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('oauth_grants')
      .values({
        id,
        client_id: clientId,
        client_name: clientName,
        organization_id: organizationId,
        user_id: userId,
        site_id: siteId,
        scopes: [...scopes],
        payload: '{}',
        created_at: at,
        expires_at: new Date(at.getTime() + GRANT_LIFETIME_MS),
      })
      .execute();
    // An agent whose id is the URL of a document has no row to mark.
    await tx
      .updateTable('oauth_clients')
      .set({ last_used_at: at })
      .where('client_id', '=', clientId)
      .execute();
    const made = { kind: 'connection', grantId: id, userId, siteId } as const;
    await addDelegation(tx, actorOf(caller), made, at);
    const details = { client_id: clientId, name: clientName, scopes };
    const event = { action: 'grant.created', organizationId, siteId, userId, details } as const;
    await recordAudit(tx, actorOf(caller), at, event);
  });
}

export async function setGrantPayload(
  db: Database,
  id: string,
  payload: Readonly<Record<string, unknown>>,
): Promise<void> {
  await db
    .updateTable('oauth_grants')
    .set({ payload: JSON.stringify(payload) })
    .where('id', '=', id)
    .execute();
}

/** @returns undefined for a grant that is revoked, expired, or has no payload yet */
export async function grantPayload(
  { db, clock }: Platform,
  id: string,
): Promise<Record<string, unknown> | undefined> {
  const grant = await db
    .selectFrom('oauth_grants')
    .select('payload')
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', new Date(clock.now()))
    .where(sql<boolean>`payload <> '{}'`)
    .executeTakeFirst();
  return grant?.payload;
}

/** The site of the user's last grant to the same program. */
export async function siteChosenBefore(
  db: Database,
  userId: number,
  clientId: string,
): Promise<number | null> {
  const last = await db
    .selectFrom('oauth_grants')
    .select('site_id as siteId')
    .where('user_id', '=', userId)
    .where('client_id', '=', clientId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.siteId ?? null;
}

/** A third party's live access token. @returns undefined for every other kind of token */
export function findAccessToken(
  { db, clock }: Platform,
  value: string,
): Promise<AccessTokenRecord | undefined> {
  return db
    .selectFrom('tokens')
    .innerJoin('oauth_grants', 'oauth_grants.id', 'tokens.grant_id')
    .select([
      'tokens.user_id as userId',
      'oauth_grants.client_id as clientId',
      'oauth_grants.id as grantId',
      'tokens.kind',
      'tokens.scopes',
      'tokens.site_id as siteId',
      'tokens.created_at as createdAt',
      'tokens.expires_at as expiresAt',
    ])
    .$narrowType<{ kind: 'oauth' | 'mcp'; expiresAt: Date }>()
    .where('tokens.hash', '=', tokenHash(value))
    .where('tokens.kind', 'in', ['oauth', 'mcp'])
    .where('tokens.revoked_at', 'is', null)
    .where('tokens.expires_at', '>', new Date(clock.now()))
    .executeTakeFirst();
}

/**
 * Ends a grant with all that was issued from it, as the standard requires after a reused code or a revoked token. One that
 * is not live is left alone.
 */
export async function endGrant({ db, clock }: Platform, grantId: string): Promise<void> {
  const which = sql<SqlBool>`oauth_grants.id = ${grantId}`;
  await db.transaction().execute((tx) => revokeGrants(tx, which, SERVICE, clock));
}
