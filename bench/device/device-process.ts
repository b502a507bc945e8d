import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEVICE_MEMORY, DEVICE_NODE_FLAGS } from '@heliograph/dev/node-flags';
import { startChild } from '../child.ts';

const DEVICE = join(import.meta.dirname, '../../apps/device/src/main.ts');
export const COMPILE_CACHE = join(import.meta.dirname, '../../node_modules/.cache/node-compile');
export const PASSWORD = 'Bench-password-1';

export interface DeviceProcess extends AsyncDisposable {
  readonly pid: number;
  readonly url: string;
}

export interface DeviceProcessOptions {
  /** Of the cloud that knows its way to a proxy; without one it serves the local network alone. */
  readonly cloudUrl?: string;
  /** Of its hardware. */
  readonly driver?: string;
  readonly logLevel?: string;
  /** A file with certificates to trust besides the system's. */
  readonly trustedPath?: string;
  /** The program of the device; that of the checkout when left out. */
  readonly program?: string;
  /** The file that lists the modules that were loaded, once the device has ended. */
  readonly loadedModules?: string;
}

/**
 * A device in a process of its own, polling every second.
 *
 * @param modbus `host:port` of its units
 * @param place whether it runs on a small board, with the flags that docs/operating-a-device.md gives for one
 */
export async function startDeviceProcess(
  modbus: readonly string[],
  place: 'board' | 'server',
  {
    cloudUrl,
    driver = 'sunspec',
    logLevel = 'warn',
    trustedPath,
    program = DEVICE,
    loadedModules,
  }: DeviceProcessOptions = {},
): Promise<DeviceProcess> {
  await using undo = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-bench-'));
  undo.defer(() => rm(folder, { recursive: true, force: true }));
  const connections = modbus.map((address) => ({ driver, bus: `modbus-tcp://${address}` }));
  // JSON is YAML.
  await writeFile(
    join(folder, 'device.yaml'),
    JSON.stringify({ poll_interval_s: 1, connections, mdns: false }),
  );
  const { process: child, message } = await startChild<{ facts: { url: string } }>(program, {
    nodeFlags: [
      ...(place === 'board' ? DEVICE_NODE_FLAGS : []),
      ...(loadedModules === undefined ? [] : ['--import', join(import.meta.dirname, 'loaded-modules.ts')]),
    ],
    env: {
      ...(place === 'board' && DEVICE_MEMORY),
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      DEVICE_DATA: folder,
      DEVICE_HOST: '127.0.0.1',
      DEVICE_PORT: '0',
      DEVICE_PASSWORD: PASSWORD,
      LOG_LEVEL: logLevel,
      ...(cloudUrl === undefined ? {} : { CLOUD_URL: cloudUrl }),
      ...(trustedPath === undefined ? {} : { NODE_EXTRA_CA_CERTS: trustedPath }),
      ...(loadedModules === undefined ? {} : { LOADED_MODULES: loadedModules }),
    },
  });
  undo.defer(async () => {
    // In order: compiled code is cached for the next start when a process ends, not when it is killed.
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  if (child.pid === undefined) throw new Error('the device has no process');
  const running = undo.move();
  return {
    pid: child.pid,
    url: message.facts.url,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
