import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Clock } from '@heliograph/kit';
import { DATABASE_FILE, type DamagedDatabase, openDatabaseFile, UnusableStore } from '../database.ts';
import { isDiskFull, reasonOf } from '../failures.ts';
import { loadIdentity, loadOrCreateIdentity } from '../identity.ts';
import { KeyValueStore } from '../key-value.ts';
import { removeDatabase } from './damaged-file.ts';
import { SALVAGED_TABLES, type Salvage, salvageInto } from './salvage.ts';
import { COPY_FILE, StoreCopy } from './store-copy.ts';
import {
  HOURS_REACHED,
  isIncomplete,
  keptIn,
  lossOf,
  type StoreLoss,
  StoreLosses,
  totalLoss,
} from './store-loss.ts';

/** The database consists of these, which belong together. */
const ENDINGS = ['', '-wal', '-shm'];

/** A new database while it is filled with the rows of another one, and when it has them all. */
const SALVAGING_FILE = `${DATABASE_FILE}.salvaging`;
const SALVAGED_FILE = `${DATABASE_FILE}.salvaged`;

/** The settings without which the device would let more people in, or be another one to those who know it. */
export const ESSENTIAL_SETTINGS: readonly string[] = [
  'delegations',
  'device_password_hash',
  'installation_id',
  'site_id',
  'site_name',
  'site_revocations',
  'support',
];

/** Settings that belong to the identity: a new one has none of them. */
const SETTINGS_OF_IDENTITY =
  /^(cloud_alerts|cloud_backup|cloud_history|installation_id|site_.*|support|support_events|tunnel_ticket)$/;

/**
 * Makes a whole database of a damaged one and of the copy beside it.
 *
 * @param damage is thrown where no identity is found
 */
export async function salvageStore(
  folder: string,
  copy: StoreCopy,
  clock: Clock,
  damage: DamagedDatabase,
): Promise<StoreLoss> {
  return withTarget(folder, async (target) => {
    const salvage = salvageInto(target, join(folder, DATABASE_FILE), scratchIn(folder));
    await copy.restoreIdentity(target);
    if ((await loadIdentity(target)) === undefined) throw damage;
    const store = new KeyValueStore(target);
    restore(store, target, salvage, copy);
    const file = asideName(folder, 'damaged', clock);
    const loss: StoreLoss = {
      ...{ at: clock.now(), file, newIdentity: false },
      cause: damage.fault === 'unreadable' ? 'unreadable' : 'damaged',
      ...lossOf(salvage, copy.hasSettings),
      kept: keptIn(target),
    };
    new StoreLosses(store, clock.now()).record(loss);
    return loss;
  });
}

/**
 * Sets a store that cannot be used aside for a new one with all of its rows that can be read, and what its copy has. One
 * that was begun so and never worked is replaced by one with the identity and the password alone. Without an identity in
 * either the device is a new one.
 *
 * @throws UnusableStore, the system's error; the former store is then as it was
 */
export async function startNewStore(folder: string, clock: Clock): Promise<StoreLoss> {
  finishSalvage(folder, clock);
  const copy = new StoreCopy(folder);
  const aside = asideName(folder, 'unusable', clock);
  const file = existsSync(join(folder, DATABASE_FILE)) ? aside : null;
  const copyPath = join(folder, COPY_FILE);
  if (copy.exists) copyFileSync(copyPath, copyPath + aside.slice(DATABASE_FILE.length));
  const loss = await withTarget(folder, async (target) => {
    const salvage = trySalvage(target, folder);
    const store = new KeyValueStore(target);
    const isUntried = new StoreLosses(store, clock.now()).current?.isUntried === true;
    if (isUntried) keepEssentials(target);
    else if (salvage === undefined) copy.restoreSettings(target);
    else restore(store, target, salvage, copy);
    await copy.restoreIdentity(target);
    const newIdentity = (await loadIdentity(target)) === undefined;
    if (newIdentity) await beginIdentity(target);
    const loss: StoreLoss = {
      ...{ at: clock.now(), cause: 'replaced', file, newIdentity, isUntried: true },
      ...(isUntried || salvage === undefined
        ? totalLoss(!isUntried && copy.hasSettings)
        : lossOf(salvage, copy.hasSettings)),
      kept: keptIn(target),
    };
    new StoreLosses(store, clock.now()).record(loss);
    return loss;
  });
  finishSalvage(folder, clock);
  // The next start writes one of the new identity; the former one was copied.
  if (loss.newIdentity) rmSync(copyPath, { force: true });
  return loss;
}

/** Puts a database that has the rows of another one in its place; a process may have been killed before. */
export function finishSalvage(folder: string, clock: Clock): void {
  const salvaged = join(folder, SALVAGED_FILE);
  if (!existsSync(salvaged)) return;
  setAside(folder, asideNameIn(folder) ?? asideName(folder, 'damaged', clock));
  renameSync(salvaged, join(folder, DATABASE_FILE));
}

/** The name that the salvage chose. */
function asideNameIn(folder: string): string | null | undefined {
  try {
    using db = openDatabaseFile(folder, SALVAGED_FILE);
    return new StoreLosses(new KeyValueStore(db), 0).current?.file;
  } catch {
    return undefined;
  }
}

/** Fills a new database, which is whole on the disk once this resolves. */
async function withTarget(
  folder: string,
  fill: (target: DatabaseSync) => Promise<StoreLoss>,
): Promise<StoreLoss> {
  removeDatabase(join(folder, SALVAGING_FILE));
  const target = openDatabaseFile(folder, SALVAGING_FILE);
  try {
    const loss = await fill(target);
    target.close();
    renameSync(join(folder, SALVAGING_FILE), join(folder, SALVAGED_FILE));
    return loss;
  } catch (error) {
    if (target.isOpen) target.close();
    removeDatabase(join(folder, SALVAGING_FILE));
    if (error instanceof UnusableStore) throw error;
    const fault = isDiskFull(error) ? 'full' : 'unreadable';
    const path = join(folder, DATABASE_FILE);
    throw new UnusableStore(`DEVICE_DATA: ${path} cannot be copied: the new file ${reasonOf(error)}`, fault);
  }
}

/** @returns undefined where the file cannot even be read @throws the error of a full disk */
function trySalvage(target: DatabaseSync, folder: string): Salvage | undefined {
  try {
    return salvageInto(target, join(folder, DATABASE_FILE), scratchIn(folder));
  } catch (error) {
    if (isDiskFull(error)) throw error;
    return undefined;
  }
}

function restore(store: KeyValueStore, target: DatabaseSync, salvage: Salvage, copy: StoreCopy): void {
  if (isIncomplete(salvage.settings)) copy.restoreSettings(target);
  // The history may have what the hours lost.
  if (salvage.energy_hours.gap !== null || isIncomplete(salvage.energy_days)) store.delete(HOURS_REACHED);
}

/** Any other row may be what stops the device. */
function keepEssentials(target: DatabaseSync): void {
  for (const table of SALVAGED_TABLES)
    if (table !== 'identity' && table !== 'settings') target.exec(`DELETE FROM ${table}`);
  keepSettings(target, (key) => ESSENTIAL_SETTINGS.includes(key));
}

async function beginIdentity(target: DatabaseSync): Promise<void> {
  target.exec('DELETE FROM identity');
  keepSettings(target, (key) => !SETTINGS_OF_IDENTITY.test(key));
  await loadOrCreateIdentity(target);
}

function keepSettings(target: DatabaseSync, isKept: (key: string) => boolean): void {
  const store = new KeyValueStore(target);
  for (const { key } of target.prepare('SELECT key FROM settings').all())
    if (!isKept(String(key))) store.delete(String(key));
}

function scratchIn(folder: string): string {
  return join(folder, `${DATABASE_FILE}.scratch`);
}

/** A name that no file has. */
function asideName(folder: string, why: 'damaged' | 'unusable', clock: Clock): string {
  const name = `${DATABASE_FILE}.${why}-${timeOf(clock)}`;
  let free = name;
  for (let i = 2; existsSync(join(folder, free)); i++) free = `${name}-${i}`;
  return free;
}

function timeOf(clock: Clock): string {
  return new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+Z$/g, '');
}

function setAside(folder: string, aside: string): void {
  for (const ending of ENDINGS)
    renameIfThere(join(folder, DATABASE_FILE + ending), join(folder, aside + ending));
}

function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
  }
}
