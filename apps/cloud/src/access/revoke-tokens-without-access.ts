import type { Clock } from '@heliograph/kit';
import { type SqlBool, sql } from 'kysely';
import type { Database } from '../db/open.ts';
import { revokeTokens } from '../db/revoke-tokens.ts';
import { hasOrganizationAccess } from './organization-access.ts';

/**
 * Revokes an account's tokens of an organization, unless the account still has access to it.
 *
 * @param endsAlways kinds of tokens that are revoked in any case
 * @returns their ids
 */
export async function revokeTokensWithoutAccess(
  tx: Database,
  { organizationId, userId }: { readonly organizationId: number; readonly userId: number },
  clock: Clock,
  endsAlways: readonly 'api'[] = [],
): Promise<number[]> {
  const entrant = tx
    .selectFrom('users')
    .select('users.id')
    .where('users.id', '=', userId)
    .where(hasOrganizationAccess(organizationId));
  const which = sql<SqlBool>`user_id = ${userId} and organization_id = ${organizationId}
    and (kind = any(${endsAlways}::text[]) or not exists ${entrant})`;
  return (await revokeTokens(tx, which, clock)).map(({ id }) => id);
}
