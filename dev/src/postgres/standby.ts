import { appendFile, chown, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { copyCluster } from './base-backup.ts';
import { SUPERUSER } from './cluster.ts';

/** Name of the standby in `synchronous_standby_names` of its primary. */
export const STANDBY_NAME = 'standby';

/** A running server whose data is copied. */
export interface Primary {
  readonly cluster: string;
  readonly port: number;
  readonly password: string;
  url(): string;
}

/**
 * Makes the cluster `<place>/data` a standby of a running primary.
 *
 * @returns the cluster's folder
 */
export async function copyToStandby(
  place: string,
  primary: Primary,
  account: Account | undefined,
): Promise<string> {
  const cluster = join(place, 'data');
  const unfinished = `${cluster}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await copyCluster(primary, unfinished, account, { awaitArchive: false });
  const { port, password } = primary;
  const address = `host=127.0.0.1 port=${port} user=${SUPERUSER} password=${password}`;
  await appendFile(
    join(unfinished, 'postgresql.auto.conf'),
    `primary_conninfo = '${address} application_name=${STANDBY_NAME}'\nsynchronous_standby_names = ''\nwal_retrieve_retry_interval = '1s'\n`,
  );
  const signal = join(unfinished, 'standby.signal');
  await writeFile(signal, '', { mode: 0o600 });
  if (account) await chown(signal, account.uid, account.gid);
  await rename(unfinished, cluster);
  return cluster;
}
