import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import {
  DATABASE_FILE,
  DamagedDatabase,
  openDatabase,
  openDatabaseFile,
  type StoreFault,
  UnusableStore,
} from './database.ts';
import { isDiskFull, reasonOf } from './failures.ts';
import { type DeviceIdentity, loadIdentity, loadOrCreateIdentity, storedJwk } from './identity.ts';
import { KeyValueStore } from './key-value.ts';
import { removeDatabase, type Salvage, salvageInto } from './salvage.ts';
import { COPY_FILE, StoreCopy } from './store-copy.ts';
import { HOURS_REACHED, isIncomplete, lossOf, type StoreLoss, StoreLosses, totalLoss } from './store-loss.ts';

/** Why the store is one in memory. */
export interface StoreProblem {
  readonly fault: StoreFault;
  /** In plain words, with the path of the file. */
  readonly message: string;
  /** Whether the identity and the password are known, from the copy. */
  readonly hasIdentity: boolean;
  /** Whether a file that can be opened again mends it. */
  readonly isRetried: boolean;
}

export interface DeviceStore {
  /** Null for the stored one. */
  readonly problem: StoreProblem | null;
  readonly db: DatabaseSync;
  readonly identity: DeviceIdentity;
  readonly settings: KeyValueStore;
  readonly losses: StoreLosses;
  /** Ends once the copy has the last change. */
  close(): Promise<void>;
}

/** The database consists of these, which belong together. */
const ENDINGS = ['', '-wal', '-shm'];

/** A new database while it is filled with the rows of a damaged one, and when it has them all. */
const SALVAGING_FILE = `${DATABASE_FILE}.salvaging`;
const SALVAGED_FILE = `${DATABASE_FILE}.salvaged`;

/** The settings without which the device would be open, or another one, to those who know it. */
export const ESSENTIAL_SETTINGS: readonly string[] = [
  'device_password_hash',
  'installation_id',
  'site_id',
  'site_name',
];

/** The history beside the store: a device that has one is not new. */
const HISTORY_FILE = 'history.sqlite';

/** Setting of a store that its owner began without an identity. */
const BEGUN = 'store_begun';

/**
 * Opens the device's database, and keeps the copy beside it up to date. A damaged database is set aside once its rows are in
 * another one; what could not be read comes from the copy: the device stays the same to the cloud, and keeps its settings.
 *
 * @throws DamagedDatabase where the identity is neither in the database nor in the copy, ConfigError as `openDatabase` does
 */
export async function openStore(folder: string, clock: Clock, logger: Logger): Promise<DeviceStore> {
  const copy = new StoreCopy(folder);
  finishSalvage(folder, clock);
  const { db, loss } = await openOrSalvage(folder, copy, clock, logger);
  try {
    const jwk = storedJwk(db);
    const isRestored = await copy.restoreIdentity(db);
    if (isRestored && loss === undefined)
      logger.error(
        jwk === undefined
          ? 'the database had no identity: it and the settings are restored from identity.json'
          : 'the stored identity is damaged and restored from identity.json',
      );
    const isLost = isRestored && jwk === undefined && loss === undefined;
    if (isLost) copy.restoreSettings(db);
    else if ((await loadIdentity(db)) === undefined) refuseLost(folder, db, copy);
    const identity = await loadOrCreateIdentity(db);
    const copied = await copy.uid();
    if (copied !== undefined && copied !== identity.uid) copy.forgetSettings();
    const update = (): Promise<void> =>
      copy.update(db).catch((error: unknown) => {
        logger.warn({ reason: messageOf(error) }, 'the copy of the settings cannot be written');
      });
    const follow = (key: string, value: string | undefined): void => {
      if (!copy.covers(key)) return;
      copy.follow(key, value);
      void update();
    };
    const settings = new KeyValueStore(db, {
      onChange: follow,
      onAccept: (key, value) => {
        if (copy.setting(key) !== value) follow(key, value);
      },
      copied: (key) => copy.setting(key),
      logger,
    });
    const losses = new StoreLosses(settings, clock.now());
    if (isLost) losses.record({ at: clock.now(), file: null, ...totalLoss(copy.hasSettings) });
    await update();
    const close = async (): Promise<void> => {
      await copy.written();
      db.close();
    };
    return { problem: null, db, identity, settings, losses, close };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Sets a store that cannot be used aside for one that has the identity and the password of the copy; without a usable copy
 * the device is a new one.
 *
 * @throws the system's error
 */
export async function startNewStore(folder: string, clock: Clock): Promise<void> {
  const copy = new StoreCopy(folder);
  setAside(folder, `unusable-${timeOf(clock)}`);
  removeDatabase(join(folder, SALVAGED_FILE));
  const db = openDatabase(folder);
  try {
    if (await copy.restoreIdentity(db)) copy.restoreSettings(db, ESSENTIAL_SETTINGS);
    new KeyValueStore(db).set(BEGUN, String(clock.now()));
    await copy.update(db);
    if (storedJwk(db) === undefined)
      renameIfThere(join(folder, COPY_FILE), join(folder, `${COPY_FILE}.unusable-${timeOf(clock)}`));
  } finally {
    db.close();
  }
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

interface OpenedStore {
  readonly db: DatabaseSync;
  /** Undefined where nothing was damaged. */
  readonly loss?: StoreLoss;
}

async function openOrSalvage(
  folder: string,
  copy: StoreCopy,
  clock: Clock,
  logger: Logger,
): Promise<OpenedStore> {
  try {
    return { db: openDatabase(folder) };
  } catch (error) {
    if (!(error instanceof DamagedDatabase)) throw error;
    const loss = await salvageStore(folder, copy, clock, error);
    finishSalvage(folder, clock);
    logger.error(
      { reason: messageOf(error), ...loss },
      'the database was damaged: it is set aside, and all of it that can be read is kept',
    );
    return { db: openDatabase(folder), loss };
  }
}

/**
 * Makes a whole database of a damaged one and of the copy beside it.
 *
 * @param damage is thrown where no identity is found
 */
async function salvageStore(
  folder: string,
  copy: StoreCopy,
  clock: Clock,
  damage: DamagedDatabase,
): Promise<StoreLoss> {
  const path = join(folder, DATABASE_FILE);
  removeDatabase(join(folder, SALVAGING_FILE));
  const target = openDatabaseFile(folder, SALVAGING_FILE);
  try {
    const salvage = salvageInto(target, path, join(folder, `${DATABASE_FILE}.scratch`));
    await copy.restoreIdentity(target);
    if ((await loadIdentity(target)) === undefined) throw damage;
    const loss = recordLoss(target, salvage, copy, clock);
    target.close();
    renameSync(join(folder, SALVAGING_FILE), join(folder, SALVAGED_FILE));
    return loss;
  } catch (error) {
    if (target.isOpen) target.close();
    removeDatabase(join(folder, SALVAGING_FILE));
    if (error instanceof UnusableStore) throw error;
    const fault = isDiskFull(error) ? 'full' : 'unreadable';
    throw new UnusableStore(`DEVICE_DATA: ${path} is damaged, and its copy ${reasonOf(error)}`, fault);
  }
}

function recordLoss(target: DatabaseSync, salvage: Salvage, copy: StoreCopy, clock: Clock): StoreLoss {
  const file = `${DATABASE_FILE}.damaged-${timeOf(clock)}`;
  const loss = { at: clock.now(), file, ...lossOf(salvage, copy.hasSettings) };
  const store = new KeyValueStore(target);
  if (isIncomplete(salvage.settings)) copy.restoreSettings(target);
  // The history may have what the hours lost.
  if (loss.hours !== null || isIncomplete(salvage.energy_days)) store.delete(HOURS_REACHED);
  new StoreLosses(store, clock.now()).record(loss);
  return loss;
}

/** Puts a database that has the rows of a damaged one in its place; a process may have been killed before. */
function finishSalvage(folder: string, clock: Clock): void {
  const salvaged = join(folder, SALVAGED_FILE);
  if (!existsSync(salvaged)) return;
  setAside(folder, `damaged-${timeOf(clock)}`);
  renameSync(salvaged, join(folder, DATABASE_FILE));
}

/** @throws DamagedDatabase for a database without an identity that is not that of a new device */
function refuseLost(folder: string, db: DatabaseSync, copy: StoreCopy): void {
  const path = join(folder, DATABASE_FILE);
  if (storedJwk(db) !== undefined)
    throw new DamagedDatabase(
      `DEVICE_DATA: ${path} is damaged: its identity cannot be used, and ${COPY_FILE} has none`,
    );
  const { count } =
    db.prepare("SELECT count(*) AS count FROM settings WHERE key <> 'schema_works_with'").get() ?? {};
  if (count !== 0) return;
  const remains = [
    ...(copy.exists ? [`an ${COPY_FILE} that cannot be read`] : []),
    ...(existsSync(join(folder, HISTORY_FILE)) ? ['a history'] : []),
  ];
  if (remains.length === 0) return;
  throw new DamagedDatabase(
    `DEVICE_DATA: ${path} is empty, and there is ${remains.join(' and ')}: the stored data of a device were lost`,
  );
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
