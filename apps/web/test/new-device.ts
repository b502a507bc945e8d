import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clockEnv, reservedPorts, testProgram } from '@heliograph/dev/testing';
import { vi } from 'vitest';

/** A device as it comes out of its box. */
export interface NewDevice extends AsyncDisposable {
  readonly url: string;
}

export interface NewDeviceOptions {
  /** Puts files into its data folder. */
  readonly prepare?: (folder: string) => Promise<void>;
  /** The cloud that it calls. Default: none. */
  readonly cloudUrl?: string;
}

export async function startNewDevice({ prepare, cloudUrl }: NewDeviceOptions = {}): Promise<NewDevice> {
  const [main, data, port] = await Promise.all([
    testProgram('apps/device/src/main'),
    mkdtemp(join(tmpdir(), 'heliograph-new-device-')),
    reservedPorts(),
  ]);
  await prepare?.(data);
  const device = spawn(process.execPath, [main], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ...clockEnv(),
      DEVICE_DATA: data,
      DEVICE_HOST: '127.0.0.1',
      DEVICE_PORT: String(port),
      ...(cloudUrl !== undefined && { CLOUD_URL: cloudUrl }),
      LOG_LEVEL: 'error',
    },
  });
  const ended = once(device, 'exit');
  const url = `http://127.0.0.1:${port}`;
  await vi.waitFor(() => fetch(`${url}/api/v1/session`), 60_000);
  return {
    url,
    async [Symbol.asyncDispose]() {
      device.kill();
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
}
