import { sql } from 'kysely';
import type { TestCloud } from '../test-cloud.ts';

/** How PostgreSQL fails the statements of a job: as one that is shutting down, or for a reason of their own. */
export type DatabaseFailure = 'outage' | 'fault';

/** SQLSTATE of each, https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CODES = { outage: '57P01', fault: 'P0001' } as const;

/** While a job runs, PostgreSQL fails every write to a table. */
export async function withoutWritesTo<T>(
  { db }: TestCloud,
  table: string,
  failure: DatabaseFailure,
  job: () => Promise<T>,
): Promise<T> {
  await sql`create or replace function fail_write() returns trigger language plpgsql as
    ${sql.lit(`begin raise exception 'refused: %', to_jsonb(new) using errcode = '${CODES[failure]}'; end`)}`.execute(
    db,
  );
  await sql`create trigger failing before insert or update on ${sql.id(table)}
    for each row execute function fail_write()`.execute(db);
  try {
    return await job();
  } finally {
    await sql`drop trigger failing on ${sql.id(table)}`.execute(db);
  }
}
