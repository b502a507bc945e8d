import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folders.ts';
import { ManagedProcess } from './managed-process.ts';
import { isRunning } from './process-table.ts';

/** A program like the real ones: it listens on PORT and says where. */
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

interface Facts {
  readonly url: string;
}

/** Puts the program beside this test, where it finds the project's packages. */
async function managed(folder: string, source: string): Promise<ManagedProcess<Facts>> {
  const entry = join(folder, 'program.mjs');
  const kit = join(import.meta.dirname, '../../../kit/src/index.ts');
  await writeFile(entry, source.replaceAll('@heliograph/kit', kit));
  const port = { variable: 'PORT', of: ({ url }: Facts) => Number(new URL(url).port) };
  const logFile = join(folder, 'program.log');
  return new ManagedProcess<Facts>({ name: 'program', entry, env: { PORT: '0' }, logFile, port });
}

describe('a managed process', () => {
  it('is ready when it says so, and ends in order when it is stopped', async () => {
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
    ['that it said nothing', ``, 'exit code 0: it said nothing'],
    ['the signal', `process.kill(process.pid, 'SIGKILL')`, 'SIGKILL'],
  ])('fails the start when it ends before it is ready, and repeats %s', async (_what, source, words) => {
    await using folder = await temporaryFolder();
    await using program = await managed(folder.path, source);

    await expect(program.start()).rejects.toThrow(`The program ended before it was ready (${words})`);
  });

  it.each([
    [
      'crashes',
      (_program: ManagedProcess<Facts>, url: string) => fetch(`${url}/crash`).catch(() => undefined),
    ],
    ['is killed', (program: ManagedProcess<Facts>) => program.kill('SIGKILL')],
  ])('comes back at the same address when it %s', async (_what, end) => {
    await using folder = await temporaryFolder();
    await using program = await managed(folder.path, SERVER);
    const { url } = await program.start();
    const { pid } = program;

    await end(program, url);
    await expect.poll(() => program.pid).not.toBe(pid);

    expect(await program.ready()).toEqual({ url });
    expect(await (await fetch(url)).text()).toBe('here');
  });

  it('stays away as long as it is told to when it is killed', async () => {
    await using folder = await temporaryFolder();
    await using program = await managed(folder.path, SERVER);
    await program.start();
    const { pid } = program;
    const killedAt = performance.now();

    program.kill('SIGKILL', 700);

    await expect.poll(() => program.pid).not.toBe(pid);
    expect(performance.now() - killedAt).toBeGreaterThanOrEqual(700);
  });

  it('is stopped for good while it waits to come back', async () => {
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

  it('is killed when it is stopped in a hurry, whatever it does', async () => {
    await using folder = await temporaryFolder();
    const stubborn = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1000); process.send({ type: 'ready', facts: { url: 'http://a:1' } });`;
    const program = await managed(folder.path, stubborn);
    await program.start();
    const { pid } = program;

    await program.stop({ hurry: true });

    expect(await isRunning(pid ?? 0)).toBe(false);
  });
});

describe('when the supervisor is killed', () => {
  it.each([
    ['while its process serves', SERVER],
    [
      'while its process is still loading',
      `await new Promise((resolve) => setTimeout(resolve, 700));${SERVER}`,
    ],
  ])('%s, the process ends by itself', async (_what, source) => {
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

    await expect.poll(() => isRunning(pid), { timeout: 10_000 }).toBe(false);
  });
});
