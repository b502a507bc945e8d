import { createTestDatabase } from '@heliograph/dev/testing';
import { expect, it } from 'vitest';
import { isOutage } from './failures.ts';
import { openDatabase } from './open.ts';

it('the process survives a connection that the server ends while it is in use', async () => {
  await using database = await createTestDatabase();
  const { pool, close } = openDatabase(database.url, () => undefined);
  const held = await pool.connect();
  const { rows } = await held.query('select pg_backend_pid() as pid');
  const ended = new Promise((resolve) => held.once('end', resolve));
  await pool.query('select pg_terminate_backend($1)', [rows[0].pid]);
  await ended;

  const next: unknown = await held.query('select 1').catch((error: unknown) => error);
  expect(isOutage(next)).toBe(true);
  held.release();
  expect((await pool.query('select 1')).rowCount).toBe(1);
  await close();
});
