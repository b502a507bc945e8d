import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { DeviceAbout } from '@heliograph/contracts';
import { startWholeDevice, WHOLE_DEVICE_PASSWORD, type WholeDevice } from '../../whole-device.ts';
import { KEY_COST } from './key-cost.ts';

export const PASSPHRASE = 'twelve characters or more';

export const CONFIGURATION = `
time_zone: Europe/Lisbon
energy_period: daily
`;

/** A device with a configuration and a history; and its backup. */
export class BackedUpHome implements AsyncDisposable {
  readonly device: WholeDevice;
  readonly uid: string;
  /** The path of the backup. */
  readonly file: string;
  readonly #folders: string[] = [];

  private constructor(device: WholeDevice, uid: string) {
    this.device = device;
    this.uid = uid;
    this.file = join(this.temporaryFolder(), 'home.backup');
  }

  static async start(): Promise<BackedUpHome> {
    const device = await startWholeDevice(CONFIGURATION, { backupKeyCost: KEY_COST });
    const history = new DatabaseSync(join(device.folder, 'history.sqlite'));
    history.exec("INSERT INTO series (topic, name, unit) VALUES ('total/of_yesterday', 'Of yesterday', 'W')");
    history.close();
    const { uid } = await device.answer<DeviceAbout>('/api/v1/device');
    const home = new BackedUpHome(device, uid);
    const made = await home.backup({ passphrase: PASSPHRASE });
    if (made.status !== 200) throw new Error(`The home is not backed up: ${made.status}`);
    writeFileSync(home.file, Buffer.from(await made.arrayBuffer()));
    return home;
  }

  backup(body: object): Promise<Response> {
    return this.device.browser.send('POST', '/api/v1/backup', { password: WHOLE_DEVICE_PASSWORD, ...body });
  }

  /** A new empty folder, which is removed with the home. */
  temporaryFolder(): string {
    const folder = mkdtempSync(join(tmpdir(), 'heliograph-backup-'));
    this.#folders.push(folder);
    return folder;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.device.stop();
    for (const folder of this.#folders) rmSync(folder, { recursive: true });
  }
}

export function topicsIn(dataFolder: string): unknown[] {
  const db = new DatabaseSync(join(dataFolder, 'history.sqlite'));
  const topics = db
    .prepare('SELECT topic FROM series')
    .all()
    .map(({ topic }) => topic);
  db.close();
  return topics;
}

/** The installation that the cloud distinguishes a computer by, of a device that is stopped. */
export function installationIn(dataFolder: string): unknown {
  const db = new DatabaseSync(join(dataFolder, 'device.sqlite'));
  const row = db.prepare("SELECT value FROM settings WHERE key = 'installation_id'").get();
  db.close();
  return row?.value;
}
