import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { type Account, accountFor, PostgresServer } from '../../src/postgres/index.ts';
import type { Live } from '../live.ts';

/** The database of `npm start`. */
export interface Database {
  /** The folder of its files, without symbolic links. */
  readonly cluster: string;
  /** Owner of its files; undefined where it is the user of the run. */
  readonly account: Account | undefined;
  /** Of the role that owns everything. */
  readonly url: string;
}

export async function databaseOf({ system }: Live): Promise<Database> {
  const cluster = join(await realpath(join(system.dataFolder, 'postgres')), 'data');
  return { cluster, account: await accountFor(cluster), url: system.run.cloud.database_url };
}

/** The server alone, while the system is stopped; its address differs from that of before. */
export async function startServerAlone({ system }: Live): Promise<PostgresServer> {
  const { password } = new URL(system.run.cloud.database_url);
  const { dataFolder } = system;
  const server = new PostgresServer({ dataFolder, password: decodeURIComponent(password) });
  await server.start();
  return server;
}
