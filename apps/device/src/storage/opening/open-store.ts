import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import { DATABASE_FILE, DamagedDatabase, openDatabase, type StoreFault } from '../database.ts';
import { type DeviceIdentity, loadIdentity, loadOrCreateIdentity, storedJwk } from '../identity.ts';
import { KeyValueStore } from '../key-value.ts';
import { finishSalvage, salvageStore } from '../salvage/salvage-store.ts';
import { COPY_FILE, StoreCopy } from '../salvage/store-copy.ts';
import { type StoreLoss, StoreLosses, totalLoss } from '../salvage/store-loss.ts';

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

/** The history beside the store: a device that has one is not new. */
const HISTORY_FILE = 'history.sqlite';

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
    if (isLost)
      losses.record({ at: clock.now(), file: null, ...totalLoss(copy.hasSettings), newIdentity: false });
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
      loss.cause === 'unreadable'
        ? 'the disk cannot read a part of the database: it is set aside, and all of it that can be read is kept'
        : 'the database was damaged: it is set aside, and all of it that can be read is kept',
    );
    return { db: openDatabase(folder), loss };
  }
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
