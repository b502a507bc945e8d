export { ensureDatabase, withConnection } from './databases.ts';
export { type PostgresOptions, PostgresServer } from './server.ts';
