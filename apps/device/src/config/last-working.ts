import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceText } from '../common/replace-text.ts';

/** Beside the store: the folder of the configuration file may be read-only, or gone. */
const FILE = 'last-working.yaml';

/** @returns the text of the configuration file that the device last started with; undefined when there is none */
export async function lastWorkingText(dataFolder: string): Promise<string | undefined> {
  return readFile(join(dataFolder, FILE), 'utf8').catch(() => undefined);
}

/** @throws the system's error, such as that of a full disk */
export async function keepLastWorking(dataFolder: string, text: string): Promise<void> {
  if (text !== (await lastWorkingText(dataFolder))) await replaceText(join(dataFolder, FILE), text);
}
