import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type Clock, ConfigError, messageOf } from '@heliograph/kit';
import type { Actor } from '../../access/audit/audit.ts';
import { syncFolder } from '../../common/replace-text.ts';
import { readConfigFile } from '../../config/read-config-file.ts';
import { loadFamilies } from '../../drivers/families/families.ts';
import { openHistoryDatabase } from '../../history/files/history-database.ts';
import type { RestoredDevice } from '../../serve/api/pages/page-operations.ts';
import { AuditLog } from '../../storage/audit-log.ts';
import { openDatabase } from '../../storage/database.ts';
import { loadOrCreateIdentity } from '../../storage/identity.ts';
import { newInstallation } from '../../storage/installation.ts';
import { KeyValueStore } from '../../storage/key-value.ts';
import { StoreCopy } from '../../storage/salvage/store-copy.ts';
import { unpack } from './archive.ts';
import { BadBackup, decrypt } from './encryption.ts';
import { CONFIG_NAME, HISTORY_NAME, STORE_NAME } from './file-names.ts';

/** Holds what was restored, once it is whole and checked. */
export const READY_FOLDER = 'restore.ready';

/** Name in that folder of a configuration that cannot be used on this computer. */
export const UNUSED_CONFIG_NAME = 'device.yaml.restored';

/** Marks a restore without history of the very device whose history is here. */
export const KEEP_HISTORY = 'keep-history';

export interface RestoreOptions {
  readonly dataFolder: string;
  readonly passphrase: string;
  /** For the restored device's audit log. */
  readonly author: Actor;
  readonly clock: Clock;
}

/**
 * Unpacks a backup beside the data of the device, and checks all of it. The device's own files are untouched; the next
 * start replaces them, in `installRestored`. A process that is killed before the end leaves the device as it was.
 *
 * @throws BadBackup, or the system's error, such as for a full disk
 */
export async function stageRestore(
  file: AsyncIterable<Uint8Array>,
  options: RestoreOptions,
): Promise<RestoredDevice> {
  const { dataFolder, passphrase } = options;
  await mkdir(dataFolder, { recursive: true, mode: 0o700 });
  const folder = join(dataFolder, `restore.${randomUUID()}`);
  await mkdir(folder, { mode: 0o700 });
  try {
    const { manifest, files } = await unpack(decrypt(file, passphrase));
    const names = new Set<string>();
    for await (const { name, content } of files) {
      await writeWhole(join(folder, name), content);
      names.add(name);
    }
    if (!names.has(STORE_NAME)) throw new BadBackup('The backup has no identity of a device');
    await checkStore(folder, manifest.uid, options);
    if (names.has(HISTORY_NAME)) checkHistory(folder);
    const configurationProblem = names.has(CONFIG_NAME) ? await problemOf(folder) : null;
    if (configurationProblem !== null) {
      await rename(join(folder, CONFIG_NAME), join(folder, UNUSED_CONFIG_NAME));
    }
    if (!names.has(HISTORY_NAME) && (await presentUid(dataFolder)) === manifest.uid) {
      await writeFile(join(folder, KEEP_HISTORY), '');
    }
    await commit(folder, join(dataFolder, READY_FOLDER));
    return {
      uid: manifest.uid,
      siteName: manifest.site_name,
      madeAt: manifest.made_at,
      hasHistory: names.has(HISTORY_NAME),
      configurationProblem,
    };
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** The uid of the device that is here; undefined where it cannot be read. */
async function presentUid(dataFolder: string): Promise<string | undefined> {
  const copied = await new StoreCopy(dataFolder).uid();
  if (copied !== undefined) return copied;
  try {
    using db = new DatabaseSync(join(dataFolder, STORE_NAME), { readOnly: true });
    return (await loadOrCreateIdentity(db)).uid;
  } catch {
    return undefined;
  }
}

async function writeWhole(path: string, content: AsyncIterable<Buffer>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, 'wx', 0o600);
    for await (const bytes of content) await handle.writeFile(bytes);
    await handle.sync();
  } finally {
    await handle?.close();
  }
}

/** From then on the restore is carried out. A previous one that no start has carried out yet is dropped. */
async function commit(folder: string, ready: string): Promise<void> {
  await syncFolder(folder);
  await rm(ready, { recursive: true, force: true });
  await rename(folder, ready);
  await syncFolder(dirname(ready));
}

/** Brings the store to this version's tables, and makes it an installation of its own. */
async function checkStore(folder: string, uid: string, { author, clock }: RestoreOptions): Promise<void> {
  const db = openStaged(() => openDatabase(folder));
  try {
    const identity = await loadOrCreateIdentity(db);
    if (identity.uid !== uid) throw new BadBackup('The backup has no identity of a device');
    newInstallation(new KeyValueStore(db));
    const log = new AuditLog(db);
    const { name, via, address } = author;
    const entry = log.begin({
      at: clock.now(),
      action: 'backup.restore',
      author: name,
      via,
      address,
      subject: null,
      changes: [],
    });
    log.finish(entry, 'ok');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    db.close();
  }
}

function checkHistory(folder: string): void {
  openStaged(() => openHistoryDatabase(folder)).close();
}

function openStaged<Opened>(open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    if (/newer version/.test(messageOf(error))) {
      throw new BadBackup('The backup was made by a newer version: update this device first');
    }
    throw error;
  }
}

async function problemOf(folder: string): Promise<string | null> {
  const file = join(folder, CONFIG_NAME);
  try {
    readConfigFile(file, await loadFamilies({ configFile: file }));
    return null;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.replaceAll(`${file}:`, `${CONFIG_NAME}:`);
  }
}
