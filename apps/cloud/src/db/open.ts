import { outsideOfRequests } from '@heliograph/kit';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool } from 'pg';
import { PreparingClient } from './prepared-statements.ts';
import { databaseAddress } from './primary.ts';
import type { Schema } from './schema.ts';

export type Database = Kysely<Schema>;

export interface OpenDatabase {
  readonly db: Database;
  /** The connections of `db`. Work that has one takes no second one: under load all would wait for each other. */
  readonly pool: Pool;
  /** Connections for single statements, which also run while transactions wait for them. */
  readonly limitsPool: Pool;
  close(): Promise<void>;
}

/** Maximum connections of a process, ten together; PostgreSQL's default allows 100 in all. */
const MAX_CONNECTIONS = 8;
const MAX_LIMITS_CONNECTIONS = 2;

export interface DatabaseTimeouts {
  /** Maximum wait for a connection, in milliseconds; then the query fails as an outage. 0 is none. */
  readonly connectMs: number;
  /** Server-side timeout of a statement, in milliseconds; 0 is none. */
  readonly statementMs: number;
  /**
   * Client-side timeout of an answer, in milliseconds; 0 is none. Longer than the server's own, so that it applies
   * only to a server that is silent.
   */
  readonly answerMs: number;
}

const TIMEOUTS: DatabaseTimeouts = { connectMs: 5_000, statementMs: 8_000, answerMs: 9_000 };

/**
 * No parallel workers and no JIT: the queries of requests are short, so starting processes or compiling costs more than
 * the query itself. The planner would do both for steps that turn out to be skipped.
 */
const SETTINGS = '-c max_parallel_workers_per_gather=0 -c jit=off';

/**
 * @param url of one server, or of several as `databaseAddress` takes them
 * @param onIdleError receives the error when PostgreSQL closes an idle connection
 * @param databaseOn replaced in tests
 */
export function openDatabase(
  url: string,
  onIdleError: (error: Error) => void,
  timeouts = TIMEOUTS,
  databaseOn = (pool: Pool): Database => new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }),
): OpenDatabase {
  const pool = openPool(url, MAX_CONNECTIONS, onIdleError, timeouts);
  const limitsPool = openPool(url, MAX_LIMITS_CONNECTIONS, onIdleError, timeouts);
  const db = databaseOn(pool);
  return {
    ...{ db, pool, limitsPool },
    close: async () => {
      await Promise.all([db.destroy(), limitsPool.end()]);
    },
  };
}

function openPool(
  url: string,
  max: number,
  onIdleError: (error: Error) => void,
  { connectMs, statementMs, answerMs }: DatabaseTimeouts,
): Pool {
  const pool = new Pool({
    ...databaseAddress(url),
    max,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: answerMs,
    options: SETTINGS,
    application_name: 'heliograph-cloud',
    Client: PreparingClient,
  });
  // A connection belongs to whatever request needed one more.
  pool.on('error', outsideOfRequests(onIdleError));
  // The pool listens to idle connections only. A connection in use that breaks between two statements fails the next
  // one; without a listener its error event would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}
