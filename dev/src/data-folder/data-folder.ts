import { chmod, mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf } from '@heliograph/kit';
import { StartRefusal } from '../machine/start-refusal.ts';
import { makeFolders } from './ensure-folders.ts';
import { FolderLock } from './folder-lock.ts';

/** The folder with all data of one system, which one start at a time may use. */
export interface DataFolder {
  readonly path: string;
  /** Marks the folder as about to be released, so that the next start waits for it. */
  announceStop(): void;
  release(): void;
}

/** Mode bits that let others enter a folder without seeing what is in it. */
const PASS_THROUGH = 0o011;

/** Explanations of the system's error codes, for the user who chose the folder. */
const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'its file system does not take folders',
  EEXIST: 'it is a file, not a folder',
  ENOTDIR: 'one of the folders above it is a file',
  EACCES: 'you may not write there',
  EPERM: 'you may not write there',
  EROFS: 'its file system is read-only',
  ENOSPC: 'its disk is full',
  ENAMETOOLONG: 'its name is too long',
};

/**
 * Opens the folder, making it where there is none, and locks it for this process.
 *
 * @throws StartRefusal when it cannot be used, or is being used
 */
export async function openDataFolder(path: string): Promise<DataFolder> {
  try {
    await makeFolder(resolve(path));
    const folder = await realpath(path);
    await verifyWritable(folder);
    const lock = await FolderLock.acquire(folder);
    return { path: folder, announceStop: () => lock.announceStop(), release: () => lock.release() };
  } catch (error) {
    if (error instanceof StartRefusal) throw error;
    throw new StartRefusal(`The data folder ${resolve(path)} cannot be used: ${reasonOf(error)}`);
  }
}

/**
 * A folder that we make is closed to others. When root starts the system, PostgreSQL runs under another
 * account and must pass through to its own folder, so a new or empty one lets it pass; everything inside stays
 * closed. A folder that holds something already keeps its mode: it may be there for more than this.
 */
async function makeFolder(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isDirectory()) await makeFolders(path);
  if (process.getuid?.() !== 0 || (await readdir(path)).length > 0) return;
  await chmod(path, (await stat(path)).mode | PASS_THROUGH);
}

/** Throws the system's error unless we can create, and delete, in the folder. */
async function verifyWritable(folder: string): Promise<void> {
  const probe = join(folder, `probe-${process.pid}`);
  await mkdir(probe);
  await rm(probe, { recursive: true });
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return REASONS[code] ?? messageOf(error);
}
