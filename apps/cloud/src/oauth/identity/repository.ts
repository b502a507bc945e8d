import { sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import { PREPARED } from '../../db/prepared-statements.ts';
import type { IdentityRecord } from './claims.ts';

const COLUMNS = [
  'users.id',
  'users.email',
  'users.first_name as firstName',
  'users.last_name as lastName',
  'users.locale',
  sql<boolean>`users.confirmed_at is not null`.as('confirmed'),
] as const;

export class IdentityRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  account(userId: number): Promise<IdentityRecord | undefined> {
    return this.#db
      .selectFrom('users')
      .modifyFront(PREPARED)
      .select(COLUMNS)
      .where('id', '=', userId)
      .executeTakeFirst();
  }

  /** The account of a session, and the start of the session. */
  accountOfSession(tokenId: number): Promise<(IdentityRecord & { openedAt: Date }) | undefined> {
    return this.#db
      .selectFrom('tokens')
      .innerJoin('users', 'users.id', 'tokens.user_id')
      .select([...COLUMNS, 'tokens.created_at as openedAt'])
      .where('tokens.id', '=', tokenId)
      .executeTakeFirst();
  }
}
