import { type Locale, MAX_ID, type SiteView } from '@heliograph/contracts';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import { hasOrganizationAccess } from '../../access/organization-access.ts';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import type { Directory } from './policy.ts';
import { type OrganizationName, USER_COLUMNS, type UserRecord } from './present.ts';
import { newest, search } from './search.ts';

export interface CallerOrganization extends OrganizationName {
  /** The caller is one of its employees. */
  readonly isEmployer: boolean;
}

/** The fields of an account that its person chooses. */
export interface Profile {
  readonly first_name: string;
  readonly last_name: string;
  readonly phone_number: string | null;
}

export class UserRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** The caller's account, and the organization that the token is scoped to. */
  async current({
    userId,
    organizationId,
  }: Caller): Promise<{ user: UserRecord; organization: OrganizationName | null } | undefined> {
    const row = await this.#db
      .selectFrom('users')
      .leftJoin('organizations', (join) => join.on('organizations.id', '=', organizationId))
      .select([...USER_COLUMNS, 'organizations.name as organizationName'])
      .where('users.id', '=', userId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { organizationName: name, ...user } = row;
    return {
      user,
      organization: organizationId === null || name === null ? null : { id: organizationId, name },
    };
  }

  /** The organization of the caller's token; without one, those that employ the caller. */
  organizationsOf({ userId, organizationId }: Caller): Promise<CallerOrganization[]> {
    return this.#db
      .selectFrom('organizations')
      .leftJoin('organization_members', (join) =>
        join
          .onRef('organization_members.organization_id', '=', 'organizations.id')
          .on('organization_members.user_id', '=', userId),
      )
      .select([
        'organizations.id',
        'organizations.name',
        sql<boolean>`organization_members.user_id is not null`.as('isEmployer'),
      ])
      .where((eb) =>
        organizationId === null
          ? eb('organization_members.user_id', '=', userId)
          : eb('organizations.id', '=', organizationId),
      )
      .execute();
  }

  /** A page of a directory's accounts that match every term, the newest first. */
  async list(directory: Directory, terms: readonly string[], page: Page): Promise<UserRecord[]> {
    const { offset, limit } = page;
    if (terms.length > 0) {
      const found = await search(this.#db, directory, terms, page);
      return found.length === 0 ? [] : this.#users(found);
    }
    return this.#users(sql`(select id from ${newest(directory, offset + limit)} as newest
      order by id desc offset ${offset} limit ${limit})`);
  }

  /** @returns the language before; undefined for an account that is gone */
  async setLocale(tx: Database, userId: number, locale: Locale): Promise<Locale | undefined> {
    const account = await tx
      .selectFrom('users')
      .select('locale')
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (account !== undefined && account.locale !== locale)
      await tx.updateTable('users').set({ locale }).where('id', '=', userId).execute();
    return account?.locale;
  }

  /** @returns the profile before, locked; undefined for an account that is gone */
  lockProfile(tx: Database, userId: number): Promise<Profile | undefined> {
    return tx
      .selectFrom('users')
      .select(['first_name', 'last_name', 'phone_number'])
      .where('id', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst();
  }

  async siteViews(db: Database, userId: number): Promise<SiteView[]> {
    const found = await db
      .selectFrom('users')
      .select('site_views')
      .where('id', '=', userId)
      .executeTakeFirst();
    return found?.site_views ?? [];
  }

  async setSiteViews(tx: Database, userId: number, views: readonly SiteView[]): Promise<void> {
    const stored = JSON.stringify(views);
    await tx.updateTable('users').set('site_views', stored).where('id', '=', userId).execute();
  }

  async setProfile(tx: Database, userId: number, profile: Profile): Promise<void> {
    await tx.updateTable('users').set(profile).where('id', '=', userId).execute();
  }

  /** The organization of which a user is a customer, else its first employer. */
  async homeOrganizationOf(userId: number): Promise<number | null> {
    const home = await this.#db
      .selectFrom('users')
      .leftJoin('organization_members as employers', 'employers.user_id', 'users.id')
      .select((eb) => eb.fn.coalesce('users.organization_id', 'employers.organization_id').as('id'))
      .where('users.id', '=', userId)
      .orderBy('employers.created_at')
      .orderBy('employers.organization_id')
      .executeTakeFirst();
    return home?.id ?? null;
  }

  /** @returns undefined for one that does not exist; `others` are the further organizations of the account */
  async organizationToJoin(tx: Database, userId: number, id: number) {
    if (id < 1 || id > MAX_ID) return undefined;
    return tx
      .selectFrom('organizations')
      .innerJoin('users', (join) => join.on('users.id', '=', userId))
      .select([
        'organizations.id',
        'organizations.name',
        sql<boolean>`(users.organization_id is not distinct from organizations.id or exists (
          select from organization_customers where user_id = users.id and organization_id = organizations.id))`.as(
          'isCustomer',
        ),
        sql<number>`(select count(*)::integer from organization_customers where user_id = users.id)`.as(
          'others',
        ),
      ])
      .where('organizations.id', '=', id)
      .executeTakeFirst();
  }

  /** Never sets `users.organization_id`, which decides on new sites, tickets and mails: the consent does not name these. */
  async addCustomer(tx: Database, userId: number, organizationId: number, at: Date): Promise<void> {
    const customer = { user_id: userId, organization_id: organizationId, created_at: at };
    await tx
      .insertInto('organization_customers')
      .values(customer)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }

  /** @returns false where the account had not joined the organization */
  async removeCustomer(tx: Database, userId: number, organizationId: number): Promise<boolean> {
    const { numDeletedRows } = await tx
      .deleteFrom('organization_customers')
      .where('user_id', '=', userId)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return numDeletedRows > 0n;
  }

  /** Organizations that an account joined by its consent, in that order. */
  joinedOrganizations(userId: number): Promise<OrganizationName[]> {
    return this.#db
      .selectFrom('organization_customers')
      .innerJoin('organizations', 'organizations.id', 'organization_customers.organization_id')
      .select(['organizations.id', 'organizations.name'])
      .where('organization_customers.user_id', '=', userId)
      .orderBy('organization_customers.created_at')
      .orderBy('organizations.id')
      .execute();
  }

  async isStranger(userId: number, organizationId: number): Promise<boolean> {
    const found = await this.#db
      .selectFrom('users')
      .select((eb) => sql<boolean>`${hasOrganizationAccess(organizationId)(eb)}`.as('hasAccess'))
      .where('id', '=', userId)
      .executeTakeFirst();
    return found !== undefined && !found.hasAccess;
  }

  #users(ids: readonly number[] | RawBuilder<number>): Promise<UserRecord[]> {
    return this.#db
      .selectFrom('users')
      .select(USER_COLUMNS)
      .where('id', 'in', ids)
      .orderBy('id', 'desc')
      .execute();
  }
}
