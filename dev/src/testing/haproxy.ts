import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { reservedPorts } from './ports.ts';
import { TEST_TLS } from './test-tls.ts';

/** As it is delivered. */
const CONFIG = join(import.meta.dirname, '../../../packaging/containers/haproxy.cfg');
/** Debian keeps daemons where the PATH of a user may not lead. */
const PATH = [process.env.PATH ?? '', '/usr/sbin'].join(delimiter);
const START_TIMEOUT_MS = 30_000;

/** Whether this machine has the program, which Debian's package `haproxy` holds. */
export const HAS_HAPROXY = spawnSync('haproxy', ['-v'], { env: { PATH } }).status === 0;

/** HAProxy with the delivered configuration and the certificate of {@link TEST_TLS}. */
export interface TestHaproxy extends AsyncDisposable {
  readonly pid: number;
  /** `https://localhost:PORT`. */
  readonly url: string;
}

/**
 * @param proxyUrl the proxy behind it, which speaks plain HTTP
 * @param env more variables of the configuration
 * @throws when it ends, with its output, or does not listen within 30 s
 */
export async function startHaproxy(
  proxyUrl: string,
  env: Readonly<Record<string, string>> = {},
): Promise<TestHaproxy> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-haproxy-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  await copyFile(TEST_TLS.certPath, join(folder, 'test.crt'));
  await copyFile(TEST_TLS.keyPath, join(folder, 'test.key'));
  const port = await reservedPorts();
  const child = spawn('haproxy', ['-db', '-f', CONFIG], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH,
      HELIOGRAPH_BIND: `127.0.0.1:${port}`,
      HELIOGRAPH_CERTIFICATES: folder,
      HELIOGRAPH_PROXY: `127.0.0.1:${new URL(proxyUrl).port}`,
      ...env,
    },
  });
  undo.defer(() => kill(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (output += part));
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await isListening(port))) {
    if (child.exitCode !== null || performance.now() > deadline)
      throw new Error(`HAProxy does not start: ${output}`);
    await delay(20);
  }
  const running = undo.move();
  return {
    pid: child.pid ?? Number.NaN,
    url: `https://localhost:${port}`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const [event] = await Promise.race([
    once(socket, 'connect').then(() => [true]),
    once(socket, 'close').then(() => [false]),
  ]).catch(() => [false]);
  socket.destroy();
  return event === true;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
