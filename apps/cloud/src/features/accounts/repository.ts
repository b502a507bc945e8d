import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { OrganizationName, UserRecord } from './present.ts';

/** What signing in needs to know of an account. */
export interface CredentialRecord extends UserRecord {
  readonly passwordHash: string | null;
  readonly confirmedAt: Date | null;
  readonly staff: boolean;
}

const USER_COLUMNS = [
  'users.id',
  'users.email',
  'users.first_name as firstName',
  'users.last_name as lastName',
  'users.phone_number as phoneNumber',
  'users.locale',
] as const;

export class AccountRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Email addresses differ by more than case. */
  credentialsOf(email: string): Promise<CredentialRecord | undefined> {
    return this.#db
      .selectFrom('users')
      .select([...USER_COLUMNS, 'password_hash as passwordHash', 'confirmed_at as confirmedAt', 'staff'])
      .where(sql`lower(email)`, '=', sql`lower(${email})`)
      .executeTakeFirst();
  }

  async replacePasswordHash(userId: number, from: string, to: string): Promise<void> {
    await this.#db
      .updateTable('users')
      .set({ password_hash: to })
      .where('id', '=', userId)
      .where('password_hash', '=', from)
      .execute();
  }

  organization(id: number): Promise<OrganizationName | undefined> {
    return this.#db
      .selectFrom('organizations')
      .select(['id', 'name'])
      .where('id', '=', id)
      .executeTakeFirst();
  }

  async belongsTo(userId: number, organizationId: number): Promise<boolean> {
    const membership = await this.#db
      .selectFrom('organization_members')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return membership !== undefined;
  }

  /** The organization a user joined first, if any. */
  async homeOrganizationOf(userId: number): Promise<number | null> {
    const membership = await this.#db
      .selectFrom('organization_members')
      .select('organization_id')
      .where('user_id', '=', userId)
      .orderBy('created_at')
      .orderBy('organization_id')
      .executeTakeFirst();
    return membership?.organization_id ?? null;
  }

  user(id: number): Promise<UserRecord | undefined> {
    return this.#db.selectFrom('users').select(USER_COLUMNS).where('id', '=', id).executeTakeFirst();
  }
}
