import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  ConfigError,
  compareVersions,
  isVersion,
  NewerDatabase,
  projectVersion,
  reasonOf,
} from '@heliograph/kit';
import { sql } from 'kysely';
import { Client } from 'pg';
import { canonicalizeEmails } from './canonical-emails.ts';
import type { Database } from './open.ts';
import { databaseAddress } from './primary.ts';
import { adoptRestoredFeed } from './restored-feed.ts';

const FOLDER = join(import.meta.dirname, 'migrations');

/** Id of the advisory lock under which one process migrates; an arbitrary constant. */
const LOCK_ID = 4_871_203;

/** The oldest release whose processes work with the tables of this one: the last release before it. */
export const OLDEST_WORKING_RELEASE = '0.1.0';

/** A migration that has run, as its row has it. */
interface DoneMigration {
  readonly name: string;
  /** The release that ran it; absent in rows of releases that did not record it, and of no known order. */
  readonly release?: string | null;
  /** The oldest release that works with the tables afterwards. */
  readonly works_with?: string | null;
}

/**
 * Runs each pending file of `migrations/` in the order of their names, each in a transaction of its own, gives addresses
 * their canonical form, and adopts the feed of a restored dump. Several processes may call it at once.
 *
 * @returns the newest release that changed the database, where that is a later one than this, which works with it
 * @throws NewerDatabase, before anything is changed, where a newer release changed more than this one works with
 */
export async function migrate(databaseUrl: string): Promise<string | undefined> {
  // A connection of its own without the timeouts of requests, as migrations of this or another process may take long.
  const client = new Client({ ...databaseAddress(databaseUrl), application_name: 'heliograph-migrate' });
  // The current statement fails too; without a listener the event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    // Every address of a name is tried, each with an error of its own.
    const reason = error instanceof AggregateError ? error.errors.map(reasonOf).join(', ') : reasonOf(error);
    throw new ConfigError(`DATABASE_URL: the database cannot be reached: ${reason}`, { cause: error });
  }
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_ID]);
    const newer = await runPending(client);
    await canonicalizeEmails(client);
    await adoptRestoredFeed(client);
    return newer;
  } finally {
    // Closing the connection releases the lock, even after a failure.
    await client.end();
  }
}

/** Compatibility of a database with this release. */
export type SchemaState = 'empty' | 'current' | 'outdated';

/** Compares the database with the newest migration; changes nothing. @throws NewerDatabase as `migrate` does */
export async function schemaState(db: Database): Promise<SchemaState> {
  const { rows: found } = await sql<{
    made: boolean;
  }>`select to_regclass('migrations') is not null as made`.execute(db);
  if (!found[0]?.made) return 'empty';
  const { rows } = await sql<{
    row: DoneMigration;
  }>`select to_jsonb(migrations) as row from migrations`.execute(db);
  const done = rows.map(({ row }) => row);
  if (done.length === 0) return 'empty';
  const files = await migrationFiles();
  refuseNewer(done, files);
  const known = new Set(done.map(({ name }) => name));
  return files.every((file) => known.has(file)) ? 'current' : 'outdated';
}

async function migrationFiles(): Promise<string[]> {
  return (await readdir(FOLDER)).filter((file) => file.endsWith('.sql')).sort();
}

async function runPending(client: Client): Promise<string | undefined> {
  await refuseForeignTables(client);
  const rows = await doneMigrations(client);
  const files = await migrationFiles();
  const newer = refuseNewer(rows, files);
  const done = new Set(rows.map(({ name }) => name));
  const pending = files.filter((file) => !done.has(file));
  if (pending.length === 0) return newer;
  await client.query(`
    create table if not exists migrations (name text primary key, run_at timestamptz not null default now());
    alter table migrations add column if not exists release text, add column if not exists works_with text;
  `);
  for (const name of pending) {
    await client.query('begin');
    await client.query(await readFile(join(FOLDER, name), 'utf8'));
    await client.query('insert into migrations (name, release, works_with) values ($1, $2, $3)', [
      name,
      projectVersion(),
      OLDEST_WORKING_RELEASE,
    ]);
    await client.query('commit');
  }
  return newer;
}

async function doneMigrations(client: Client): Promise<readonly DoneMigration[]> {
  const { rows: found } = await client.query<{ made: boolean }>(
    "select to_regclass('migrations') is not null as made",
  );
  if (!found[0]?.made) return [];
  const { rows } = await client.query<{ row: DoneMigration }>(
    'select to_jsonb(migrations) as row from migrations',
  );
  return rows.map(({ row }) => row);
}

/**
 * @returns as `migrate` does
 * @throws NewerDatabase where the database has migrations of a newer release that this one does not work with
 */
function refuseNewer(rows: readonly DoneMigration[], files: readonly string[]): string | undefined {
  const own = projectVersion();
  const known = new Set(files);
  const unknown = rows.filter(({ name }) => !known.has(name));
  const refused = unknown.find((row) => !worksWith(row, own));
  if (refused === undefined) {
    return unknown
      .flatMap((row) => row.release ?? [])
      .toSorted(compareVersions)
      .at(-1);
  }
  const { name, release, works_with: oldest } = refused;
  const newer = release && isVersion(release) && compareVersions(release, own) > 0 ? release : undefined;
  const by = newer === undefined ? 'a newer release' : `release ${newer}`;
  const start = newer !== undefined && oldest ? `release ${oldest} or later` : 'that release';
  throw new NewerDatabase(
    `The database of DATABASE_URL was changed by ${by} (${name}), and release ${own} does not work with it: ` +
      `start ${start}, or restore the backup that was made before the update`,
  );
}

function worksWith({ release, works_with: oldest }: DoneMigration, own: string): boolean {
  if (!release || !oldest || !isVersion(release) || !isVersion(oldest)) return false;
  return compareVersions(own, release) < 0 && compareVersions(own, oldest) >= 0;
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
