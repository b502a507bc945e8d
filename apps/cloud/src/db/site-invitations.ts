import { type Expression, type SqlBool, sql } from 'kysely';
import type { Database } from './open.ts';

/** Whether an account was added to one of `sites`, or made its owner, and has not accepted that. */
export function hasNotAccepted(userId: number | Expression<unknown>) {
  return sql<SqlBool>`exists (select from site_invitations as invitations
    where invitations.site_id = sites.id and invitations.user_id = ${userId})`;
}

/** A condition: a person has confirmed the address of an account and set a password. @param users an alias of `users` */
export function isSetUp(users: string) {
  return sql<boolean>`(${sql.ref(`${users}.confirmed_at`)} is not null and ${sql.ref(`${users}.password_hash`)} is not null)`;
}

/**
 * When a handover is final. Where the account of the new owner was set up after the last reminder, which had no time of the end,
 * there is another one at that end, and seven days more. @param owners an alias of `users`
 */
export function transferEnd(owners: string) {
  return sql<Date>`ends_at + case when reminded_without_account and ${isSetUp(owners)} then interval '168 hours'
    else interval '0' end`;
}

/**
 * The account that mails about the upkeep of one of `sites` go to: the owner, or the former one who stayed an admin of it while
 * the new one has not accepted yet. Null without an owner.
 */
export const mailedOwner = sql<number | null>`case when ${hasNotAccepted(sql`sites.owner_id`)}
  then coalesce((select former_member_id from site_transfers where site_transfers.site_id = sites.id), sites.owner_id)
  else sites.owner_id end`;

/** @returns as {@link mailedOwner}; null also for a site that is gone */
export async function mailedOwnerOf(db: Database, siteId: number): Promise<number | null> {
  const site = await db
    .selectFrom('sites')
    .select(mailedOwner.as('id'))
    .where('id', '=', siteId)
    .executeTakeFirst();
  return site?.id ?? null;
}
