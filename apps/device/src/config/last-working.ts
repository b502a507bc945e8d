import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceText } from '../common/replace-text.ts';
import { EmptyConfigFile, readConfigText } from './read-config-file.ts';

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

/**
 * The text of a device's configuration file. One of 0 bytes is none yet until the device has started with another, as
 * before it is mounted into a container; then a power cut may have left it.
 *
 * @returns undefined when there is none
 * @throws UnusableConfigFile
 */
export async function configTextOf(file: string, dataFolder: string): Promise<string | undefined> {
  try {
    return readConfigText(file);
  } catch (error) {
    if (error instanceof EmptyConfigFile && (await lastWorkingText(dataFolder)) === undefined)
      return undefined;
    throw error;
  }
}
