import { renameSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import {
  DATABASE_FILE,
  DamagedDatabase,
  openDatabase,
  openTemporaryDatabase,
  type StoreFault,
  UnusableStore,
} from './database.ts';
import { type DeviceIdentity, loadOrCreateIdentity } from './identity.ts';
import { IdentityCopy } from './identity-copy.ts';
import { KeyValueStore } from './key-value.ts';

/** Why the store is one in memory. */
export interface StoreProblem {
  readonly fault: StoreFault;
  /** In plain words, with the path of the file. */
  readonly message: string;
  /** Whether the identity and the password are known, from the copy. */
  readonly hasIdentity: boolean;
}

export interface DeviceStore {
  /** Null for the stored one. */
  readonly problem: StoreProblem | null;
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
    return { problem: null, db, identity, settings };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * As `openStore`; where the store cannot be used, one in memory, filled from the copy of the identity: the device then serves
 * readings, and the page on which its owner mends it. A password that is set, and a write to the hardware, would be lost
 * with it, and so they fail.
 *
 * @throws DatabaseInUse, ConfigError
 */
export async function openStoreOrTemporary(
  folder: string,
  clock: Clock,
  logger: Logger,
): Promise<DeviceStore> {
  try {
    return await openStore(folder, clock, logger);
  } catch (error) {
    if (!(error instanceof UnusableStore)) throw error;
    const db = openTemporaryDatabase();
    const hasIdentity = new IdentityCopy(folder).restoreInto(db);
    const identity = await loadOrCreateIdentity(db);
    db.exec(REFUSALS);
    const message = error.message.replace(/^DEVICE_DATA: /, '');
    logger.error(
      { reason: message, identity: hasIdentity },
      'the store cannot be used: open the page of the device',
    );
    return {
      problem: { fault: error.fault, message, hasIdentity },
      db,
      identity,
      settings: new KeyValueStore(db),
    };
  }
}

const LOST = "select raise(abort, 'the store of the device cannot be used')";
const REFUSALS = `
  create trigger no_password before insert on settings when new.key = 'device_password_hash' begin ${LOST}; end;
  create trigger same_password before update on settings when new.key = 'device_password_hash' begin ${LOST}; end;
  create trigger kept_password before delete on settings when old.key = 'device_password_hash' begin ${LOST}; end;
  create trigger no_write before insert on write_log begin ${LOST}; end;
`;

/**
 * Sets a store that cannot be used aside, so that the next start makes another one, from the copy of the identity where there
 * is one.
 *
 * @throws the system's error
 */
export function setStoreAside(folder: string, clock: Clock): void {
  setAside(folder, `unusable-${timeOf(clock)}`);
}

function timeOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+Z$/g, '');
}

/** @returns the name of the file from then on */
function setAside(folder: string, suffix: string): string {
  const aside = `${DATABASE_FILE}.${suffix}`;
  for (const ending of ENDINGS)
    renameIfThere(join(folder, DATABASE_FILE + ending), join(folder, aside + ending));
  return aside;
}

function openOrSetAside(folder: string, copy: IdentityCopy, clock: Clock, logger: Logger): DatabaseSync {
  try {
    return openDatabase(folder);
  } catch (error) {
    if (!(error instanceof DamagedDatabase) || !copy.exists) throw error;
    const aside = setAside(folder, `damaged-${timeOf(clock)}`);
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
