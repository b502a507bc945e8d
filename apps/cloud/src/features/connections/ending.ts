import type { Clock } from '@heliograph/kit';
import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import { type Expression, type SqlBool, sql } from 'kysely';
import { type Actor, recordAudits } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { isLive } from './life.ts';

/**
 * Ends live grants: their access tokens, their codes, and the site tokens that third parties got with them.
 *
 * @param which a condition on `oauth_grants`
 * @returns how many there were
 */
export async function endGrants(
  tx: Database,
  which: Expression<SqlBool>,
  actor: Actor,
  clock: Clock,
): Promise<number> {
  // Waits for tokens that are being issued, whose transactions hold the grant: they are found below, and whoever
  // comes later finds that the grant has ended.
  const grants = await tx
    .selectFrom('oauth_grants')
    .select(['id', 'client_id', 'client_name', 'organization_id', 'user_id', 'site_id'])
    .where(which)
    .where(isLive(new Date(clock.now())))
    .orderBy('id')
    .forUpdate()
    .execute();
  if (grants.length === 0) return 0;
  const ids = grants.map(({ id }) => id);
  const at = new Date(clock.now());
  // Lists as one parameter each: an application may have more grants than a statement takes parameters.
  const theirs = sql<SqlBool>`grant_id = any(${ids})`;
  await sql`update oauth_grants set revoked_at = ${at} where id = any(${ids})`.execute(tx);
  await sql`update tokens set revoked_at = ${at} where ${theirs} and revoked_at is null`.execute(tx);
  await tx.deleteFrom('oauth_records').where(theirs).execute();
  await revokeSiteTokens(tx, ids, at);
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

/**
 * Tells the proxies. What they are told is about an account and a site, so the user's own site tokens of before end
 * too; their programs ask for new ones.
 */
async function revokeSiteTokens(tx: Database, grantIds: readonly string[], at: Date): Promise<void> {
  const oldest = new Date(at.getTime() - SITE_TOKEN_LIFETIME_MS);
  await sql`insert into site_revocations (site_id, user_id, revoked_at)
    select distinct issued.site_id, grants.user_id, ${at}::timestamptz
    from oauth_site_tokens as issued join oauth_grants as grants on grants.id = issued.grant_id
    where issued.grant_id = any(${grantIds}) and issued.issued_at > ${oldest}
    order by 1, 2
    on conflict (site_id, user_id) do update set revoked_at = excluded.revoked_at`.execute(tx);
}
