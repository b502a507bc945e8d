import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock, Logger } from '@heliograph/kit';
import { isOverwritten } from '../../common/replace-text.ts';
import { COPY_PREFIX } from '../../history/files/history-copy.ts';
import { syncFile } from '../../storage/sync-file.ts';
import { CONFIG_NAME, HISTORY_NAME, PROFILES_FOLDER, STORE_NAME } from './file-names.ts';
import { KEEP_HISTORY, READY_FOLDER, UNUSED_CONFIG_NAME } from './stage-restore.ts';

/** A database consists of these, which belong together. */
const ENDINGS = ['', '-wal', '-shm'];

/** A copy of the identity, which belongs to the store beside it. */
const IDENTITY_COPY = 'identity.json';

export interface InstallOptions {
  readonly dataFolder: string;
  readonly configFile: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Puts restored files in the place of the device's own, where a restore waits for it; those are set aside in a folder.
 * Each step is done once, in whatever step a process is killed: what is still in the folder of the restore is to be done.
 * It runs while no process has the data open.
 *
 * @returns whether a restore was carried out
 * @throws the system's error
 */
export function installRestored({ dataFolder, configFile, clock, logger }: InstallOptions): boolean {
  // The start reports a folder that cannot be used.
  if (!statSync(dataFolder, { throwIfNoEntry: false })?.isDirectory()) return false;
  removeUnfinished(dataFolder);
  const ready = join(dataFolder, READY_FOLDER);
  if (!existsSync(ready)) return false;
  const owner = statSync(dataFolder);
  const time = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+Z$/g, '');
  const aside = join(dataFolder, `before-restore-${time}`);
  makeFolder(aside);
  give(aside, owner);
  const store = join(ready, STORE_NAME);
  const history = join(ready, HISTORY_NAME);
  if (existsSync(store)) {
    for (const ending of ENDINGS) setAside(join(dataFolder, STORE_NAME + ending), aside);
    setAside(join(dataFolder, IDENTITY_COPY), aside);
    // The history of another identity must not go on under this one.
    if (!existsSync(join(ready, KEEP_HISTORY))) {
      for (const ending of ENDINGS) setAside(join(dataFolder, HISTORY_NAME + ending), aside);
    }
    place(store, join(dataFolder, STORE_NAME), owner);
  }
  if (existsSync(history)) place(history, join(dataFolder, HISTORY_NAME), owner);
  placeConfiguration(ready, configFile, aside, owner);
  rmSync(ready, { recursive: true });
  if (readdirSync(aside).length === 0) rmSync(aside, { recursive: true });
  logger.info({ previous: aside }, 'the device was restored from a backup; its previous files are set aside');
  return true;
}

/** Left by processes that were killed while they unpacked, or copied the history. */
function removeUnfinished(dataFolder: string): void {
  for (const name of readdirSync(dataFolder)) {
    const isUnfinished = /^restore\.[0-9a-f-]{36}$/.test(name) || name.startsWith(COPY_PREFIX);
    if (isUnfinished) rmSync(join(dataFolder, name), { recursive: true });
  }
}

/** It may be in another folder, and on another disk. */
function placeConfiguration(ready: string, configFile: string, aside: string, owner: Stats): void {
  const folder = dirname(configFile);
  const files = [
    [join(ready, CONFIG_NAME), configFile],
    [join(ready, UNUSED_CONFIG_NAME), `${configFile}.restored`],
    ...profilesIn(ready).map((name) => [
      join(ready, PROFILES_FOLDER, name),
      join(folder, PROFILES_FOLDER, name),
    ]),
  ] as const;
  for (const [from = '', to = ''] of files) {
    if (!existsSync(from)) continue;
    const made = mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
    if (made !== undefined) give(dirname(to), owner);
    if (existsSync(to)) copyNew(to, join(aside, basename(to)));
    try {
      const unfinished = `${to}.new`;
      copyNew(from, unfinished);
      syncFile(unfinished);
      place(unfinished, to, owner);
    } catch (error) {
      if (!existsSync(to) || !isOverwritten(error)) throw error;
      rmSync(`${to}.new`, { force: true });
      overwrite(to, readFileSync(from));
    }
    rmSync(from);
  }
}

function profilesIn(ready: string): readonly string[] {
  const folder = join(ready, PROFILES_FOLDER);
  return existsSync(folder) ? readdirSync(folder) : [];
}

function setAside(path: string, folder: string): void {
  if (existsSync(path)) renameSync(path, join(folder, basename(path)));
}

function place(from: string, to: string, owner: Stats): void {
  const file = openSync(from, constants.O_RDONLY | NO_LINK);
  try {
    if (isRoot()) fchownSync(file, owner.uid, owner.gid);
    fchmodSync(file, 0o600);
  } finally {
    closeSync(file);
  }
  renameSync(from, to);
}

/** Files that root restores belong to the account that the device runs as. */
function give(path: string, { uid, gid }: Stats): void {
  if (isRoot() && lstatSync(path).uid !== uid) lchownSync(path, uid, gid);
}

const isRoot = (): boolean => process.geteuid?.() === 0;

/** A link is not followed, where the system can refuse to; the device's account could have made it for root. */
const NO_LINK = constants.O_NOFOLLOW ?? 0;

/** Makes a folder, or takes the one of an interrupted restore. @throws the system's error for anything else of its name */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if (!lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Copies to a new file, in place of any of its name. */
function copyNew(from: string, to: string): void {
  rmSync(to, { force: true });
  copyFileSync(from, to, constants.COPYFILE_EXCL);
}

function overwrite(path: string, content: Buffer): void {
  const file = openSync(path, constants.O_WRONLY | NO_LINK);
  try {
    ftruncateSync(file);
    writeFileSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
