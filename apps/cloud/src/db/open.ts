import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

export interface OpenDatabase {
  readonly db: Database;
  readonly pool: Pool;
  close(): Promise<void>;
}

/** Connections a process holds at most; PostgreSQL's default allows 100 in all. */
const MAX_CONNECTIONS = 10;

/** How long a query may wait for a connection, in milliseconds, before it fails as an outage. */
const CONNECT_TIMEOUT_MS = 5_000;

/** Longest a statement may run, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 30_000;

/** @param onIdleError told when PostgreSQL drops a connection that nobody was using */
export function openDatabase(url: string, onIdleError: (error: Error) => void): OpenDatabase {
  const pool = new Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    application_name: 'heliograph-cloud',
  });
  pool.on('error', onIdleError);
  // The pool listens to idle connections only. One that breaks between two statements of whoever holds it fails
  // the next of them; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}
