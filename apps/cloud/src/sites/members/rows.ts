import type { SiteRole } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { type AccessibleSite, findSite } from '../../access/site-access.ts';
import { orNotFound } from '../../common/errors.ts';
import type { Actor } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import { endRecoverySessions } from '../../db/recovery-sessions.ts';
import { removeSiteHistory } from '../../db/site-history.ts';

export interface MemberRecord {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: SiteRole;
  /** The person has not accepted yet; until then the names are those that the inviter gave. */
  readonly pending: boolean;
}

export type LockedSite = Pick<AccessibleSite, 'id' | 'ownerId' | 'organizationId'>;

/**
 * Runs work while a site is locked: every change of a site's members or owner goes through here. The lock is taken
 * before anything is read, so that the values read are valid until the transaction ends.
 *
 * @throws NotFound when the caller sees no such site
 */
export function withLockedSite<T>(
  db: Database,
  caller: Caller,
  siteId: number,
  work: (tx: Database, site: AccessibleSite) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (tx) => {
    await tx.selectFrom('sites').select('id').where('id', '=', siteId).forNoKeyUpdate().execute();
    return work(tx, orNotFound(await findSite(tx, caller, siteId)));
  });
}

/** Locks a site as {@link withLockedSite} does. @returns undefined when it is gone */
export function lockSite(tx: Database, siteId: number): Promise<LockedSite | undefined> {
  return tx
    .selectFrom('sites')
    .select(['id', 'owner_id as ownerId', 'organization_id as organizationId'])
    .where('id', '=', siteId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** @returns undefined when the account has no role on the site */
export function findMember(db: Database, siteId: number, userId: number): Promise<MemberRecord | undefined> {
  return selectMembers(db, siteId).where('users.id', '=', userId).executeTakeFirst();
}

/** Gives an account that is not the owner a role. */
export async function setRole(
  tx: Database,
  siteId: number,
  userId: number,
  role: Exclude<SiteRole, 'owner'>,
  at: Date,
): Promise<void> {
  await tx
    .insertInto('site_members')
    .values({ site_id: siteId, user_id: userId, role, created_at: at })
    .onConflict((conflict) => conflict.columns(['site_id', 'user_id']).doUpdateSet({ role }))
    .execute();
}

export async function removeMember(tx: Database, siteId: number, userId: number): Promise<void> {
  await tx.deleteFrom('site_members').where('site_id', '=', siteId).where('user_id', '=', userId).execute();
}

/** Makes an account the owner, in place of its other role. Support that was let in before loses its access. */
export async function setOwner(
  tx: Database,
  siteId: number,
  ownerId: number,
  actor: Actor,
  at: Date,
): Promise<void> {
  const ofSite = sql`recovery_sessions.site_id = ${siteId}`;
  await endRecoverySessions(tx, ofSite, { reason: 'transfer', by: null }, actor, at);
  // The former owner agreed to it; the next one is asked.
  await removeSiteHistory(tx, siteId);
  await tx.deleteFrom('site_history_consents').where('site_id', '=', siteId).execute();
  await tx.updateTable('sites').set({ owner_id: ownerId }).where('id', '=', siteId).execute();
  await removeMember(tx, siteId, ownerId);
}

/** The owner first, then admins, then members. */
export function listMembers(db: Database, siteId: number): Promise<MemberRecord[]> {
  return selectMembers(db, siteId)
    .orderBy(sql`array_position(array['owner', 'admin'], role)`)
    .orderBy('users.id')
    .execute();
}

/** Accounts with a role on a site, the owner included, as its people are shown them. */
function selectMembers(db: Database, siteId: number) {
  const members = db
    .selectFrom('sites')
    .select(['owner_id as user_id', sql<SiteRole>`'owner'`.as('role')])
    .where('id', '=', siteId)
    .unionAll(
      db
        .selectFrom('site_members')
        .select(['user_id', sql<SiteRole>`role`.as('role')])
        .where('site_id', '=', siteId),
    );
  return db
    .selectFrom(members.as('members'))
    .innerJoin('users', 'users.id', 'members.user_id')
    .leftJoin('site_invitations as invitations', (join) =>
      join.onRef('invitations.user_id', '=', 'users.id').on('invitations.site_id', '=', siteId),
    )
    .select((eb) => [
      'users.id',
      eb.fn.coalesce('invitations.email', 'users.email').as('email'),
      eb.fn.coalesce('invitations.first_name', 'users.first_name').as('firstName'),
      eb.fn.coalesce('invitations.last_name', 'users.last_name').as('lastName'),
      'members.role',
      sql<boolean>`invitations.user_id is not null`.as('pending'),
    ]);
}
