import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceText } from '../common/replace-text.ts';

/** A commented configuration file in which nothing is set. */
export async function exampleConfig(): Promise<string> {
  return readFile(join(import.meta.dirname, 'example.yaml'), 'utf8');
}

/**
 * Writes the example where there is no configuration file yet, or an empty one, for a person to fill in.
 *
 * @returns whether it was written
 * @throws the system's error when the folder cannot be written
 */
export async function offerExample(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => undefined);
  const isMissing = found === undefined || (found.isFile() && found.size === 0);
  if (isMissing) await replaceText(file, await exampleConfig());
  return isMissing;
}
