import type { Clock } from '@heliograph/kit';
import { type Expression, type SqlBool, sql } from 'kysely';
import type { Database } from './open.ts';
import { revokeSiteTokensOf, tokenSource } from './site-tokens.ts';

export interface RevokedToken {
  readonly id: number;
  readonly name: string | null;
  readonly organizationId: number | null;
}

/**
 * Revokes bearer tokens, and the site tokens that were issued for them: the one way in which sessions, API tokens and
 * access tokens of third parties end before they expire.
 *
 * @param which a condition on `tokens`; those that were revoked before are left alone
 */
export async function revokeTokens(
  tx: Database,
  which: Expression<SqlBool>,
  clock: Clock,
): Promise<RevokedToken[]> {
  // Waits for site tokens that are being issued, whose transactions hold the token: they are older than the revocation.
  const tokens = await tx
    .selectFrom('tokens')
    .select(['id', 'name', 'organization_id as organizationId'])
    .where(which)
    .where('revoked_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  if (tokens.length === 0) return [];
  const ids = tokens.map(({ id }) => id);
  const at = new Date(clock.now());
  await tx
    .updateTable('tokens')
    .set({ revoked_at: at })
    .where('id', '=', sql<number>`any(${ids}::int[])`)
    .execute();
  await revokeSiteTokensOf(tx, ids.map(tokenSource), at);
  return tokens;
}
