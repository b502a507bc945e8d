import { expect, it } from 'vitest';
import { withConnection } from '../postgres/index.ts';
import { createTestDatabase } from './index.ts';

it('each call makes an empty database of its own', async () => {
  await using one = await createTestDatabase();
  await using other = await createTestDatabase();

  await withConnection(one.url, (client) => client.query('create table readings (w int)'));

  expect(await tables(one.url)).toEqual(['readings']);
  expect(await tables(other.url)).toEqual([]);
});

it('a copy has the tables of its template', async () => {
  await using one = await createTestDatabase();
  await withConnection(one.url, (client) => client.query('create table readings (w int)'));

  await using copy = await createTestDatabase({ copyOf: one });

  expect(await tables(copy.url)).toEqual(['readings']);
});

it('a database is dropped even while a session is open on it', async () => {
  const database = await createTestDatabase();

  await withConnection(database.url, async (client) => {
    client.on('error', () => undefined);
    await database.drop();
  }).catch(() => undefined);

  await expect(tables(database.url)).rejects.toThrow(/does not exist/);
});

async function tables(url: string): Promise<string[]> {
  const query = "select tablename from pg_tables where schemaname = 'public'";
  const { rows } = await withConnection(url, (client) => client.query<{ tablename: string }>(query));
  return rows.map((row) => row.tablename);
}
