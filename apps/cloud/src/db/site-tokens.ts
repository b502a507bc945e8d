import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import { type Expression, sql } from 'kysely';
import type { Database } from './open.ts';

/** Access levels of a site token, each including those before. */
export const SITE_TOKEN_ACCESS = ['read', 'write', 'configure'] as const;
export type SiteTokenAccess = (typeof SITE_TOKEN_ACCESS)[number];

/** The source of site tokens that are issued for a session or an API token. */
export const tokenSource = (tokenId: number): string => `token:${tokenId}`;

/** All site tokens that an account was issued, as revocations name them. */
const userSubject = (userId: number): string => `user:${userId}`;

/** The source of site tokens that a third party gets. */
export const grantSource = (grantId: string): string => `grant:${grantId}`;

export interface IssuedSiteToken {
  readonly source: string;
  readonly siteId: number;
  readonly userId: number;
  readonly access: SiteTokenAccess;
  readonly issuedAt: Date;
}

/**
 * When a site token is dated that is issued now. Site tokens have whole seconds, and processes of the cloud have clocks
 * of their own: a token for a user who had lost the site and has it again must not look older than the loss.
 */
export async function issueDate(
  tx: Database,
  { siteId, userId, source }: Pick<IssuedSiteToken, 'siteId' | 'userId' | 'source'>,
  now: Date,
): Promise<Date> {
  const lost = await tx
    .selectFrom('site_token_revocations')
    .select(({ fn }) => fn.max('revoked_at').as('at'))
    .where('site_id', '=', siteId)
    .where('subject', 'in', [userSubject(userId), source])
    .executeTakeFirstOrThrow();
  if (lost.at === null || lost.at.getTime() <= Math.floor(now.getTime() / 1000) * 1000) return now;
  return new Date(Math.ceil(lost.at.getTime() / 1000) * 1000);
}

/**
 * Records that a site token is issued. The transaction must hold a lock on the source, so that a revocation comes before
 * or after.
 *
 * @returns whether the source is new for the site, or had less access to it until now
 */
export async function recordSiteToken(tx: Database, token: IssuedSiteToken): Promise<boolean> {
  const { source, siteId, userId, access, issuedAt } = token;
  const before = await replaceAccess(tx, token);
  if (before !== undefined) return isLess(before, access);
  const added = await tx
    .insertInto('site_token_sources')
    .values({
      source,
      site_id: siteId,
      user_id: userId,
      access,
      issued_at: issuedAt,
      issued_unnamed_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('source')
    .executeTakeFirst();
  if (added !== undefined) return true;
  // Another request of the same source was first, and has been waited for.
  return isLess((await replaceAccess(tx, token)) ?? 'read', access);
}

/** @returns what it was before; undefined when the source has no token for the site yet */
async function replaceAccess(
  tx: Database,
  { source, siteId, access, issuedAt }: IssuedSiteToken,
): Promise<SiteTokenAccess | undefined> {
  const before = await tx
    .selectFrom('site_token_sources')
    .select('access')
    .where('source', '=', source)
    .where('site_id', '=', siteId)
    .forUpdate()
    .executeTakeFirst();
  if (before === undefined) return undefined;
  await tx
    .updateTable('site_token_sources')
    .set({ access, issued_at: sql`greatest(issued_at, ${issuedAt})` })
    .where('source', '=', source)
    .where('site_id', '=', siteId)
    .execute();
  return before.access;
}

function isLess(access: SiteTokenAccess, than: SiteTokenAccess): boolean {
  return SITE_TOKEN_ACCESS.indexOf(access) < SITE_TOKEN_ACCESS.indexOf(than);
}

/** Revokes the site tokens that were issued for these sources, and no others. */
export async function revokeSiteTokensOf(tx: Database, sources: readonly string[], at: Date): Promise<void> {
  if (sources.length === 0) return;
  await revokeSiteTokensWhere(tx, sql`source = any(${sources})`, at);
}

/**
 * Revokes the site tokens that were issued before for sources, also by another process of the cloud, whose clock may be
 * ahead. Devices that have delegations of such a source learn of it, too, however long ago these were made.
 *
 * @param which a condition on `site_token_sources` and `device_delegations`, by columns of both
 */
export async function revokeSiteTokensWhere(
  tx: Database,
  which: Expression<unknown>,
  at: Date,
): Promise<void> {
  const oldest = new Date(at.getTime() - SITE_TOKEN_LIFETIME_MS);
  // Those of an earlier release name no source: with them the account's others end, too.
  await sql`insert into site_token_revocations (site_id, subject, user_id, revoked_at)
    select site_id, source, user_id, greatest(${at}::timestamptz, issued_at + interval '1 ms')
      from site_token_sources where ${which} and issued_at > ${oldest}
    union select site_id, 'user:' || user_id, user_id, ${at}::timestamptz from site_token_sources
      where ${which} and issued_unnamed_at > ${oldest}
    union select site_id, source, user_id, ${at}::timestamptz from device_delegations
      where ${which} and user_id is not null and not exists (select from site_token_sources as issued
        where issued.source = device_delegations.source and issued.site_id = device_delegations.site_id
          and issued.issued_at > ${oldest})
    order by 1, 2
    on conflict (site_id, subject) do update
      set revoked_at = greatest(site_token_revocations.revoked_at, excluded.revoked_at)`.execute(tx);
}

/**
 * Revokes what accounts were issued before for sites, whichever way they got it: also what another process of the cloud
 * issued, whose clock may be ahead.
 *
 * @param lost a query with the columns `site_id` and `user_id`
 */
export async function revokeSiteTokensOfUsers(
  tx: Database,
  lost: Expression<unknown>,
  at: Date,
): Promise<void> {
  await sql`insert into site_token_revocations (site_id, subject, user_id, revoked_at)
    select lost.site_id, 'user:' || lost.user_id, lost.user_id, greatest(${at}::timestamptz, (
      select max(issued_at) + interval '1 ms' from site_token_sources as issued
      where issued.site_id = lost.site_id and issued.user_id = lost.user_id))
    from (${lost}) as lost
    order by 1, 2
    on conflict (site_id, subject) do update
      set revoked_at = greatest(site_token_revocations.revoked_at, excluded.revoked_at)`.execute(tx);
}

/** When the last site token that was issued for a source expires; null when there is none. */
export function siteTokensEnd(source: Expression<unknown>) {
  return sql<Date | null>`(select max(issued_at) from site_token_sources as issued where issued.source = ${source})
    + ${`${SITE_TOKEN_LIFETIME_MS} milliseconds`}::interval`;
}
