import { sql } from 'kysely';
import { hasEmail } from '../../db/has-email.ts';
import type { Database } from '../../db/open.ts';

export interface InvitedAccount {
  readonly id: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  /** Nobody has proved yet that the address is theirs, or set a password. */
  readonly pending: boolean;
}

export interface NewAccount {
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly organizationId: number | null;
}

export class InvitationRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  find(email: string, db: Database = this.#db): Promise<InvitedAccount | undefined> {
    return db
      .selectFrom('users')
      .select([
        'id',
        'email',
        'first_name as firstName',
        'last_name as lastName',
        sql<boolean>`confirmed_at is null or password_hash is null`.as('pending'),
      ])
      .where(hasEmail(email))
      .executeTakeFirst();
  }

  /** Makes an account without a password. @returns its id; undefined when somebody else has just made it */
  async add(tx: Database, account: NewAccount): Promise<number | undefined> {
    const added = await tx
      .insertInto('users')
      .values({
        email: account.email,
        first_name: account.firstName,
        last_name: account.lastName,
        organization_id: account.organizationId,
      })
      .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
      .returning('id')
      .executeTakeFirst();
    return added?.id;
  }

  /** Notes that an invitation is mailed now. @returns whether the last one is far enough back */
  async markInvited(tx: Database, userId: number, at: Date, notSince: Date): Promise<boolean> {
    const marked = await tx
      .updateTable('users')
      .set({ invited_at: at })
      .where('id', '=', userId)
      .where((eb) => eb.or([eb('invited_at', 'is', null), eb('invited_at', '<=', notSince)]))
      .returning('id')
      .executeTakeFirst();
    return marked !== undefined;
  }
}
