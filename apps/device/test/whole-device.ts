import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { reservedPorts } from '@heliograph/dev/testing';
import { type Clock, Env, type Logger, silentLogger } from '@heliograph/kit';
import type { ScryptCost } from '../src/admin/backup/backup-key.ts';
import type { LogTail } from '../src/admin/diagnostics/log-tail.ts';
import { loadDevice } from '../src/load-device.ts';
import { startRestartingDevice } from '../src/restarting-device.ts';
import { Browser } from './serve/api/browser.ts';

export const WHOLE_DEVICE_PASSWORD = 'a device password';

/** A whole device in this process, as a program starts it, and a browser that is signed in to its pages. */
export interface WholeDevice {
  readonly url: string;
  readonly browser: Browser;
  readonly folder: string;
  /** The current text of its configuration file. */
  text(): string;
  /** Makes the next start fail with this. */
  breakNextStart(failure: Error): void;
  /** The answer to a request of its pages, which must be 200. */
  answer<T>(path: string): Promise<T>;
  stop(): Promise<void>;
}

export interface WholeDeviceOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly logger?: Logger;
  readonly logTail?: LogTail;
  /** The data folder, which is then not removed; one of its own when left out. */
  readonly dataFolder?: string;
  readonly backupKeyCost?: ScryptCost;
}

/** @param text its configuration file */
export async function startWholeDevice(
  text: string,
  { env = {}, logger = silentLogger, logTail, dataFolder, backupKeyCost }: WholeDeviceOptions = {},
): Promise<WholeDevice> {
  const folder = dataFolder ?? mkdtempSync(join(tmpdir(), 'heliograph-whole-'));
  const file = join(folder, 'device.yaml');
  writeFileSync(file, text);
  const environment = {
    DEVICE_DATA: folder,
    DEVICE_HOST: '127.0.0.1',
    DEVICE_PORT: String(await reservedPorts()),
    DEVICE_PASSWORD: WHOLE_DEVICE_PASSWORD,
    ...env,
  };
  let failure: Error | undefined;
  const load = async (clock: Clock, log: Logger) => {
    const broken = failure;
    failure = undefined;
    if (broken !== undefined) throw broken;
    return loadDevice(new Env(environment), clock, log);
  };
  const device = await startRestartingDevice({
    ...{ load, logger, backupKeyCost },
    ...(logTail === undefined ? {} : { logTail }),
  });
  const { url } = device.facts;
  const browser = new Browser(url);
  await browser.send('POST', '/api/v1/session', { password: WHOLE_DEVICE_PASSWORD });
  return {
    url,
    browser,
    folder,
    breakNextStart: (next) => {
      failure = next;
    },
    text: () => readFileSync(file, 'utf8'),
    async answer<T>(path: string): Promise<T> {
      const answer = await browser.get(path);
      if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
      return (await answer.json()) as T;
    },
    async stop() {
      await device.stop();
      if (dataFolder === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
