import type { Stats } from 'node:fs';
import { type FileHandle, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Files that did not exist may hold secrets. */
const PRIVATE = 0o600;

/**
 * Replaces a file's text. After a power cut the file is the old one or the new one, whole; a link stays a link, and
 * the file keeps its mode and, where root writes it, its owner. A new file belongs to the owner of its folder: a device does
 * not run as root.
 */
export async function replaceText(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const found = await stat(target).catch(() => undefined);
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

/** The root of a container or of a network's file system may own files and not give them away: they stay its own then. */
const NOT_GIVEN = new Set(['EPERM', 'EINVAL', 'ENOTSUP']);

async function giveTo({ uid, gid }: Stats, handle: FileHandle): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const own = await handle.stat();
  if (own.uid === uid && own.gid === gid) return;
  await handle.chown(uid, gid).catch((error: NodeJS.ErrnoException) => {
    if (!NOT_GIVEN.has(error.code ?? '')) throw error;
  });
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
