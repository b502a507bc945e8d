import { createTestDatabase } from '@heliograph/dev/testing';
import { type RawBuilder, sql } from 'kysely';
import { expect, it } from 'vitest';
import { type Database, openDatabase } from './open.ts';
import { PREPARED } from './prepared-statements.ts';

const sum = (mark: RawBuilder<unknown>, a: number, b: number) =>
  sql<{ sum: number }>`${mark} select ${a}::int + ${b}::int as sum`;
const NO_MARK = sql.raw('');

async function sumOf(statement: RawBuilder<{ sum: number }>, db: Database): Promise<number | undefined> {
  return (await statement.execute(db)).rows[0]?.sum;
}

it('a connection plans a marked statement once, whatever its values', async () => {
  await using database = await createTestDatabase();
  const { db, close } = openDatabase(database.url, () => undefined);
  await db.connection().execute(async (connection) => {
    expect(await sumOf(sum(PREPARED, 1, 2), connection)).toBe(3);
    expect(await sumOf(sum(PREPARED, 30, 4), connection)).toBe(34);
    expect(await sumOf(sum(NO_MARK, 5, 6), connection)).toBe(11);
    const { rows } = await sql<{ plans: number }>`select (generic_plans + custom_plans)::int as plans
      from pg_prepared_statements`.execute(connection);
    expect(rows).toEqual([{ plans: 2 }]);
    await expect(sql`${PREPARED} select nothing`.execute(connection)).rejects.toThrow('nothing');
    expect(await sumOf(sum(PREPARED, 7, 1), connection)).toBe(8);
  });
  await close();
});
