import { type SqlBool, sql } from 'kysely';
import type { Database } from '../../db/open.ts';
import type { Reach } from '../devices/policy.ts';
import type { Page } from './code-repository.ts';

export interface NewRequest {
  readonly uid: string;
  readonly userId: number;
  /** Null leaves it to the account: the organization it is a customer of, else one it works for. */
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

  /** Stores a request instead of any earlier one for the device. @returns the organization that may decide */
  async save(tx: Database, { uid, userId, organizationId, message, at }: NewRequest): Promise<number | null> {
    const request = {
      user_id: userId,
      organization_id: organizationId ?? homeOf(userId),
      message,
      requested_at: at,
    };
    const saved = await tx
      .insertInto('activation_requests')
      .values({ uid, ...request })
      .onConflict((conflict) => conflict.column('uid').doUpdateSet(request))
      .returning('organization_id as organizationId')
      .executeTakeFirstOrThrow();
    return saved.organizationId;
  }

  /** Requests that nobody has answered yet, of the organizations that somebody manages; the oldest first. */
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
      .$if(!everything, (requests) =>
        requests.where(sql<SqlBool>`requests.organization_id = any(${managed}::int[])`),
      )
      .orderBy('requests.requested_at')
      .orderBy('requests.uid')
      .offset(offset)
      .limit(limit)
      .execute();
  }
}

function homeOf(userId: number) {
  return sql<number | null>`coalesce(
    (select organization_id from users where id = ${userId}),
    (select organization_id from organization_members where user_id = ${userId}
      order by created_at, organization_id limit 1))`;
}
