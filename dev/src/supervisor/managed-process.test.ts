import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folders.ts';
import { ManagedProcess } from './managed-process.ts';
import { isRunning } from './process-table.ts';

/** A program like the real ones: it listens on PORT and reports its URL. */
const SERVER = `
import { createServer } from 'node:http';
import { runMain } from '@heliograph/kit';
await runMain(async () => {
  const server = createServer((request, response) => {
    if (request.url === '/crash') process.exit(3);
    response.end('here');
  });
  await new Promise((resolve) => server.listen(Number(process.env.PORT), '127.0.0.1', resolve));
  console.error('listening');
  return {
    facts: { url: 'http://127.0.0.1:' + server.address().port },
    stop: async () => {
      console.error('stopped in order');
      server.close();
      server.closeAllConnections();
    },
  };
});
`;

const HOUR_MS = 3_600_000;

interface Facts {
  readonly url: string;
}

/** Puts the program beside this test, where it finds the project's packages. */
async function managed(folder: string, source: string): Promise<ManagedProcess<Facts>> {
  const entry = join(folder, 'program.mjs');
  const kit = join(import.meta.dirname, '../../../packages/kit/src/index.ts');
  await writeFile(entry, source.replaceAll('@heliograph/kit', kit));
  const port = { variable: 'PORT', of: ({ url }: Facts) => Number(new URL(url).port) };
  const logFile = join(folder, 'program.log');
  return new ManagedProcess<Facts>({ name: 'program', entry, env: { PORT: '0' }, logFile, port });
}

describe('ManagedProcess', () => {
  it('a process is ready when it reports so, and ends in order when it is stopped', async () => {
    await using folder = await temporaryFolder();
    const program = await managed(folder.path, SERVER);

    const { url } = await program.start();
    expect(await (await fetch(url)).text()).toBe('here');
    const { pid } = program;
    await program.stop();

    expect(await isRunning(pid ?? 0)).toBe(false);
    expect(await readFile(program.logFile, 'utf8')).toBe('listening\nstopped in order\n');
  });

  it.each([
    [
      'its error',
      `throw new RangeError('there are no more numbers')`,
      'exit code 1: RangeError: there are no more numbers',
    ],
    [
      'its last line',
      `console.error('a');console.error('PORT is not set');process.exitCode = 2`,
      'exit code 2: PORT is not set',
    ],
    [
      'a logged error',
      `console.error('{"msg":"cannot start","err":{"message":"no disk"}}')`,
      'exit code 0: cannot start: no disk',
    ],
    [
      'the logged reason for which the program cannot start',
      `const { ConfigError, runMain } = await import('@heliograph/kit');
       await runMain(async () => { throw new ConfigError('PORT must be a number'); });`,
      'exit code 1: the program cannot start: PORT must be a number',
    ],
    ['a note that it printed nothing', ``, 'exit code 0: it said nothing'],
    ['the signal', `process.kill(process.pid, 'SIGKILL')`, 'SIGKILL'],
  ])('a process that ends before it is ready fails the start with %s', async (_what, source, reason) => {
    await using folder = await temporaryFolder();
    await using program = await managed(folder.path, source);

    await expect(program.start()).rejects.toThrow(`The program ended before it was ready (${reason})`);
  });

  it.each([
    [
      'crashes',
      (_program: ManagedProcess<Facts>, url: string) => fetch(`${url}/crash`).catch(() => undefined),
    ],
    ['is killed', (program: ManagedProcess<Facts>) => program.kill('SIGKILL')],
  ])('a process that %s comes back at the same address', async (_what, end) => {
    await using folder = await temporaryFolder();
    await using program = await managed(folder.path, SERVER);
    const { url } = await program.start();
    const { pid } = program;

    await end(program, url);
    await expect.poll(() => program.pid).not.toBe(pid);

    expect(await program.ready()).toEqual({ url });
    expect(await (await fetch(url)).text()).toBe('here');
  });

  it('a killed process waits for the given time before it comes back', async () => {
    await using folder = await temporaryFolder();
    await using program = await managed(folder.path, SERVER);
    await program.start();
    const { pid } = program;

    program.kill('SIGKILL', HOUR_MS);

    const waitMs = async (): Promise<number> =>
      Number(/starting it again in (\d+) ms/.exec(await readFile(program.logFile, 'utf8'))?.[1]);
    // Less than the hour by the time that the kill takes, and far more than any back-off.
    await expect.poll(waitMs).toBeGreaterThan(HOUR_MS / 2);
    expect(program.pid).toBe(pid);
  });

  it('a process that waits to come back is stopped for good', async () => {
    await using folder = await temporaryFolder();
    const program = await managed(folder.path, SERVER);
    const { url } = await program.start();
    const first = program.ready();

    program.kill('SIGKILL');
    await expect.poll(() => program.ready() === first, { interval: 1 }).toBe(false);
    const back = program.ready();
    await program.stop();

    await expect(back).rejects.toThrow('was stopped');
    await expect(fetch(url)).rejects.toThrow();
  });

  it('a hurried stop kills a process that ignores SIGTERM', async () => {
    await using folder = await temporaryFolder();
    const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.send({ type: 'ready', facts: { url: 'http://a:1' } });`;
    const program = await managed(folder.path, stubborn);
    await program.start();
    const { pid } = program;

    await program.stop({ hurry: true });

    expect(await isRunning(pid ?? 0)).toBe(false);
  });
});

describe('after a kill of the supervisor', () => {
  it.each([
    ['that serves', SERVER],
    [
      'that is still loading',
      `const { existsSync } = await import('node:fs');
       while (!existsSync(import.meta.dirname + '/orphaned')) await new Promise((resolve) => setTimeout(resolve, 10));
       ${SERVER}`,
    ],
  ])('a process %s ends by itself', async (_what, source) => {
    await using folder = await temporaryFolder();
    const program = await managed(folder.path, source);
    await program.stop();
    const supervisor = spawn(
      process.execPath,
      [join(import.meta.dirname, '../testing/fixtures/supervisor.ts'), folder.path],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = await once(supervisor.stdout, 'data');
    const pid = Number(line);
    expect(await isRunning(pid)).toBe(true);

    supervisor.kill('SIGKILL');
    await once(supervisor, 'exit');
    await writeFile(join(folder.path, 'orphaned'), '');

    await expect.poll(() => isRunning(pid)).toBe(false);
  });
});
