import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import { DATABASE_FILE, DamagedDatabase, openDatabase } from './database.ts';
import { type DeviceIdentity, loadOrCreateIdentity } from './identity.ts';
import { IdentityCopy } from './identity-copy.ts';
import { KeyValueStore } from './key-value.ts';

export interface DeviceStore {
  readonly db: DatabaseSync;
  readonly identity: DeviceIdentity;
  readonly settings: KeyValueStore;
}

/** The database consists of these, which belong together. */
const ENDINGS = ['', '-wal', '-shm'];

/**
 * Opens the device's database, and keeps the copy of its identity up to date. A damaged database is set aside, and one
 * without an identity filled, from that copy: the device stays the same to the cloud, and keeps its password.
 *
 * @throws DamagedDatabase where there is no copy, ConfigError as `openDatabase` does
 */
export async function openStore(folder: string, clock: Clock, logger: Logger): Promise<DeviceStore> {
  const copy = new IdentityCopy(folder);
  const db = openOrSetAside(folder, copy, clock, logger);
  try {
    if (copy.restoreInto(db)) {
      logger.error(
        'the database had no identity: it and the password are restored from identity.json; energy totals and logs restart',
      );
    }
    const identity = await loadOrCreateIdentity(db);
    const update = (): Promise<void> =>
      copy.update(db).catch((error: unknown) => {
        logger.warn({ reason: messageOf(error) }, 'the copy of the identity cannot be written');
      });
    await update();
    const settings = new KeyValueStore(db, (key) => {
      if (copy.covers(key)) void update();
    });
    return { db, identity, settings };
  } catch (error) {
    db.close();
    throw error;
  }
}

function openOrSetAside(folder: string, copy: IdentityCopy, clock: Clock, logger: Logger): DatabaseSync {
  try {
    return openDatabase(folder);
  } catch (error) {
    if (!(error instanceof DamagedDatabase) || !copy.exists) throw error;
    const time = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+Z$/g, '');
    const aside = `${DATABASE_FILE}.damaged-${time}`;
    for (const ending of ENDINGS)
      renameIfThere(join(folder, DATABASE_FILE + ending), join(folder, aside + ending));
    logger.error({ reason: messageOf(error), file: aside }, 'the damaged database is set aside');
    return openDatabase(folder);
  }
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
