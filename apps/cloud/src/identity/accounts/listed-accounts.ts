import type { SiteRole } from '@heliograph/contracts';
import { sql } from 'kysely';
import { ambiguousAccounts, queriesOf } from '../../db/canonical-emails.ts';
import { hasEmail } from '../../db/has-email.ts';
import type { Database } from '../../db/open.ts';
import { USER_COLUMNS, type UserRecord } from '../users/present.ts';

/** An account as operators list it. */
export interface ListedAccount extends UserRecord {
  readonly staff: boolean;
  readonly confirmed: boolean;
  readonly hasPassword: boolean;
  readonly createdAt: Date;
  /** The organization whose customer it is. */
  readonly organizationId: number | null;
  readonly employers: readonly { readonly id: number; readonly name: string; readonly role: SiteRole }[];
}

/** An account that is found by the exact spelling of its address alone. */
export interface AmbiguousAccount {
  readonly account: ListedAccount;
  /** The account that has the canonical form; null where the address has none. */
  readonly sameAs: { readonly id: number; readonly email: string } | null;
}

/** @param email in any spelling */
export function findAccount(db: Database, email: string): Promise<ListedAccount | undefined> {
  return selectListed(db).where(hasEmail(email)).executeTakeFirst();
}

/** Accounts in the order of the ids. */
export async function listAccounts(db: Database, ids: readonly number[]): Promise<ListedAccount[]> {
  const accounts = new Map((await selectAccounts(db, ids)).map((account) => [account.id, account]));
  return ids.flatMap((id) => accounts.get(id) ?? []);
}

function selectAccounts(db: Database, ids: readonly number[]): Promise<ListedAccount[]> {
  return selectListed(db).where('users.id', '=', sql<number>`any(${ids}::int[])`).execute();
}

/** The accounts whose address is stored in another spelling than the canonical one, by id. */
export async function listAmbiguous(db: Database): Promise<AmbiguousAccount[]> {
  const others = await ambiguousAccounts(queriesOf(db));
  const forms = others.flatMap(({ canonical }) => canonical ?? []);
  const holders = await db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('email', '=', sql<string>`any(${forms}::text[])`)
    .execute();
  const accounts = new Map(
    (
      await selectAccounts(
        db,
        others.map(({ id }) => id),
      )
    ).map((one) => [one.id, one]),
  );
  return others.flatMap(({ id, canonical }) => {
    const account = accounts.get(id);
    const holder = holders.find(({ email }) => email === canonical);
    return account === undefined ? [] : [{ account, sameAs: holder ?? null }];
  });
}

/** @returns whether it changed */
export async function setStaffFlag(tx: Database, id: number, staff: boolean): Promise<boolean> {
  const changed = await tx
    .updateTable('users')
    .set({ staff })
    .where('id', '=', id)
    .where('staff', '<>', staff)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

function selectListed(db: Database) {
  return db.selectFrom('users').select([
    ...USER_COLUMNS,
    'users.staff',
    sql<boolean>`users.confirmed_at is not null`.as('confirmed'),
    sql<boolean>`users.password_hash is not null`.as('hasPassword'),
    'users.created_at as createdAt',
    'users.organization_id as organizationId',
    sql<ListedAccount['employers']>`coalesce((
        select json_agg(json_build_object('id', o.id, 'name', o.name, 'role', m.role) order by o.id)
        from organization_members m join organizations o on o.id = m.organization_id
        where m.user_id = users.id), '[]')`.as('employers'),
  ]);
}
