import { chown, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run } from '../machine/run-program.ts';
import { StartRefusal } from '../machine/start-refusal.ts';
import type { Account } from './account.ts';
import { withConnection } from './databases.ts';
import { makeOwned } from './place.ts';

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

/**
 * Copies the cluster of a running server into a new folder, without its write-ahead log. npm's packages lack `pg_basebackup`, so
 * the files are copied in a backup that SQL begins and ends.
 *
 * @param source.url role that owns the cluster
 * @param awaitArchive whether the log of the copy must be in the server's archive at the end
 */
export async function copyCluster(
  source: { readonly cluster: string; url(): string },
  copy: string,
  account: Account | undefined,
  { awaitArchive }: { readonly awaitArchive: boolean },
): Promise<void> {
  await makeOwned(copy, account);
  await withConnection(source.url(), async (client) => {
    await client.query("select pg_backup_start('copy', true)");
    const copied = await run('cp', ['-a', `${source.cluster}/.`, copy], { timeoutMs: COPY_TIMEOUT_MS });
    if (!copied.ok) throw new StartRefusal(`The cluster cannot be copied: ${copied.stderr}`);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop($1)', [
      awaitArchive,
    ]);
    for (const name of LEFT_OUT) await rm(join(copy, name), { recursive: true, force: true });
    for (const name of EMPTY_FOLDERS) await makeOwned(join(copy, name), account);
    const label = join(copy, 'backup_label');
    await writeFile(label, rows[0]?.labelfile ?? '', { mode: 0o600 });
    if (account) await chown(label, account.uid, account.gid);
  });
}
