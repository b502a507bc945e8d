import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError, type Clock } from '@heliograph/kit';
import { SOFTWARE_VERSION } from '../../common/software-version.ts';
import { copyHistory, type HistoryCopy } from '../../history/files/history-copy.ts';
import { isDiskFull, reasonOf } from '../../storage/failures.ts';
import { type ArchiveFile, pack } from './archive.ts';
import type { BackupKey } from './backup-key.ts';
import { encrypt } from './encryption.ts';
import { CONFIG_NAME, HISTORY_NAME, PROFILES_FOLDER, STORE_NAME } from './file-names.ts';

/** The device that a backup is made of. */
export interface BackupSource {
  readonly dataFolder: string;
  readonly configFile: string;
  readonly uid: string;
  readonly siteName: () => string | null;
  /** The whole store at one moment, as bytes of its file. */
  readonly store: () => Uint8Array;
  readonly clock: Clock;
}

export interface BackupOptions {
  readonly key: BackupKey;
  /** Of the history: all of it, which may be hundreds of megabytes, its five-minute values alone, or nothing. */
  readonly history: 'all' | 'summary' | 'none';
}

/** The history cannot be copied. */
export class HistoryNotCopied extends AppError {
  constructor(cause: unknown) {
    const hint = isDiskFull(cause)
      ? 'there is no space on the disk for a copy of it'
      : `its file ${reasonOf(cause)}`;
    super(`The history cannot go along, because ${hint}: make the backup without it`, {
      code: 'history_not_copied',
      status: 503,
      expose: true,
      cause,
    });
  }
}

/**
 * Makes an encrypted backup, which is written as it is read. The device goes on meanwhile.
 *
 * @throws HistoryNotCopied
 */
export async function makeBackup(source: BackupSource, { key, history }: BackupOptions): Promise<Readable> {
  const { dataFolder, configFile, uid, siteName, clock } = source;
  const copy = history === 'none' ? undefined : await copyOf(dataFolder, history);
  try {
    const facts = {
      made_at: new Date(clock.now()).toISOString(),
      version: SOFTWARE_VERSION,
      uid,
      site_name: siteName(),
    };
    const files = [
      fileOf(STORE_NAME, source.store()),
      ...(await configuration(configFile)),
      ...(copy === undefined ? [] : [{ name: HISTORY_NAME, size: copy.size, content: () => copy.content() }]),
    ];
    const stream = Readable.from(encrypt(pack(facts, files), key), { objectMode: false });
    stream.once('close', () => void copy?.[Symbol.asyncDispose]());
    return stream;
  } catch (error) {
    await copy?.[Symbol.asyncDispose]();
    throw error;
  }
}

async function copyOf(folder: string, content: 'all' | 'summary'): Promise<HistoryCopy | undefined> {
  try {
    return await copyHistory(folder, content);
  } catch (error) {
    throw new HistoryNotCopied(error);
  }
}

/** The configuration file, and the owner's profiles beside it, which it may name. */
async function configuration(configFile: string): Promise<readonly ArchiveFile[]> {
  const text = await readIfThere(configFile);
  const folder = join(dirname(configFile), PROFILES_FOLDER);
  const names = await readdir(folder).catch(() => []);
  const profiles = await Promise.all(
    names
      .filter((name) => name.endsWith('.yaml'))
      .map(async (name) => fileOf(`${PROFILES_FOLDER}/${name}`, await readFile(join(folder, name)))),
  );
  return [...(text === undefined ? [] : [fileOf(CONFIG_NAME, text)]), ...profiles];
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function fileOf(name: string, bytes: Uint8Array): ArchiveFile {
  return { name, size: bytes.length, content: () => [bytes] };
}
