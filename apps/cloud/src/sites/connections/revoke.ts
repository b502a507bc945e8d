import type { Clock } from '@heliograph/kit';
import { type Expression, type SqlBool, sql } from 'kysely';
import { type Actor, recordAudits } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { revokeTokens } from '../../db/revoke-tokens.ts';
import { grantSource, revokeSiteTokensOf } from '../../db/site-tokens.ts';
import { isRevocable } from './lifetime.ts';

/**
 * Revokes grants with their access tokens, their codes, and the site tokens that third parties got with them.
 *
 * @param which a condition on `oauth_grants`
 * @returns the number of revoked grants
 */
export async function revokeGrants(
  tx: Database,
  which: Expression<SqlBool>,
  actor: Actor,
  clock: Clock,
): Promise<number> {
  // Waits for tokens that are being issued, whose transactions lock the grant: they are found below, and later
  // transactions find the grant revoked.
  const grants = await tx
    .selectFrom('oauth_grants')
    .select(['id', 'client_id', 'client_name', 'organization_id', 'user_id', 'site_id'])
    .where(which)
    .where(isRevocable(new Date(clock.now())))
    .orderBy('id')
    .forUpdate()
    .execute();
  if (grants.length === 0) return 0;
  const ids = grants.map(({ id }) => id);
  const at = new Date(clock.now());
  // Lists as one parameter each: an application may have more grants than a statement takes parameters.
  const theirs = sql<SqlBool>`grant_id = any(${ids})`;
  await sql`update oauth_grants set revoked_at = ${at} where id = any(${ids})`.execute(tx);
  await revokeTokens(tx, theirs, clock);
  await tx.deleteFrom('oauth_records').where(theirs).execute();
  await revokeSiteTokensOf(tx, ids.map(grantSource), at);
  const events = grants.map((grant) => ({
    action: 'grant.ended' as const,
    organizationId: grant.organization_id,
    siteId: grant.site_id,
    userId: grant.user_id,
    details: { client_id: grant.client_id, name: grant.client_name },
  }));
  await recordAudits(tx, actor, at, events);
  return grants.length;
}
