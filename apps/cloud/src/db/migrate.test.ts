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

it('takes the password from an unconfirmed account that has a role, and from no other', async () => {
  await using database = await createTestDatabase();
  const { pool, close } = openDatabase(database.url, () => undefined);
  try {
    await migrate(database.url);
    await pool.query(`insert into users (email, password_hash, confirmed_at) values
      ('member@example.org', 'x', null), ('alone@example.org', 'x', null), ('confirmed@example.org', 'x', now())`);
    await pool.query(`insert into sites (region, owner_id) select 'us', id from users where email like 'c%'`);
    await pool.query(`insert into site_members (site_id, user_id, role)
      select sites.id, users.id, 'member' from sites, users where email like 'm%'`);
    await pool.query(`insert into one_time_tokens (hash, purpose, user_id, created_at, expires_at)
      select sha256(email::bytea), 'pending', id, now(), now() + interval '1 hour' from users`);
    await pool.query(`delete from migrations where name = '0011-accounts-start-anew.sql'`);
    await migrate(database.url);
    const { rows } =
      await pool.query(`select email, password_hash is null as voided, spent_at is not null as spent
      from users join one_time_tokens on user_id = users.id order by email`);
    expect(rows).toEqual([
      { email: 'alone@example.org', voided: false, spent: false },
      { email: 'confirmed@example.org', voided: false, spent: false },
      { email: 'member@example.org', voided: true, spent: true },
    ]);
  } finally {
    await close();
  }
});
