import { createTestDatabase } from '@heliograph/dev-env/testing';
import { ConfigError } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { migrate } from './migrate.ts';
import { openDatabase } from './open.ts';

it("touches nothing in a database with another application's tables", async () => {
  await using database = await createTestDatabase();
  const { pool, close } = openDatabase(database.url, () => undefined);
  try {
    await pool.query('create table migrations (id integer); create table users (id integer)');
    await expect(migrate(database.url)).rejects.toThrow(ConfigError);
    const { rows } = await pool.query(
      "select table_name from information_schema.tables where table_schema = 'public' order by 1",
    );
    expect(rows).toEqual([{ table_name: 'migrations' }, { table_name: 'users' }]);
  } finally {
    await close();
  }
});

it('runs again without changing anything', async () => {
  await using database = await createTestDatabase();
  const { pool, close } = openDatabase(database.url, () => undefined);
  try {
    await migrate(database.url);
    const before = await pool.query('select name, run_at from migrations order by name');
    await migrate(database.url);
    expect((await pool.query('select name, run_at from migrations order by name')).rows).toEqual(before.rows);
    expect(before.rows.length).toBeGreaterThan(1);
  } finally {
    await close();
  }
});
