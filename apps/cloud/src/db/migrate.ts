import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '@heliograph/kit';
import { sql } from 'kysely';
import { Client } from 'pg';
import type { Database } from './open.ts';
import { databaseAddress } from './primary.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

/** Id of the advisory lock under which one process migrates; an arbitrary constant. */
const LOCK_ID = 4_871_203;

/**
 * Runs each pending file of `migrations/` in the order of their names, each in a transaction of its own. Several processes
 * may call it at once.
 */
export async function migrate(databaseUrl: string): Promise<void> {
  // A connection of its own without the timeouts of requests, as migrations of this or another process may take long.
  const client = new Client({ ...databaseAddress(databaseUrl), application_name: 'heliograph-migrate' });
  // The current statement fails too; without a listener the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_ID]);
    await runPending(client);
  } finally {
    // Closing the connection releases the lock, even after a failure.
    await client.end();
  }
}

/** Compatibility of a database with this release. */
export type SchemaState = 'empty' | 'current' | 'outdated';

/** Compares the database with the newest migration; changes nothing. */
export async function schemaState(db: Database): Promise<SchemaState> {
  const { rows } = await sql<{ made: boolean }>`select to_regclass('migrations') is not null as made`.execute(
    db,
  );
  if (!rows[0]?.made) return 'empty';
  const done = await sql<{ name: string }>`select name from migrations`.execute(db);
  if (done.rows.length === 0) return 'empty';
  const known = new Set(done.rows.map(({ name }) => name));
  return (await migrationFiles()).every((file) => known.has(file)) ? 'current' : 'outdated';
}

async function migrationFiles(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
}

async function runPending(client: Client): Promise<void> {
  await refuseForeignTables(client);
  await client.query(
    'create table if not exists migrations (name text primary key, run_at timestamptz not null default now())',
  );
  const { rows } = await client.query<{ name: string }>('select name from migrations');
  const done = new Set(rows.map(({ name }) => name));
  for (const name of (await migrationFiles()).filter((file) => !done.has(file))) {
    await client.query('begin');
    await client.query(await readFile(join(FOLDER, name), 'utf8'));
    await client.query('insert into migrations (name) values ($1)', [name]);
    await client.query('commit');
  }
}

/** @throws ConfigError in a database that holds another application's tables, before anything is changed */
async function refuseForeignTables(client: Client): Promise<void> {
  const { rows } = await client.query<{ ours: boolean; theirs: boolean }>(
    `select to_regclass('signing_keys') is not null as ours,
      exists (select from information_schema.tables
        where table_schema = current_schema() and table_type = 'BASE TABLE' and table_name <> 'migrations') as theirs`,
  );
  if (rows[0]?.theirs && !rows[0].ours) {
    throw new ConfigError(
      "The database of DATABASE_URL holds another application's tables: give Heliograph its own",
    );
  }
}
