import { open, realpath, rename, rm, stat } from 'node:fs/promises';
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
      if (process.getuid?.() === 0) {
        const { uid, gid } = found ?? (await stat(dirname(target)));
        await handle.chown(uid, gid);
      }
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
