import { constants } from 'node:fs';
import { access, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** It may hold the password of a broker. */
const PRIVATE = 0o600;

/** A commented configuration file in which nothing is set. */
export async function exampleConfig(): Promise<string> {
  return readFile(join(import.meta.dirname, 'example.yaml'), 'utf8');
}

/**
 * Writes the example where there is no configuration file yet, for a person to fill in.
 *
 * @returns whether it was written
 * @throws the system's error when the folder cannot be written
 */
export async function offerExample(file: string): Promise<boolean> {
  const exists = await access(file, constants.F_OK).then(
    () => true,
    () => false,
  );
  if (!exists) await replaceText(file, await exampleConfig());
  return !exists;
}

/**
 * Replaces a file's text. After a power cut the file is the old one or the new one, whole; a link stays a link, and
 * the file keeps its mode.
 */
export async function replaceText(file: string, text: string): Promise<void> {
  const target = await realpath(file).catch(() => file);
  const mode = await stat(target).then(
    (found) => found.mode & 0o777,
    () => PRIVATE,
  );
  const unfinished = `${target}.new`;
  await rm(unfinished, { force: true });
  try {
    const handle = await open(unfinished, 'wx', mode);
    try {
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
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
