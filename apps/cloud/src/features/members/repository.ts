import type { SiteRole } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { roleOn, visibleTo } from '../sites/policy.ts';
import type { Caller } from '../tokens/policy.ts';
import type { Standing } from './policy.ts';

export interface MemberRecord {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: SiteRole;
}

/** A site as a caller sees it. */
export interface SeenSite {
  readonly id: number;
  readonly ownerId: number;
  readonly organizationId: number | null;
  readonly standing: Standing;
}

export class MemberRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** @returns undefined when there is no such site, or none the caller sees */
  async find(caller: Caller, siteId: number, db: Database = this.#db): Promise<SeenSite | undefined> {
    const site = await db
      .selectFrom('sites')
      .select([
        'sites.owner_id as ownerId',
        'sites.organization_id as organizationId',
        roleOn(caller.userId).as('role'),
        sql<boolean>`exists (select from organization_members as employees
          where employees.organization_id = sites.organization_id
          and employees.user_id = ${caller.userId} and employees.role in ('owner', 'admin'))`.as(
          'managesOrganization',
        ),
      ])
      .where('sites.id', '=', siteId)
      .where(visibleTo(caller))
      .executeTakeFirst();
    if (site === undefined) return undefined;
    const { ownerId, organizationId, role } = site;
    // What the account is in one organization is worth nothing with a token of another.
    const tokenFits = caller.organizationId === null || caller.organizationId === organizationId;
    const managesOrganization = site.managesOrganization && tokenFits;
    return {
      id: siteId,
      ownerId,
      organizationId,
      standing: { role, staff: caller.staff && tokenFits, managesOrganization },
    };
  }

  /**
   * Does work on a site's members while nobody else does: every change of a site's members or owner goes through
   * here. The lock is taken before anything is read, so that what is read holds until the end.
   *
   * @param work gets undefined when the caller sees no such site
   */
  alone<T>(
    caller: Caller,
    siteId: number,
    work: (tx: Database, site: SeenSite | undefined) => Promise<T>,
  ): Promise<T> {
    return this.#db.transaction().execute(async (tx) => {
      await tx.selectFrom('sites').select('id').where('id', '=', siteId).forNoKeyUpdate().execute();
      return work(tx, await this.find(caller, siteId, tx));
    });
  }

  /** Everyone with a role on the site: the owner first, then admins, then members. */
  list(siteId: number): Promise<MemberRecord[]> {
    return selectMembers(this.#db, siteId)
      .orderBy(sql`array_position(array['owner', 'admin'], role)`)
      .orderBy('users.id')
      .execute();
  }

  /** @returns undefined when the account has no role on the site */
  member(siteId: number, userId: number, db: Database = this.#db): Promise<MemberRecord | undefined> {
    return selectMembers(db, siteId).where('users.id', '=', userId).executeTakeFirst();
  }

  /** Gives an account that is not the owner a role. */
  async setRole(
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

  async remove(tx: Database, siteId: number, userId: number): Promise<void> {
    await tx.deleteFrom('site_members').where('site_id', '=', siteId).where('user_id', '=', userId).execute();
  }

  /** Makes an account the owner; the former owner becomes an admin. */
  async transfer(tx: Database, { id, ownerId }: SeenSite, newOwnerId: number, at: Date): Promise<void> {
    await tx.updateTable('sites').set({ owner_id: newOwnerId }).where('id', '=', id).execute();
    await this.remove(tx, id, newOwnerId);
    await this.setRole(tx, id, ownerId, 'admin', at);
  }
}

/** Those with a role on a site, the owner among them. */
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
    .select([
      'users.id',
      'users.email',
      'users.first_name as firstName',
      'users.last_name as lastName',
      'members.role',
    ]);
}
