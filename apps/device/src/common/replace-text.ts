import type { Stats } from 'node:fs';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Files that did not exist may hold secrets. */
const PRIVATE = 0o600;

/**
 * Replaces a file's text. After a power cut the file is the old one or the new one, whole; a link stays a link, and
 * the file keeps its mode and, where root writes it, its owner. A new file belongs to the owner of its folder: a device does
 * not run as root. A file that is mounted by itself, or whose folder takes no other file, is overwritten.
 */
export async function replaceText(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const found = await stat(target).catch(() => undefined);
  try {
    await replaceWhole(target, found, text);
  } catch (error) {
    if (found === undefined || !isOverwritten(error)) throw error;
    await overwrite(target, text);
  }
}

/** A mount cannot be renamed over; the folder around it may be read-only, or that of another user. */
const IN_PLACE = new Set(['EBUSY', 'EROFS', 'EACCES', 'EPERM']);

/** Whether a file that another one cannot replace may still be overwritten. */
export function isOverwritten(error: unknown): boolean {
  return IN_PLACE.has(codeOf(error));
}

async function replaceWhole(target: string, found: Stats | undefined, text: string): Promise<void> {
  const mode = found === undefined ? PRIVATE : found.mode & 0o777;
  const unfinished = `${target}.new`;
  await rm(unfinished, { force: true });
  try {
    const handle = await open(unfinished, 'wx', mode);
    try {
      await giveTo(found ?? (await stat(dirname(target))), handle);
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, target);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  await syncFolder(dirname(target));
}

/** The file never is empty meanwhile; where the text does not fit, the former one is written back. */
async function overwrite(target: string, text: string): Promise<void> {
  const handle = await open(target, 'r+');
  try {
    const former = await handle.readFile();
    try {
      await writeFromStart(handle, Buffer.from(text));
    } catch (error) {
      await writeFromStart(handle, former);
      throw error;
    }
  } finally {
    await handle.close();
  }
}

async function writeFromStart(handle: FileHandle, content: Buffer): Promise<void> {
  for (let at = 0; at < content.length; )
    at += (await handle.write(content, at, content.length - at, at)).bytesWritten;
  await handle.truncate(content.length);
  await handle.sync();
}

/** The root of a container or of a network's file system may own files and not give them away: they stay its own then. */
const NOT_GIVEN = new Set(['EPERM', 'EINVAL', 'ENOTSUP']);

async function giveTo({ uid, gid }: Stats, handle: FileHandle): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const own = await handle.stat();
  if (own.uid === uid && own.gid === gid) return;
  await handle.chown(uid, gid).catch((error: unknown) => {
    if (!NOT_GIVEN.has(codeOf(error))) throw error;
  });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** The name of a file is its folder's content. Windows has no such call, and writes names through. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
