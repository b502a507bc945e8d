import type { Locale } from '@heliograph/contracts';
import { type RawBuilder, sql } from 'kysely';
import { actorOf, type Caller } from '../../access/caller.ts';
import { recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import type { Directory } from './policy.ts';
import { type OrganizationName, USER_COLUMNS, type UserRecord } from './present.ts';
import { newest, search } from './search.ts';

export interface CallerOrganization extends OrganizationName {
  /** Whether the caller is one of its employees. */
  readonly isEmployer: boolean;
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

  /** The organization of the caller's token, or without one those that the caller is an employee of. */
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

  /** A page of those in a directory who match every word, the newest first. */
  async list(directory: Directory, words: readonly string[], page: Page): Promise<UserRecord[]> {
    const { offset, limit } = page;
    if (words.length > 0) {
      const found = await search(this.#db, directory, words, page);
      return found.length === 0 ? [] : this.#users(found);
    }
    return this.#users(sql`(select id from ${newest(directory, offset + limit)} as newest
      order by id desc offset ${offset} limit ${limit})`);
  }

  /** Sets the caller's language and records what it was before. */
  async setLocale(caller: Caller, locale: Locale, at: Date): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const before = await tx
        .selectFrom('users')
        .select('locale')
        .where('id', '=', caller.userId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (before === undefined || before.locale === locale) return;
      await tx.updateTable('users').set({ locale }).where('id', '=', caller.userId).execute();
      await recordAudit(tx, actorOf(caller), at, {
        action: 'account.changed',
        userId: caller.userId,
        organizationId: caller.organizationId,
        details: { locale: { from: before.locale, to: locale } },
      });
    });
  }

  /** The organization whose customer a user is, else the one that the user was first employed by. */
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

  #users(ids: readonly number[] | RawBuilder<number>): Promise<UserRecord[]> {
    return this.#db
      .selectFrom('users')
      .select(USER_COLUMNS)
      .where('id', 'in', ids)
      .orderBy('id', 'desc')
      .execute();
  }
}
