import { type SqlBool, sql } from 'kysely';
import { siteTokensEnd } from '../../db/site-tokens.ts';

/**
 * The expiry of a grant's last credential: its access token, or, days later, the last site token that the third party
 * got. Before the code is exchanged the expiry of the code; null for a grant without credentials.
 */
const end = sql<Date | null>`greatest(
  (select max(issued.expires_at) from tokens as issued
    where issued.grant_id = oauth_grants.id and issued.revoked_at is null),
  ${siteTokensEnd(sql`'grant:' || oauth_grants.id`)},
  (select max(codes.expires_at) from oauth_records as codes
    where codes.grant_id = oauth_grants.id and codes.model = 'AuthorizationCode' and codes.consumed_at is null))`;

/** The same for a grant that is live. */
export const expiresAt = sql<Date>`${end}`;

/** Whether a credential of the grant is valid, as a condition on `oauth_grants`. */
export function isLive(now: Date) {
  return sql<SqlBool>`(oauth_grants.revoked_at is null and ${end} > ${now})`;
}

/** Whether a credential of the grant is valid, or can still be issued. */
export function isRevocable(now: Date) {
  return sql<SqlBool>`(oauth_grants.revoked_at is null
    and (oauth_grants.expires_at > ${now} or ${end} > ${now}))`;
}
