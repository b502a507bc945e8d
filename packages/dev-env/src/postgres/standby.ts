import { appendFile, chown, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../machine/run-program.ts';
import { StartRefusal } from '../machine/start-refusal.ts';
import type { Account } from './account.ts';
import { SUPERUSER } from './cluster.ts';
import { withConnection } from './databases.ts';
import { makeOwned } from './place.ts';

/** Name of the standby in `synchronous_standby_names` of its primary. */
export const STANDBY_NAME = 'standby';

/** How long copying a cluster may take, in milliseconds. */
const COPY_TIMEOUT_MS = 120_000;
/** Files of a running server that a copy must not have: https://www.postgresql.org/docs/18/continuous-archiving.html */
const LEFT_OUT = [
  'postmaster.pid',
  'postmaster.opts',
  'standby.signal',
  'pg_wal',
  'pg_replslot',
  'pg_stat_tmp',
];
/** Folders among them that must exist. */
const EMPTY_FOLDERS = ['pg_wal', 'pg_replslot', 'pg_stat_tmp'];

/** A running server whose data is copied. */
export interface Primary {
  readonly cluster: string;
  readonly port: number;
  readonly password: string;
  url(): string;
}

/**
 * Makes the cluster `<place>/data` a standby of a running primary. npm's packages lack `pg_basebackup`, so the files are copied in
 * a backup that SQL begins and ends.
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
  await makeOwned(unfinished, account);
  const write = async (name: string, text: string): Promise<void> => {
    await writeFile(join(unfinished, name), text, { mode: 0o600 });
    if (account) await chown(join(unfinished, name), account.uid, account.gid);
  };
  await withConnection(primary.url(), async (client) => {
    await client.query(`select pg_backup_start('${STANDBY_NAME}', true)`);
    const copied = await run('cp', ['-a', `${primary.cluster}/.`, unfinished], {
      timeoutMs: COPY_TIMEOUT_MS,
    });
    if (!copied.ok) throw new StartRefusal(`The cluster cannot be copied: ${copied.stderr}`);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    for (const name of LEFT_OUT) await rm(join(unfinished, name), { recursive: true, force: true });
    for (const name of EMPTY_FOLDERS) await makeOwned(join(unfinished, name), account);
    await write('backup_label', rows[0]?.labelfile ?? '');
  });
  const { port, password } = primary;
  const address = `host=127.0.0.1 port=${port} user=${SUPERUSER} password=${password}`;
  await appendFile(
    join(unfinished, 'postgresql.auto.conf'),
    `primary_conninfo = '${address} application_name=${STANDBY_NAME}'\nsynchronous_standby_names = ''\nwal_retrieve_retry_interval = '1s'\n`,
  );
  await write('standby.signal', '');
  await rename(unfinished, cluster);
  return cluster;
}
