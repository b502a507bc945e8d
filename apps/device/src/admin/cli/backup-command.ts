import { createReadStream, existsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, systemClock } from '@heliograph/kit';
import { expectArguments, parseArguments } from '@heliograph/kit/terminal';
import { syncFolder } from '../../common/replace-text.ts';
import { DatabaseInUse, openDatabase } from '../../storage/database.ts';
import { loadOrCreateIdentity } from '../../storage/identity.ts';
import { KeyValueStore } from '../../storage/key-value.ts';
import { unpack } from '../backup/archive.ts';
import { complaintAboutPassphrase, newBackupKey } from '../backup/backup-key.ts';
import { decrypt } from '../backup/encryption.ts';
import { CONFIG_NAME } from '../backup/file-names.ts';
import { makeBackup } from '../backup/make-backup.ts';
import { asOwnerOf } from './as-owner.ts';
import { CommandFailed, type DeviceCommand, type World } from './command.ts';
import {
  callDevice,
  DATA_HELP,
  DATA_OPTIONS,
  type LocalDevice,
  localDevice,
  secretOf,
} from './device-data.ts';

/** How long a start of the device may hold the store, in milliseconds: it is then running. */
const LOCK_TIMEOUT_MS = 200;

export const backupCommand: DeviceCommand = {
  name: 'backup',
  summary: 'make an encrypted backup of identity, configuration and history',
  help: `heliograph device backup [OPTIONS] FILE

Makes a backup of the device on this computer, encrypted with a passphrase, and reads it back. "heliograph device restore"
turns any computer into this device with it. A running device goes on meanwhile, and wants its password.

${DATA_HELP}
  --no-history   leave the readings out, which may be hundreds of megabytes

The passphrase is asked for, or is the variable BACKUP_PASSPHRASE; the password DEVICE_PASSWORD.`,

  async run(args, world) {
    const { values, positionals } = parseArguments(args, {
      ...DATA_OPTIONS,
      'no-history': { type: 'boolean', default: false },
    });
    expectArguments(positionals, ['file']);
    const [file = ''] = positionals;
    if (existsSync(file)) throw new CommandFailed(`${file}: there is such a file already`);
    const device = localDevice(values, world);
    if (!device.hasStore) throw new CommandFailed(`There is no device in ${device.dataFolder}`);
    const passphrase = await newPassphrase(world);
    const makeContent = () => backupOf(device, passphrase, !values['no-history'], world);
    const { bytes, names } = await writeAtomically(file, device.dataFolder, makeContent, passphrase);
    world.print(`${file} is a backup of ${(bytes / 1e6).toFixed(1)} MB, and can be read`);
    if (!names.includes(CONFIG_NAME)) {
      world.warn(
        `It has no configuration: the device has none, or it is not ${device.configFile} (--config)`,
      );
    }
    world.print('Keep the passphrase: without it the backup cannot be restored');
  },
};

/** @throws CommandFailed */
async function newPassphrase(world: World): Promise<string> {
  const passphrase = await secretOf(world, 'BACKUP_PASSPHRASE', 'Passphrase for the backup: ');
  const complaint = complaintAboutPassphrase(passphrase);
  if (complaint !== undefined) throw new CommandFailed(`The passphrase ${complaint}`);
  if (world.env.BACKUP_PASSPHRASE === undefined) {
    const repeated = await world.readSecret('Passphrase again: ');
    if (repeated !== passphrase) throw new CommandFailed('The passphrases differ');
  }
  return passphrase;
}

type Content = AsyncIterable<Uint8Array>;

async function backupOf(
  device: LocalDevice,
  passphrase: string,
  history: boolean,
  world: World,
): Promise<Content> {
  const { dataFolder, configFile, url } = device;
  try {
    const db = openDatabase(dataFolder, LOCK_TIMEOUT_MS);
    try {
      const { uid } = await loadOrCreateIdentity(db);
      const siteName = new KeyValueStore(db).get('site_name') ?? null;
      const bytes = db.serialize();
      const source = {
        dataFolder,
        configFile,
        uid,
        siteName: () => siteName,
        store: () => bytes,
        clock: systemClock,
      };
      return await makeBackup(source, {
        key: await newBackupKey(passphrase, world.backupKeyCost),
        history: history ? 'all' : 'none',
      });
    } finally {
      db.close();
    }
  } catch (error) {
    if (!(error instanceof DatabaseInUse)) throw error;
    const password = await secretOf(world, 'DEVICE_PASSWORD', 'Password of the device: ');
    const answer = await callDevice(url, '/api/v1/backup', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/octet-stream' },
      body: JSON.stringify({ password, passphrase, history }),
    });
    if (answer.body === null) throw new CommandFailed('The device answers without a backup');
    return answer.body;
  }
}

/** Size of a backup, and the names of the files in it. */
interface Written {
  readonly bytes: number;
  readonly names: readonly string[];
}

/** The file appears once all of it is on the disk and was read back. */
async function writeAtomically(
  file: string,
  dataFolder: string,
  makeContent: () => Promise<Content>,
  passphrase: string,
): Promise<Written> {
  const unfinished = `${file}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    let size = 0;
    const handle = await open(unfinished, 'wx', 0o600);
    try {
      await asOwnerOf(dataFolder, async () => {
        for await (const bytes of await makeContent()) {
          await handle.writeFile(bytes);
          size += bytes.byteLength;
        }
      });
      await handle.sync();
    } finally {
      await handle.close();
    }
    const names: string[] = [];
    const { files } = await unpack(decrypt(createReadStream(unfinished), passphrase));
    for await (const { name, content: archived } of files) {
      names.push(name);
      for await (const _bytes of archived);
    }
    await rename(unfinished, file);
    await syncFolder(dirname(file));
    return { bytes: size, names };
  } catch (error) {
    await rm(unfinished, { force: true });
    if (error instanceof CommandFailed) throw error;
    throw new CommandFailed(`The backup was not made: ${messageOf(error)}`);
  }
}
