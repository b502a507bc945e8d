import type { User } from '@heliograph/contracts';
import { type RawBuilder, sql } from 'kysely';
import type { Caller } from '../../access/caller.ts';
import type { Database } from '../../db/open.ts';
import { type Page, pageFrom } from '../../db/page.ts';
import type { InputOf } from '../../http/use-cases.ts';
import type { Platform } from '../../platform.ts';
import { type Directory, directoryOf } from './policy.ts';
import { type OrganizationName, presentUser, USER_COLUMNS, type UserRecord } from './present.ts';
import { newest, search, searchTermsOf } from './search.ts';

/** A page of the accounts that the caller sees. A limit above that of the largest page is lowered to it. */
export async function listUsers(
  { db }: Platform,
  caller: Caller,
  { query }: InputOf<'listUsers'>,
): Promise<User[]> {
  const terms = searchTermsOf(query.q);
  if (terms === undefined) return [];
  const organizations = await organizationsOf(db, caller);
  const employers = organizations.filter(({ isEmployer }) => isEmployer).map(({ id }) => id);
  const organization = organizations.find(({ id }) => id === caller.organizationId) ?? null;
  const users = await selectPage(db, directoryOf(caller, employers), terms, pageFrom(query));
  return users.map((user) => presentUser(user, organization));
}

interface CallerOrganization extends OrganizationName {
  /** The caller is one of its employees. */
  readonly isEmployer: boolean;
}

/** The organization of the caller's token; without one, those that employ the caller. */
function organizationsOf(db: Database, { userId, organizationId }: Caller): Promise<CallerOrganization[]> {
  return db
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
async function selectPage(
  db: Database,
  directory: Directory,
  terms: readonly string[],
  page: Page,
): Promise<UserRecord[]> {
  const { offset, limit } = page;
  if (terms.length > 0) {
    const found = await search(db, directory, terms, page);
    return found.length === 0 ? [] : selectUsers(db, found);
  }
  return selectUsers(
    db,
    sql`(select id from ${newest(directory, offset + limit)} as newest
      order by id desc offset ${offset} limit ${limit})`,
  );
}

function selectUsers(db: Database, ids: readonly number[] | RawBuilder<number>): Promise<UserRecord[]> {
  return db.selectFrom('users').select(USER_COLUMNS).where('id', 'in', ids).orderBy('id', 'desc').execute();
}
