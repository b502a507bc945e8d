import type { SiteRole } from '@heliograph/contracts';
import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { USER_COLUMNS, type UserRecord } from '../users/present.ts';

/** An account as operators see it. */
export interface ListedAccount extends UserRecord {
  readonly staff: boolean;
  readonly confirmed: boolean;
  readonly hasPassword: boolean;
  readonly createdAt: Date;
  /** The organization whose customer it is. */
  readonly organizationId: number | null;
  readonly employers: readonly { readonly id: number; readonly name: string; readonly role: SiteRole }[];
}

export interface GivenAccount extends Omit<UserRecord, 'id'> {
  readonly passwordHash: string;
  readonly confirmedAt: Date;
  readonly staff: boolean;
  readonly organizationId: number | null;
}

export class AccountList {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Email addresses differ by more than case. */
  find(email: string): Promise<ListedAccount | undefined> {
    return selectListed(this.#db).where(sql`lower(email)`, '=', sql`lower(${email})`).executeTakeFirst();
  }

  all(ids: readonly number[]): Promise<ListedAccount[]> {
    return selectListed(this.#db).where('users.id', '=', sql<number>`any(${ids}::int[])`).execute();
  }

  /** @returns the id; undefined when the email address has an account */
  async add(tx: Database, account: GivenAccount): Promise<number | undefined> {
    const added = await tx
      .insertInto('users')
      .values({
        email: account.email,
        first_name: account.firstName,
        last_name: account.lastName,
        phone_number: account.phoneNumber,
        locale: account.locale,
        password_hash: account.passwordHash,
        confirmed_at: account.confirmedAt,
        staff: account.staff,
        organization_id: account.organizationId,
      })
      .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
      .returning('id')
      .executeTakeFirst();
    return added?.id;
  }

  /** @returns whether it was not so before */
  async setStaff(tx: Database, id: number, staff: boolean): Promise<boolean> {
    const changed = await tx
      .updateTable('users')
      .set({ staff })
      .where('id', '=', id)
      .where('staff', '<>', staff)
      .returning('id')
      .executeTakeFirst();
    return changed !== undefined;
  }
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
