import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import { type SqlBool, sql } from 'kysely';

/**
 * When the last token of a grant ends: its access token, or, days after that, the last site token which the third
 * party got with it.
 */
export const endsAt = sql<Date>`greatest(oauth_grants.expires_at,
  (select max(issued_at) from oauth_site_tokens as issued where issued.grant_id = oauth_grants.id)
    + ${`${SITE_TOKEN_LIFETIME_MS} milliseconds`}::interval)`;

/** Whether something can be read with what came of a grant, as a condition on `oauth_grants`. */
export function isLive(now: Date) {
  return sql<SqlBool>`(oauth_grants.revoked_at is null and ${endsAt} > ${now})`;
}
