import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock, Logger } from '@heliograph/kit';
import {
  DATABASE_FILE,
  DamagedDatabase,
  hasFreeSpace,
  openDatabase,
  openTemporaryDatabase,
  type StoreFault,
  UnusableStore,
} from '../database.ts';
import { loadOrCreateIdentity } from '../identity.ts';
import { KeyValueStore } from '../key-value.ts';
import { ESSENTIAL_SETTINGS } from '../salvage/salvage-store.ts';
import { StoreCopy } from '../salvage/store-copy.ts';
import { StoreLosses } from '../salvage/store-loss.ts';
import { type DeviceStore, openStore, type StoreProblem } from './open-store.ts';
import { StoreUnusable } from './store-unusable.ts';

/** How often a store that could not be used is tried again, in milliseconds. */
const STORE_RETRY_MS = 30_000;

/** A salvage takes this many times the room of the damaged file: a readable copy, the new file and its log. */
const SALVAGE_FACTOR = 3;

export interface OpenDeviceStoreOptions {
  /** Whether the device can restart: without that there is no way out of a store in memory. */
  readonly canRestart: boolean;
  /** Why a start with the store failed: it is left alone, and one in memory takes its place. */
  readonly storeFailure: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** @throws as {@link openStore} does */
export function openDeviceStore(
  folder: string,
  { canRestart, storeFailure, clock, logger }: OpenDeviceStoreOptions,
): Promise<DeviceStore> {
  if (storeFailure !== undefined) {
    const message = `${join(folder, DATABASE_FILE)} has what the device cannot start with: ${storeFailure}`;
    return openTemporaryStore(folder, { fault: 'damaged', message, isRetried: false }, logger);
  }
  return (canRestart ? openStoreOrTemporary : openStore)(folder, clock, logger);
}

/**
 * As `openStore`; where the store cannot be used, one in memory, filled from the copy: the device then serves
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
    const isRetried = !(error instanceof DamagedDatabase);
    return openTemporaryStore(folder, { fault: error.fault, message: error.message, isRetried }, logger);
  }
}

/**
 * Whether another start may use a store that one could not use: a disk was mounted, or a person gave the file its permissions.
 * Another start salvages a damaged file no better, unless it was the room that lacked.
 */
export function canBeRetried(folder: string, fault: StoreFault): boolean {
  try {
    openDatabase(folder).close();
    return true;
  } catch (error) {
    if (!(error instanceof DamagedDatabase) || fault !== 'full') return false;
    const { size } = statSync(join(folder, DATABASE_FILE));
    return hasFreeSpace(folder, SALVAGE_FACTOR * size);
  }
}

/** Restarts the device once the fault of its store is gone. */
export function storeRetries(
  { fault, isRetried }: StoreProblem,
  folder: string,
  restart: (reason: string) => void,
  logger: Logger,
): Disposable {
  if (!isRetried) return { [Symbol.dispose]: () => undefined };
  const timer = setInterval(() => {
    if (!canBeRetried(folder, fault)) return;
    clearInterval(timer);
    logger.info({ fault }, 'the store is opened again');
    restart('the store is opened again');
  }, STORE_RETRY_MS);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

/** A store in memory in place of one that cannot be used. @param why as of {@link StoreProblem} */
async function openTemporaryStore(
  folder: string,
  why: Omit<StoreProblem, 'hasIdentity'>,
  logger: Logger,
): Promise<DeviceStore> {
  const db = openTemporaryDatabase();
  const copy = new StoreCopy(folder);
  const hasIdentity = await copy.restoreIdentity(db);
  // A value that stops the device may be in the copy as well.
  copy.restoreSettings(db, why.fault === 'damaged' ? ESSENTIAL_SETTINGS : undefined);
  const identity = await loadOrCreateIdentity(db);
  db.exec(NO_WRITES);
  const message = why.message.replace(/^DEVICE_DATA: /, '');
  logger.error(
    { reason: message, identity: hasIdentity },
    'the store cannot be used: open the page of the device',
  );
  const settings = new KeyValueStore(db, {
    checkChange: (key) => {
      if (!FOUND_AGAIN.test(key)) throw new StoreUnusable(why.fault);
    },
    logger,
  });
  const losses = new StoreLosses(settings, 0);
  const close = async (): Promise<void> => db.close();
  return { problem: { ...why, message, hasIdentity }, db, identity, settings, losses, close };
}

/** Settings that the device finds again after a restart. Every other one is the choice of a person, who would lose it. */
const FOUND_AGAIN =
  /^(alert_values_reached|clock_lead|cloud_alerts|cloud_history|cloud_jwks|energy_hours_since|latest_time|mqtt_.*|notifications .*|page_sessions|site_.*|support_events|tunnel_ticket|units .*)$/;

/** A write to the hardware that leaves no trace is not sent. */
const NO_WRITES = `
  create trigger no_write before insert on write_log begin
    select raise(abort, 'the store of the device cannot be used');
  end;
`;
