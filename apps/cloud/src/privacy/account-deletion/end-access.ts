import type { Clock } from '@heliograph/kit';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Actor } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { revokeTokens } from '../../db/revoke-tokens.ts';
import { revokeSiteTokensOfUsers } from '../../db/site-tokens.ts';
import { revokeGrants } from '../../sites/connections/revoke.ts';

/**
 * Ends tokens of an account, its connections with third parties, and every site token that it was issued, whose streams
 * proxies close.
 *
 * @param which a condition on `tokens`
 */
export async function endAccess(
  tx: Database,
  actor: Actor,
  userId: number,
  which: Expression<SqlBool>,
  clock: Clock,
): Promise<void> {
  await revokeGrants(tx, sql<SqlBool>`oauth_grants.user_id = ${userId}`, actor, clock);
  await revokeTokens(tx, which, clock);
  const issued = sql`select site_id, user_id from site_token_sources where user_id = ${userId}
    union select site_id, user_id from device_delegations where user_id = ${userId}`;
  await revokeSiteTokensOfUsers(tx, issued, new Date(clock.now()));
}
