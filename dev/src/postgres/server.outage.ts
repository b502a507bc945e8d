import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { isRunning } from '../supervisor/process-table.ts';
import { temporaryFolder } from '../testing/folders.ts';
import { childrenOf } from '../testing/process-tree.ts';
import { ensureDatabase, PostgresServer, withConnection } from './index.ts';

const isRoot = process.getuid?.() === 0;
/** For a loaded machine, in milliseconds. */
const PATIENCE_MS = 60_000;

async function server(dataFolder: string, baseFolder: string): Promise<PostgresServer> {
  await mkdir(dataFolder, { recursive: true });
  const postgres = new PostgresServer({ dataFolder, baseFolder, password: 'secret', durable: false });
  await postgres.start();
  return postgres;
}

/** The data folder of a cluster that tests start one after the other: making one takes longer than most of them. */
let made = '';
const undo = new AsyncDisposableStack();
beforeAll(async () => {
  made = undo.use(await temporaryFolder()).path;
  await (await server(made, made)).stop();
});
afterAll(() => undo.disposeAsync());

async function note(url: string, text: string): Promise<void> {
  await withConnection(url, async (client) => {
    await client.query('create table if not exists notes (text text)');
    await client.query('insert into notes values ($1)', [text]);
  });
}

async function notes(url: string): Promise<string[]> {
  const { rows } = await withConnection(url, (client) => client.query<{ text: string }>('table notes'));
  return rows.map(({ text }) => text);
}

describe('PostgresServer', () => {
  it('a restarted server has its data', async () => {
    {
      await using first = await server(made, made);
      await note(first.url(), 'sunny');
    }
    await using second = await server(made, made);
    expect(await notes(second.url())).toContain('sunny');
  });

  it('the server is small, private and UTF-8, and demands its password', async () => {
    await using postgres = await server(made, made);

    const settings = await withConnection(postgres.url(), async (client) => {
      const names = ['server_encoding', 'listen_addresses', 'unix_socket_directories', 'shared_buffers'];
      const query = 'select name, setting, unit from pg_settings where name = any($1) order by name';
      return (await client.query(query, [names])).rows;
    });
    expect(settings).toEqual([
      { name: 'listen_addresses', setting: '127.0.0.1', unit: null },
      { name: 'server_encoding', setting: 'UTF8', unit: null },
      { name: 'shared_buffers', setting: String((32 * 1024) / 8), unit: '8kB' },
      { name: 'unix_socket_directories', setting: '', unit: null },
    ]);
    const wrong = postgres.url().replace('secret', 'guessed');
    await expect(withConnection(wrong, (client) => client.query('select'))).rejects.toThrow(/password/);
    expect((await lstat(join(made, 'postgres', 'data'))).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['has spaces, quotes and other alphabets', ["it's a data folder", 'données ☀ 日本語'], false],
    ['is longer than PostgreSQL can handle', Array.from({ length: 9 }, () => 'd'.repeat(100)), true],
    ['lies below a closed folder', ['closed', 'data'], isRoot],
  ])('a data folder is served whose path %s', async (_what, names, isElsewhere) => {
    await using folder = await temporaryFolder();
    await using base = await temporaryFolder();
    const data = join(folder.path, ...names);
    await mkdir(data, { recursive: true });
    await chmod(join(folder.path, names[0] ?? ''), names[0] === 'closed' ? 0o700 : 0o711);
    {
      await using first = await server(data, base.path);
      await note(first.url(), 'here');
    }
    expect((await lstat(join(data, 'postgres'))).isSymbolicLink()).toBe(isElsewhere);
    await using second = await server(data, base.path);
    expect(await notes(second.url())).toEqual(['here']);
  });

  it.runIf(isRoot)(
    'the database moves to another place when its folder was moved below a closed one',
    async () => {
      await using folder = await temporaryFolder();
      await using base = await temporaryFolder();
      const data = join(folder.path, 'checkout', 'data');
      {
        await using first = await server(data, base.path);
        await note(first.url(), 'moved');
      }
      await chmod(join(folder.path, 'checkout'), 0o700);

      await using second = await server(data, base.path);
      expect(await notes(second.url())).toEqual(['moved']);
    },
  );

  it('a killed server comes back on the same port', async () => {
    await using postgres = await server(made, made);
    const { pid, port } = postgres;

    process.kill(pid ?? 0, 'SIGKILL');

    await vi.waitFor(() => note(postgres.url(), 'back'), { timeout: PATIENCE_MS, interval: 50 });
    expect(postgres.pid).not.toBe(pid);
    expect(postgres.port).toBe(port);
  });

  it('a password that the cluster was not made with is refused with the way to mend it', async () => {
    await using postgres = new PostgresServer({ dataFolder: made, password: 'another' });
    await postgres.start();

    await expect(ensureDatabase(postgres, 'heliograph')).rejects.toThrow(
      /restore that file, or delete the data folder/,
    );
  });

  it('a database of another PostgreSQL is refused and left alone', async () => {
    await using folder = await temporaryFolder();
    await mkdir(join(folder.path, 'postgres', 'data'), { recursive: true });
    await writeFile(join(folder.path, 'postgres', 'data', 'PG_VERSION'), '17\n');

    await expect(server(folder.path, folder.path)).rejects.toThrow(
      /made by PostgreSQL 17, and this is PostgreSQL 18/,
    );
    expect(await readdir(join(folder.path, 'postgres', 'data'))).toEqual(['PG_VERSION']);
  });
});

describe('after a kill of the process that started PostgreSQL', () => {
  it('PostgreSQL ends by itself', async () => {
    const victim = await startElsewhere(made);

    process.kill(victim.starterPid, 'SIGKILL');

    await expect.poll(() => isRunning(victim.serverPid)).toBe(false);
  });

  it.each([
    ['and of all of PostgreSQL', true],
    ['and of the guardian, so that PostgreSQL runs on', false],
  ])('the next start has the data after a kill of the starter %s', async (what, killServer) => {
    const victim = await startElsewhere(made);
    const committed = `committed before a kill ${what}`;
    await note(victim.url, committed);

    for (const pid of victim.guardianPids) process.kill(pid, 'SIGKILL');
    process.kill(victim.starterPid, 'SIGKILL');
    if (killServer) process.kill(victim.serverPid, 'SIGKILL');

    await using postgres = await server(made, made);
    expect(await notes(postgres.url())).toContain(committed);
    expect(await isRunning(victim.serverPid)).toBe(false);
  });

  it('a stale pid that now belongs to another process does not prevent a start', async () => {
    await using bystander = spawnSleeper();
    const stale = [bystander.pid, join(made, 'postgres/data'), 0, 5432, '', '127.0.0.1', '', ''];
    await writeFile(join(made, 'postgres', 'data', 'postmaster.pid'), stale.join('\n'));

    await using postgres = await server(made, made);

    expect(postgres.pid).toBeDefined();
    expect(await isRunning(bystander.pid)).toBe(true);
  });
});

interface Victim {
  readonly starterPid: number;
  readonly guardianPids: readonly number[];
  readonly serverPid: number;
  readonly url: string;
}

/** Starts a server from a process of its own, which a test can kill. */
async function startElsewhere(folder: string): Promise<Victim> {
  const script = join(import.meta.dirname, '../testing/fixtures/postgres-server.ts');
  const starter = spawn(process.execPath, [script, folder, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(starter.stdout, 'data');
  const { pid: serverPid, url } = JSON.parse(String(line)) as { pid: number; url: string };
  const starterPid = starter.pid ?? 0;
  const guardianPids = (await childrenOf(starterPid)).filter((pid) => pid !== serverPid);
  return { starterPid, serverPid, guardianPids, url };
}

function spawnSleeper(): { pid: number } & AsyncDisposable {
  const sleeper = spawn('sleep', ['60'], { stdio: 'ignore' });
  return {
    pid: sleeper.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      const exited = once(sleeper, 'exit');
      sleeper.kill('SIGKILL');
      await exited;
    },
  };
}
