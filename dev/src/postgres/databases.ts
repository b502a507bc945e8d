import pg from 'pg';
import { StartRefusal } from '../machine/start-refusal.ts';
import type { PostgresServer } from './server.ts';

/** SQLSTATE invalid_password, https://www.postgresql.org/docs/18/errcodes-appendix.html */
const INVALID_PASSWORD = '28P01';

/**
 * Creates a database unless it exists. Resolves to its URL.
 *
 * @throws StartRefusal when the cluster was made with another password
 */
export async function ensureDatabase(server: PostgresServer, name: string): Promise<string> {
  try {
    await withConnection(server.url(), async (client) => {
      const found = await client.query('select from pg_database where datname = $1', [name]);
      if (found.rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
    });
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && error.code === INVALID_PASSWORD)) throw error;
    throw new StartRefusal(
      'The database was made with another password than secrets.json has: restore that file, or delete the data folder for a fresh start',
    );
  }
  return server.url(name);
}

/** Runs with one connection, and closes it whatever happens. */
export async function withConnection<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  // The query under way fails as well; without a listener the event would end the process.
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
