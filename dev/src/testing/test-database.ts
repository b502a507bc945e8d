import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { withConnection } from '../postgres/index.ts';

/** A database of a test's own. */
export interface TestDatabase extends AsyncDisposable {
  /** Its connection URL, for a role that may do everything. */
  readonly url: string;
  /** Ends every session on it and removes it. */
  drop(): Promise<void>;
}

interface TestDatabaseOptions {
  readonly copyOf?: TestDatabase;
  /** A BCP 47 tag; only without `copyOf`. */
  readonly language?: string;
}

/**
 * Creates a database on the run's PostgreSQL (see global-setup.ts): an empty one, or a copy of one without open
 * connections. A database that is not dropped ends with the run.
 *
 * @example
 * await using database = await createTestDatabase();
 * const pool = new pg.Pool({ connectionString: database.url });
 */
export async function createTestDatabase({
  copyOf,
  language,
}: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const adminUrl = await postgresUrl();
  const name = inject('testDatabases') + randomBytes(8).toString('hex');
  // Copied as files: the alternative writes each page to the log as well.
  const template =
    copyOf === undefined
      ? localeOf(language)
      : `template ${new URL(copyOf.url).pathname.slice(1)} strategy file_copy`;
  await serverAt(adminUrl).query(`create database ${name} ${template}`);
  return databaseOf(adminUrl, name);
}

/** As on a machine of that language: its lower() and upper() are those of the language. */
function localeOf(language: string | undefined): string {
  if (language === undefined) return '';
  return `template template0 encoding 'UTF8' locale_provider icu icu_locale '${language}' locale 'C.UTF-8'`;
}

/**
 * A database to copy, which all workers of a run share: the first one that needs it fills it.
 *
 * @param fill closes its connections in the end
 */
export async function sharedTemplate(
  name: string,
  fill: (database: TestDatabase) => Promise<void>,
): Promise<TestDatabase> {
  const adminUrl = await postgresUrl();
  const template = inject('testDatabases') + name;
  await withConnection(adminUrl, async (client) => {
    // Held until the connection ends.
    await client.query('select pg_advisory_lock(hashtext($1))', [template]);
    const { rowCount } = await client.query('select from pg_database where datname = $1', [template]);
    if (rowCount === 1) return;
    const filled = await createTestDatabase();
    await fill(filled);
    await client.query(`alter database ${new URL(filled.url).pathname.slice(1)} rename to ${template}`);
  });
  return databaseOf(adminUrl, template);
}

function databaseOf(adminUrl: string, name: string): TestDatabase {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  const drop = async (): Promise<void> => {
    await serverAt(adminUrl).query(`drop database if exists ${name} with (force)`);
  };
  return { url: url.href, drop, [Symbol.asyncDispose]: drop };
}

let connections: pg.Pool | undefined;

/** The connections of a worker on which it makes and drops databases: each new one costs as much as a small database. */
function serverAt(adminUrl: string): pg.Pool {
  if (connections === undefined) {
    connections = new pg.Pool({
      connectionString: adminUrl,
      max: 2,
      idleTimeoutMillis: 0,
      allowExitOnIdle: true,
    });
    // The server may stop before the worker.
    connections.on('error', () => undefined);
  }
  return connections;
}

let urlOfRun: Promise<string> | undefined;

function postgresUrl(): Promise<string> {
  urlOfRun ??= fetchUrl();
  return urlOfRun;
}

async function fetchUrl(): Promise<string> {
  const answer = await fetch(inject('testPostgres'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(`The tests have no PostgreSQL: ${text}`);
  return text;
}
