import { accessSync, constants, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/**
 * Runs an action of root with the rights of the account that owns a folder, which may have put links into it. The whole
 * process has these rights meanwhile. Any other account acts as itself.
 */
export async function asOwnerOf<T>(folder: string, action: () => Promise<T>): Promise<T> {
  const { uid, gid } = statSync(existing(folder));
  if (process.geteuid?.() !== 0 || uid === 0) return await action();
  const groups = process.getgroups?.() ?? [];
  process.setgroups?.([gid]);
  process.setegid?.(gid);
  process.seteuid?.(uid);
  try {
    return await action();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
    process.setgroups?.(groups);
  }
}

/** Whether a file can be written, or made with the folders that it is in. */
export function isWritable(file: string): boolean {
  return [file, existing(dirname(file))].some((path) => {
    try {
      accessSync(path, constants.W_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** The nearest folder that exists. */
function existing(folder: string): string {
  const path = resolve(folder);
  const isThere = statSync(path, { throwIfNoEntry: false }) !== undefined;
  return isThere || dirname(path) === path ? path : existing(dirname(path));
}
