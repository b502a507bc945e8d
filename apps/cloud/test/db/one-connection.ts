import { AsyncLocalStorage } from 'node:async_hooks';
import { type ConnectionProvider, Kysely, PostgresDialect } from 'kysely';
import type { Pool } from 'pg';
import type { Database } from '../../src/db/open.ts';
import type { Schema } from '../../src/db/schema.ts';

const hasConnection = new AsyncLocalStorage<true>();

/**
 * A database on which work that has a connection, such as a transaction, fails when it takes a second one from the pool: as many
 * requests at the same time as there are connections would wait for each other.
 */
export function oneConnectionEach(pool: Pool): Database {
  const dialect = new PostgresDialect({ pool });
  const driver = dialect.createDriver();
  const unchecked = new Kysely<Schema>({
    dialect: {
      createDriver: () => driver,
      createQueryCompiler: () => dialect.createQueryCompiler(),
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (db) => dialect.createIntrospector(db),
    },
  }).getExecutor();
  const provider: ConnectionProvider = {
    provideConnection(consumer, options) {
      if (hasConnection.getStore())
        throw new Error('Work that has a connection of the database takes a second one');
      return unchecked.provideConnection(
        (connection) => hasConnection.run(true, () => consumer(connection)),
        options,
      );
    },
  };
  const executor = unchecked.withConnectionProvider(provider);
  return new Kysely<Schema>({ config: { dialect }, dialect, driver, executor });
}
