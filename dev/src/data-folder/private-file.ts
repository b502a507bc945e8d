import { open, rename, rm } from 'node:fs/promises';

/**
 * Writes a file that only its owner can read, atomically: after a crash the old or the new text is there whole.
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const unfinished = `${path}.new`;
  await rm(unfinished, { force: true });
  const file = await open(unfinished, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(unfinished, path);
}
