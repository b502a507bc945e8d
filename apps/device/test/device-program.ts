import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { testProgram } from '@heliograph/dev/testing';
import type { ReadyMessage } from '@heliograph/kit';
import type { DeviceAddress } from '../src/device.ts';
import { Browser } from './serve/api/browser.ts';

/** The device as a process of its own, and a browser signed in to it. */
export interface DeviceProgram {
  readonly child: ChildProcess;
  readonly browser: Browser;
  readonly url: string;
  readonly password: string;
}

/** @param folder with its configuration file, for its data */
export async function startDeviceProgram(folder: string): Promise<DeviceProgram> {
  const env = {
    ...process.env,
    DEVICE_DATA: folder,
    DEVICE_HOST: '127.0.0.1',
    DEVICE_PORT: '0',
    DEVICE_PASSWORD: 'a device password',
    LOG_LEVEL: 'silent',
  };
  const child = spawn(process.execPath, [await testProgram('apps/device/src/main')], {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    const [ready] = (await once(child, 'message')) as [ReadyMessage<DeviceAddress>];
    const browser = new Browser(ready.facts.url);
    await browser.send('POST', '/api/v1/session', { password: env.DEVICE_PASSWORD });
    return { child, browser, url: ready.facts.url, password: env.DEVICE_PASSWORD };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}
