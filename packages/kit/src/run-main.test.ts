import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const KIT = new URL('./index.ts', import.meta.url).href;

/** An app that stays alive until it is stopped, and prints its events. */
const APP = `
  const timer = setInterval(() => {}, 1000);
  await runMain(async () => ({
    facts: { url: 'http://127.0.0.1:4000' },
    async stop() { console.log('stopped'); clearInterval(timer); },
  }));
  console.log('running');
`;

/** The line of a program that cannot start. */
const CANNOT_START = (reason: unknown) => ({
  level: 60,
  name: 'app',
  msg: 'the program cannot start',
  reason,
});

interface Surroundings {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

describe('a process that runs an app', () => {
  let child: ChildProcess;
  let out: string;
  let err: string;
  // Not the child's own "close": it does not come after its supervisor disconnected.
  let ended: Promise<unknown>;
  afterEach(async () => {
    child.kill('SIGKILL');
    await ended;
  });

  const start = (script: string, supervised: boolean, { args = [], env = {} }: Surroundings = {}): void => {
    out = '';
    err = '';
    const source = `import { ConfigError, NewerDatabase, runMain } from '${KIT}'; import { createServer } from 'node:net'; ${script}`;
    child = spawn(process.execPath, ['--input-type=module', '--eval', source, '--', 'app', ...args], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe', ...(supervised ? (['ipc'] as const) : [])],
    });
    ended = Promise.all(
      [child, child.stdout, child.stderr].map(
        (part) => part && once(part, part === child ? 'exit' : 'close'),
      ),
    );
    child.stdout?.on('data', (chunk) => {
      out += String(chunk);
    });
    child.stderr?.on('data', (chunk) => {
      err += String(chunk);
    });
  };
  const prints = (text: string) => expect.poll(() => out).toContain(text);
  const ends = async (): Promise<{
    code: number | null;
    signal: string | null;
    out: string;
    err: string;
  }> => {
    await ended;
    return { code: child.exitCode, signal: child.signalCode, out, err };
  };
  const ENDED_WELL = { code: 0, signal: null, out: 'running\nstopped\n', err: '' };

  it('systemd learns that the process is ready, that its event loop turns, and that it stops', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-manager-'));
    const reports = join(folder, 'reports');
    const command = join(folder, 'systemd-notify');
    await writeFile(command, `#!/bin/sh\necho "$1" >>"${reports}"\n`, { mode: 0o755 });
    const env = {
      PATH: `${folder}:${process.env.PATH}`,
      NOTIFY_SOCKET: '/run/notify',
      WATCHDOG_USEC: '30000',
    };
    start(APP, false, { env });
    const lines = async () => (await readFile(reports, 'utf8').catch(() => '')).trim().split('\n');
    await expect.poll(lines).toEqual(expect.arrayContaining(['READY=1', 'WATCHDOG=1']));
    child.kill('SIGTERM');
    expect(await ends()).toEqual(ENDED_WELL);
    await expect.poll(lines).toContain('STOPPING=1');
    await rm(folder, { recursive: true });
  });

  it('a report that systemd does not get is one log line, with the signal that ended the reporter', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'service-manager-'));
    const command = join(folder, 'systemd-notify');
    await writeFile(command, '#!/bin/sh\nkill -TERM $$\n', { mode: 0o755 });
    start(APP, false, {
      env: { PATH: `${folder}:${process.env.PATH}`, NOTIFY_SOCKET: '/run/notify', LOG_LEVEL: 'warn' },
    });
    await expect.poll(() => err).toContain('\n');
    expect(JSON.parse(err)).toMatchObject({
      ...{ level: 40, state: 'READY=1', msg: 'systemd was not notified' },
      err: { signal: 'SIGTERM' },
    });
    await rm(folder, { recursive: true });
  });

  it('the process prints its version and does not start when it is asked for the version', async () => {
    const script = `await runMain(async () => { console.log('started'); return { facts: {}, async stop() {} }; });`;
    start(script, false, { args: ['--version'] });
    expect(await ends()).toMatchObject({ code: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) });
  });

  it('the process sends its facts to the supervisor once it serves', async () => {
    start(APP, true);
    const [message] = (await once(child, 'message')) as [unknown];
    expect(message).toEqual({ type: 'ready', facts: { url: 'http://127.0.0.1:4000' } });
  });

  it.each([
    ['SIGTERM', true],
    ['SIGTERM', false],
    ['SIGINT', false],
  ] as const)('stops on %s (supervised: %j)', async (signal, supervised) => {
    start(APP, supervised);
    await prints('running');
    child.kill(signal);
    expect(await ends()).toEqual(ENDED_WELL);
  });

  it('a supervised process ignores SIGINT', async () => {
    start(APP, true);
    await prints('running');
    child.kill('SIGINT');
    child.kill('SIGTERM');
    expect(await ends()).toEqual(ENDED_WELL);
  });

  it('the process stops when its supervisor is gone', async () => {
    start(APP, true);
    await prints('running');
    child.disconnect();
    expect(await ends()).toEqual(ENDED_WELL);
  });

  it('the process stops once despite repeated signals', async () => {
    start(
      `const timer = setInterval(() => {}, 1000);
       let signals = 0;
       process.on('SIGTERM', () => console.log('signal', ++signals));
       await runMain(async () => ({
         facts: {},
         async stop() {
           console.log('stopping');
           await new Promise((resolve) => process.once('SIGUSR2', resolve));
           clearInterval(timer);
         },
       }));
       console.log('running');`,
      false,
    );
    await prints('running');
    for (const times of [1, 2, 3]) {
      child.kill('SIGTERM');
      await prints(`signal ${times}`);
    }
    child.kill('SIGUSR2');
    const out = 'running\nsignal 1\nstopping\nsignal 2\nsignal 3\n';
    expect(await ends()).toEqual({ code: 0, signal: null, out, err: '' });
  });

  it('a second signal ends the process at once, where a stop may take long', async () => {
    start(
      `await runMain(async () => ({
         facts: {},
         async stop() { console.log('stopping'); await new Promise((resolve) => setTimeout(resolve, 60_000)); },
       }), { secondSignalEnds: true });
       setInterval(() => {}, 1000);
       console.log('running');`,
      false,
    );
    await prints('running');
    child.kill('SIGTERM');
    await prints('stopping');
    child.kill('SIGTERM');
    expect(await ends()).toMatchObject({ signal: 'SIGKILL' });
  });

  it('the process exits at the stop deadline of the app', async () => {
    start(
      `await runMain(async () => ({
         facts: {},
         stop: () => new Promise((resolve) => setTimeout(resolve, 60_000)),
       }), { stopDeadlineMs: 10 });
       setInterval(() => {}, 1000);
       console.log('running');`,
      false,
    );
    await prints('running');
    child.kill('SIGTERM');
    expect(await ends()).toMatchObject({ signal: 'SIGKILL' });
  });

  it('a signal during the start stops the app after its start', async () => {
    start(
      `await runMain(async () => {
        console.log('starting');
        await new Promise((resolve) => process.once('SIGTERM', () => setTimeout(resolve, 20)));
        const timer = setInterval(() => {}, 1000);
        return { facts: {}, async stop() { console.log('stopped'); clearInterval(timer); } };
      });`,
      true,
    );
    await prints('starting');
    child.kill('SIGTERM');
    expect(await ends()).toEqual({ code: 0, signal: null, out: 'starting\nstopped\n', err: '' });
  });

  it('a process that a newer database refuses ends with the exit code after which units do not restart it', async () => {
    start(`await runMain(async () => { throw new NewerDatabase('of release 2'); }, { name: 'app' });`, false);
    expect(await ends()).toMatchObject({ code: 78, signal: null, out: '' });
    expect(JSON.parse(err)).toMatchObject(CANNOT_START('of release 2'));
  });

  it.each([
    [
      'a wrong setting, in one line',
      `throw new ConfigError('PORT must be a number');`,
      CANNOT_START('PORT must be a number'),
    ],
    [
      'a taken port, in one line',
      `const taken = createServer();
       await new Promise((resolve) => taken.listen(0, '127.0.0.1', resolve));
       taken.unref();
       const again = createServer();
       await new Promise((resolve, reject) => again.once('error', reject).listen(taken.address().port, '127.0.0.1'));`,
      CANNOT_START(expect.stringMatching(/^listen EADDRINUSE/)),
    ],
    [
      'a defect, with its stack',
      `throw new TypeError('defect');`,
      {
        ...CANNOT_START('defect'),
        err: expect.objectContaining({ stack: expect.stringMatching(/^TypeError: defect\n\s+at /) }),
      },
    ],
  ])(
    'a process that cannot start ends with code 1 and one log line, whatever the level: %s',
    async (_what, failure, line) => {
      start(`await runMain(async () => { ${failure} }, { name: 'app' });`, true, {
        env: { LOG_LEVEL: 'silent' },
      });
      expect(await ends()).toMatchObject({ code: 1, out: '' });
      expect(JSON.parse(err)).toEqual({
        ...{ pid: expect.any(Number), hostname: expect.any(String), time: expect.any(Number) },
        ...line,
      });
    },
  );

  it('a failed stop ends the process with code 1 and reports the cause', async () => {
    start(
      `const timer = setInterval(() => {}, 1000);
       await runMain(async () => ({
         facts: {},
         async stop() { clearInterval(timer); throw new Error('the disk is full'); },
       }));
       console.log('running');`,
      false,
    );
    await prints('running');
    child.kill('SIGTERM');
    expect(await ends()).toMatchObject({ code: 1 });
    expect(JSON.parse(err)).toMatchObject({
      ...{ level: 60, msg: 'the program did not stop as it should', reason: 'the disk is full' },
    });
  });
});
