import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunFile } from './run-file.ts';
import { isRunning } from './supervisor/process-table.ts';
import { temporaryFolder } from './testing/folders.ts';
import { treeOf } from './testing/process-tree.ts';

const MAIN = join(import.meta.dirname, 'main.ts');
/** Patience for a loaded machine, in milliseconds. */
const START_MS = 60_000;

interface Start {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly errors: () => string;
}

function npmStart(env: Record<string, string>): Start {
  const child = spawn(process.execPath, [MAIN], {
    env: { ...process.env, npm_lifecycle_event: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (text) => (output += text));
  child.stderr.on('data', (text) => (errors += text));
  return { process: child, output: () => output, errors: () => errors };
}

/** A process of PostgreSQL may have ended since it was listed. */
function killIfAlive(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function ready(start: Start): Promise<void> {
  await expect
    .poll(() => start.output() + start.errors(), { timeout: START_MS, interval: 50 })
    .toContain('Ctrl-C stops everything');
}

async function readRun(dataFolder: string): Promise<RunFile> {
  return JSON.parse(await readFile(join(dataFolder, 'run.json'), 'utf8')) as RunFile;
}

async function readLog(dataFolder: string, name: string): Promise<{ level: number }[]> {
  const text = await readFile(join(dataFolder, 'logs', `${name}.log`), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as { level: number }]));
}

/** Counts the parts that a start has started so far. */
async function journalled(dataFolder: string): Promise<number> {
  const text = await readFile(join(dataFolder, 'processes.json'), 'utf8').catch(() => '[]');
  return (JSON.parse(text) as unknown[]).length;
}

describe('npm start refuses with one line and exit code 1', () => {
  it.each([
    [
      'a port that is taken',
      'HELIOGRAPH_PORT',
      (port: number) => String(port),
      /^Port \d+, which the cloud needs, is taken by another program: choose others with HELIOGRAPH_PORT/,
    ],
    ['a port that is none', 'HELIOGRAPH_PORT', () => 'http', /^HELIOGRAPH_PORT must be a whole number/],
    [
      'a data folder that is a file',
      'HELIOGRAPH_DATA',
      () => MAIN,
      /^The data folder .* cannot be used: it is a file/,
    ],
    [
      'a data folder below a file',
      'HELIOGRAPH_DATA',
      () => join(MAIN, 'data'),
      /^The data folder .* cannot be used: one of/,
    ],
    [
      'a data folder that cannot be written',
      'HELIOGRAPH_DATA',
      () => '/proc/heliograph',
      /^The data folder \/proc\/heliograph cannot be used: /,
    ],
  ])('%s', async (_what, variable, value, line) => {
    await using folder = await temporaryFolder();
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };

    const start = npmStart({
      HELIOGRAPH_DATA: join(folder.path, 'data'),
      HELIOGRAPH_PORT: '0',
      [variable]: value(port),
    });
    const [code] = await once(start.process, 'close');
    other.close();

    expect(start.errors()).toMatch(line);
    expect(start.errors().trim().split('\n')).toHaveLength(1);
    expect(code).toBe(1);
    expect(start.output()).toBe('');
  });
});

it('npm start refuses with one line a file of its data folder that it cannot use', async () => {
  await using folder = await temporaryFolder();
  await writeFile(join(folder.path, 'logs'), 'a file where a folder should be');
  const start = npmStart({ HELIOGRAPH_DATA: folder.path, HELIOGRAPH_PORT: '0' });
  const [code] = await once(start.process, 'close');
  expect(start.errors()).toMatch(/^The system cannot start: EEXIST: .*logs'\n$/);
  expect(code).toBe(1);
});

// One folder for all: making a database and filling it takes longer than most of them.
describe('npm start', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let env: Record<string, string>;
  beforeAll(async () => {
    folder = await temporaryFolder();
    env = { HELIOGRAPH_DATA: folder.path, HELIOGRAPH_PORT: '0' };
  });
  afterAll(() => folder?.[Symbol.asyncDispose]());

  it('the system runs, survives a kill of all its processes, and stops with no process left', {
    timeout: 2 * START_MS,
  }, async () => {
    const first = npmStart(env);
    await ready(first);
    const run = await readRun(folder.path);
    expect(run).toEqual({
      ready: true,
      cloud: {
        url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        database_url: expect.stringMatching(/^postgresql:/),
      },
      proxy: { url: `http://${run.proxy.host}`, host: expect.stringMatching(/^127\.0\.0\.1:\d+$/) },
      device: { url: expect.stringMatching(/^http:/), password: expect.any(String), uid: expect.any(String) },
      plant: { modbus: expect.stringMatching(/^127\.0\.0\.1:\d+$/) },
      account: {
        email: expect.any(String),
        password: expect.any(String),
        api_token: expect.stringMatching(/^hga_/),
      },
      organization: { id: expect.any(Number) },
      site: { id: expect.any(Number), name: 'demo' },
    });
    expect((await stat(join(folder.path, 'run.json'))).mode & 0o777).toBe(0o600);
    const { account, device, cloud, proxy } = run;
    const shown = [
      cloud.url,
      proxy.url,
      device.url,
      account.email,
      account.password,
      account.api_token,
      device.password,
    ];
    for (const text of shown) expect(first.output()).toContain(text);

    const logs = ['cloud', 'proxy', 'device'].map((name) => readLog(folder.path, name));
    expect((await Promise.all(logs)).flat().filter(({ level }) => level >= 40)).toEqual([]);

    const rival = npmStart(env);
    expect((await once(rival.process, 'close'))[0]).toBe(1);
    expect(rival.errors()).toBe(`The system already runs in ${folder.path} (process ${first.process.pid})\n`);

    for (const pid of await treeOf(first.process.pid ?? 0)) killIfAlive(pid);

    const second = npmStart(env);
    await ready(second);
    const again = await readRun(folder.path);
    expect({ ...again, cloud: 0, proxy: 0, device: again.device.uid }).toEqual({
      ...run,
      cloud: 0,
      proxy: 0,
      device: run.device.uid,
    });

    const sites = await fetch(`${again.cloud.url}/api/v1/sites`, {
      headers: { authorization: `Bearer ${run.account.api_token}` },
    });
    expect(await sites.json()).toHaveLength(1);

    const tree = await treeOf(second.process.pid ?? 0);
    expect(tree.length).toBeGreaterThan(6);
    second.process.kill('SIGINT');
    expect(await once(second.process, 'close')).toEqual([0, null]);
    for (const pid of tree) expect(await isRunning(pid)).toBe(false);
    await expect(readRun(folder.path)).rejects.toThrow('ENOENT');
    expect(second.errors()).toBe('');
  });

  it('a signal during the start ends every process without output', async () => {
    const start = npmStart(env);
    await expect.poll(() => journalled(folder.path), { timeout: START_MS }).toBe(1);
    const tree = await treeOf(start.process.pid ?? 0);

    start.process.kill('SIGTERM');

    expect(await once(start.process, 'close')).toEqual([0, null]);
    for (const pid of tree) expect(await isRunning(pid)).toBe(false);
    expect(start.output() + start.errors()).toBe('');
  });

  it('every process ends when only the process of npm start is killed', { timeout: START_MS }, async () => {
    const start = npmStart(env);
    await expect.poll(() => journalled(folder.path), { timeout: START_MS }).toBe(4);
    const tree = await treeOf(start.process.pid ?? 0);

    start.process.kill('SIGKILL');

    await expect
      .poll(async () => (await Promise.all(tree.map(isRunning))).filter(Boolean), { timeout: START_MS })
      .toEqual([]);
  });
});
