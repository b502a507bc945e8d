import { appendFile, chown, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyCluster, withConnection } from '../../src/postgres/index.ts';
import type { Live } from '../live.ts';
import { type Database, databaseOf, startServerAlone } from '../machine/database.ts';
import type { Step } from '../step.ts';
import { until } from '../until.ts';
import { assertRestored, changeSettings, makeMistakes, RELEASED, stateOfCloud } from './cloud-state.ts';

const GUIDE = join(import.meta.dirname, '../../../docs/operating-a-cloud.md');

export const cloudRecovery: Step = {
  name: 'cloud-recovery',
  title:
    "the cloud's database is restored to the moment before a mistake, as docs/operating-a-cloud.md describes",
  causes: [RELEASED],
  async run(live) {
    const settings = await guideSettings();
    const database = await databaseOf(live);
    const archive = await archiveFolder(live, database);
    const configure = (text: string): Promise<void> =>
      appendFile(join(database.cluster, 'postgresql.conf'), text.replaceAll('/backup/wal', archive));
    await configure(settings.archive);
    await live.system.stop();
    await live.system.start();

    const { url } = await databaseOf(live);
    const base = `${database.cluster}.base`;
    await copyCluster({ ...database, url: () => url }, base, database.account, { awaitArchive: true });
    await changeSettings(live, 'after the base backup');
    const before = await stateOfCloud(live);
    const moment = await queried(url, 'select clock_timestamp()::text');
    const lateToken = await makeMistakes(live);
    await archived(url);
    await live.system.stop();

    await rename(database.cluster, `${database.cluster}.former`);
    await rename(base, database.cluster);
    await configure(settings.recovery.replace(/(?<=recovery_target_time = ').*(?=')/, moment));
    await writeFile(join(database.cluster, 'recovery.signal'), '', { mode: 0o644 });
    {
      await using server = await startServerAlone(live);
      await until('the server was restored and takes writes', async () => {
        return (await queried(server.url(), 'select pg_is_in_recovery()::text')) === 'false';
      });
    }
    await live.system.start();
    await assertRestored(live, before, lateToken);
  },
};

/** Settings of the guide: of the server whose log is archived, and of the one that is restored from it. */
async function guideSettings(): Promise<{ readonly archive: string; readonly recovery: string }> {
  const guide = await readFile(GUIDE, 'utf8');
  const archive = /```ini\n(archive_mode = on\n[\s\S]*?)```/.exec(guide)?.[1];
  const recovery = /<<'END'\n(port = 5433\n[\s\S]*?)END\n/.exec(guide)?.[1];
  if (archive === undefined || recovery === undefined) throw new Error(`${GUIDE} has no recovery in time`);
  return { archive: `\n${archive}`, recovery: `\n${recovery}` };
}

/** A folder that PostgreSQL's account may write to. */
async function archiveFolder({ undo }: Live, { account }: Database): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-archive-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  if (account) await chown(folder, account.uid, account.gid);
  return folder;
}

/** Waits until the archive has everything that was written so far. */
async function archived(url: string): Promise<void> {
  const last = await queried(url, 'select pg_walfile_name(pg_switch_wal())');
  await until('the log of the database was archived', async () => {
    return (await queried(url, 'select last_archived_wal from pg_stat_archiver')) >= last;
  });
}

async function queried(url: string, query: string): Promise<string> {
  return withConnection(url, async (client) => {
    const { rows } = await client.query<Record<string, string | null>>(query);
    return Object.values(rows[0] ?? {})[0] ?? '';
  });
}
