import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Page } from '../../db/page.ts';
import type { Reach } from '../devices/policy.ts';

export interface NewRequest {
  readonly uid: string;
  readonly userId: number;
  /** The organization that may decide, besides operators. */
  readonly organizationId: number | null;
  readonly message: string;
  readonly at: Date;
}

export type RequestRecord = Awaited<ReturnType<RequestRepository['list']>>[number];

export class RequestRepository {
  readonly #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  /** Stores a request instead of any earlier one for the device. */
  async save(tx: Database, { uid, userId, organizationId, message, at }: NewRequest): Promise<void> {
    const request = { user_id: userId, organization_id: organizationId, message, requested_at: at };
    await tx
      .insertInto('activation_requests')
      .values({ uid, ...request })
      .onConflict((conflict) => conflict.column('uid').doUpdateSet(request))
      .execute();
  }

  /** Open requests of the managed organizations, the oldest first. */
  list({ everything, managed }: Reach, { offset, limit }: Page) {
    return this.#db
      .selectFrom('activation_requests as requests')
      .innerJoin('users', 'users.id', 'requests.user_id')
      .select([
        'requests.uid',
        'requests.organization_id as organizationId',
        'requests.message',
        'requests.requested_at as requestedAt',
        'users.id as userId',
        'users.email',
        'users.first_name as firstName',
        'users.last_name as lastName',
      ])
      .$if(!everything, (requests) => requests.where(isOf(managed)))
      .orderBy('requests.requested_at')
      .orderBy('requests.uid')
      .offset(offset)
      .limit(limit)
      .execute();
  }

  /** @returns its account and organization; undefined when there is none within the managed organizations */
  remove(tx: Database, { everything, managed }: Reach, uid: string) {
    return tx
      .deleteFrom('activation_requests as requests')
      .where('requests.uid', '=', uid)
      .$if(!everything, (requests) => requests.where(isOf(managed)))
      .returning(['requests.user_id as userId', 'requests.organization_id as organizationId'])
      .executeTakeFirst();
  }
}

function isOf(organizationIds: readonly number[]) {
  return sql<SqlBool>`requests.organization_id = any(${organizationIds}::int[])`;
}
