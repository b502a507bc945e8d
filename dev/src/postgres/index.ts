export { type Account, accountFor } from './account.ts';
export { copyCluster } from './base-backup.ts';
export { ensureDatabase, withConnection } from './databases.ts';
export { makeOwned } from './place.ts';
export { type PostgresOptions, PostgresServer } from './server.ts';
