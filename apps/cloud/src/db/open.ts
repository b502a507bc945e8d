import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { PreparingClient } from './prepared-statements.ts';
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

/** Longest a statement may run, in milliseconds, before the server gives it up. */
const STATEMENT_TIMEOUT_MS = 8_000;

/**
 * How long an answer may take, in milliseconds, before the client gives it up: longer than the server's own limit,
 * so that only a server that is silent, and does not keep its limit, is given up this way.
 */
const ANSWER_TIMEOUT_MS = 9_000;

/**
 * A request's queries are short. Starting other processes for one, or compiling it, takes longer than running it, and
 * takes from the others; both happen for steps that the planner cannot know to be left out.
 */
const SETTINGS = '-c max_parallel_workers_per_gather=0 -c jit=off';

/** @param onIdleError receives the error when PostgreSQL closes an idle connection */
export function openDatabase(url: string, onIdleError: (error: Error) => void): OpenDatabase {
  const pool = new Pool({
    connectionString: url,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    options: SETTINGS,
    application_name: 'heliograph-cloud',
    Client: PreparingClient,
  });
  pool.on('error', onIdleError);
  // The pool listens to idle connections only. A connection in use that breaks between two statements fails the next
  // one; without a listener its error event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  return { db, pool, close: () => db.destroy() };
}
