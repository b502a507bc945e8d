import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { AppError, type Clock, messageOf, Unprocessable, ValidationError } from '@heliograph/kit';
import type { Actor } from '../../access/audit/audit.ts';
import type { BackupDownload, BackupRequest, RestoredDevice } from '../../serve/api/pages/page-operations.ts';
import { complaintAboutPassphrase, newBackupKey, type ScryptCost } from './backup-key.ts';
import { downloadBackup } from './cloud-calls.ts';
import { BadBackup, WrongPassphrase } from './encryption.ts';
import { type BackupSource, makeBackup } from './make-backup.ts';
import { canonicalCode } from './recovery-code.ts';
import { stageRestore } from './stage-restore.ts';

const UPLOAD_FILE = 'restore.upload';

/** A history has 500 MB by default, and more only where its owner has set it so. */
const MAX_BYTES = 8 * 1024 ** 3;

/** The part does not follow the one before it. */
class PartMisplaced extends AppError {
  constructor(size: number) {
    super(`The next part begins at ${size}`, { code: 'part_misplaced', status: 409 });
  }
}

class UploadFailed extends AppError {
  constructor(cause: unknown) {
    const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
    const reason = isFull ? 'there is no space on the disk for it' : messageOf(cause);
    super(`The backup cannot be taken: ${reason}`, { code: 'upload', status: 503, expose: true, cause });
  }
}

/** A backup that arrives in parts, in a file of the data folder. */
class RestoreUpload {
  readonly #path: string;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(dataFolder: string) {
    this.#path = join(dataFolder, UPLOAD_FILE);
  }

  /** @param offset 0 begins again @throws PartMisplaced, UploadFailed */
  write(offset: number, bytes: Uint8Array): Promise<void> {
    const written = this.#queue.then(() => this.#write(offset, bytes));
    this.#queue = written.catch(() => undefined);
    return written;
  }

  /** @throws PartMisplaced when nothing was uploaded */
  async content(): Promise<AsyncIterable<Uint8Array>> {
    if ((await this.#size()) === 0) throw new PartMisplaced(0);
    return createReadStream(this.#path);
  }

  async remove(): Promise<void> {
    await rm(this.#path, { force: true });
  }

  async #write(offset: number, bytes: Uint8Array): Promise<void> {
    const size = offset === 0 ? 0 : await this.#size();
    if (offset !== size || offset + bytes.length > MAX_BYTES) throw new PartMisplaced(size);
    let file: FileHandle | undefined;
    try {
      file = await open(this.#path, offset === 0 ? 'w' : 'a', 0o600);
      await file.writeFile(bytes);
    } catch (error) {
      await this.remove();
      throw new UploadFailed(error);
    } finally {
      await file?.close();
    }
  }

  async #size(): Promise<number> {
    return await stat(this.#path).then(
      ({ size }) => size,
      () => 0,
    );
  }
}

/** Another backup is being made or restored. */
class BackupRunning extends AppError {
  constructor() {
    super('Another backup is being made or restored: try again when it is done', {
      code: 'busy',
      status: 503,
      expose: true,
    });
  }
}

class RestoreFailed extends AppError {
  constructor(cause: unknown) {
    const isFull = cause instanceof Error && 'code' in cause && cause.code === 'ENOSPC';
    const reason = isFull ? 'there is no space on the disk for it' : messageOf(cause);
    super(`The backup cannot be restored: ${reason}`, { code: 'restore', status: 503, expose: true, cause });
  }
}

/** Backups of a running device, one at a time: copying and encrypting take the processor and the disk. */
export class Backups {
  readonly #source: BackupSource;
  readonly #clock: Clock;
  readonly #keyCost: ScryptCost | undefined;
  readonly upload: RestoreUpload;
  #isBusy = false;

  /** @param keyCost of keys of new backups; another one in tests alone */
  constructor(source: BackupSource, keyCost?: ScryptCost) {
    this.#source = source;
    this.#keyCost = keyCost;
    this.#clock = source.clock;
    this.upload = new RestoreUpload(source.dataFolder);
  }

  /** @throws ValidationError, BackupRunning, HistoryNotCopied */
  async make({ passphrase, history }: BackupRequest): Promise<BackupDownload> {
    const complaint = complaintAboutPassphrase(passphrase);
    if (complaint !== undefined) throw new ValidationError({ passphrase: [complaint] });
    const release = this.#begin();
    try {
      const content = await makeBackup(this.#source, {
        key: await newBackupKey(passphrase, this.#keyCost),
        history: history ? 'all' : 'none',
      });
      content.once('close', release);
      return { fileName: backupFileName(this.#source.siteName(), this.#clock.now()), content };
    } catch (error) {
      release();
      throw error;
    }
  }

  /**
   * Checks what was uploaded; the next start of the device restores it.
   *
   * @throws ValidationError for a wrong passphrase, Unprocessable for a bad backup, BackupRunning, RestoreFailed
   */
  stage(passphrase: string, author: Actor): Promise<RestoredDevice> {
    return this.#stage(() => this.upload.content(), passphrase, author);
  }

  /** As `stage`, of the newest backup in the cloud. */
  stageFromCloud(cloudUrl: string | undefined, code: string, author: Actor): Promise<RestoredDevice> {
    const read = async () => {
      if (cloudUrl === undefined) throw new BadBackup('This device has no cloud');
      return Readable.from([await downloadBackup(cloudUrl, code)]);
    };
    return this.#stage(read, canonicalCode(code), author);
  }

  async #stage(
    read: () => Promise<AsyncIterable<Uint8Array>>,
    passphrase: string,
    author: Actor,
  ): Promise<RestoredDevice> {
    const { dataFolder } = this.#source;
    const release = this.#begin();
    try {
      const file = await read();
      const restored = await stageRestore(file, { dataFolder, passphrase, author, clock: this.#clock });
      await this.upload.remove();
      return restored;
    } catch (error) {
      if (error instanceof WrongPassphrase) throw new ValidationError({ passphrase: [error.message] });
      if (error instanceof BadBackup) throw new Unprocessable(error.message, error);
      throw error instanceof AppError ? error : new RestoreFailed(error);
    } finally {
      release();
    }
  }

  #begin(): () => void {
    if (this.#isBusy) throw new BackupRunning();
    this.#isBusy = true;
    return () => {
      this.#isBusy = false;
    };
  }
}

/** Such as `heliograph-lake-house-20261126T081500Z.backup`. */
export function backupFileName(siteName: string | null, atMs: number): string {
  const site = (siteName ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const time = new Date(atMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `heliograph-${site === '' ? 'device' : site}-${time}.backup`;
}
