import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { ensureDatabase, withConnection } from '../../src/postgres/index.ts';
import { startServerAlone } from '../machine/database.ts';
import { SkippedStep, type Step } from '../step.ts';
import { assertRestored, changeSettings, makeMistakes, RELEASED, stateOfCloud } from './cloud-state.ts';

const execute = promisify(execFile);

/** Debian has the programs of each version in a folder there. */
const DEBIAN = '/usr/lib/postgresql';

export const cloudDump: Step = {
  name: 'cloud-dump',
  title: 'a dump of the cloud that psql restores into an empty database has everything that it had',
  causes: [RELEASED],
  async run(live) {
    const { database_url: url } = live.system.run.cloud;
    const name = new URL(url).pathname.slice(1);
    const bin = await clientPrograms(url);
    await changeSettings(live, 'in the dump');
    const before = await stateOfCloud(live);
    const dump = join(live.folder, 'cloud.sql');
    await execute(join(bin, 'pg_dump'), ['--file', dump, url]);
    const lateToken = await makeMistakes(live);
    await live.system.stop();
    {
      await using server = await startServerAlone(live);
      await withConnection(server.url(), async (client) => {
        await client.query(`alter database ${client.escapeIdentifier(name)} rename to former`);
      });
      const empty = await ensureDatabase(server, name);
      await execute(join(bin, 'psql'), ['-qX', '-v', 'ON_ERROR_STOP=1', '-f', dump, empty]);
    }
    await live.system.start();
    await assertRestored(live, before, lateToken);
  },
};

/**
 * The folder of `pg_dump` and `psql`.
 *
 * @throws SkippedStep where there is none for the server: pg_dump refuses one that is newer than itself
 */
async function clientPrograms(url: string): Promise<string> {
  const server = await withConnection(url, async (client) => {
    const { rows } = await client.query<{ server_version_num: string }>('show server_version_num');
    return Math.floor(Number(rows[0]?.server_version_num) / 10_000);
  });
  const found: string[] = [];
  for (const folder of programFolders()) {
    const version = await versionOf(join(folder, 'pg_dump'));
    if (version === undefined || (await versionOf(join(folder, 'psql'))) === undefined) continue;
    if (version >= server) return folder;
    found.push(`${version}`);
  }
  const present = found.length === 0 ? 'there is none' : `there is ${[...new Set(found)].join(', ')}`;
  throw new SkippedStep(`it needs pg_dump ${server} or newer, and ${present}`);
}

function programFolders(): readonly string[] {
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  try {
    return [...path, ...readdirSync(DEBIAN).map((version) => join(DEBIAN, version, 'bin'))];
  } catch {
    return path;
  }
}

/** Major version of a program; undefined where it is missing. */
async function versionOf(program: string): Promise<number | undefined> {
  try {
    const { stdout } = await execute(program, ['--version']);
    return Number(/\) (\d+)/.exec(stdout)?.[1]);
  } catch {
    return undefined;
  }
}
