import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf } from '@heliograph/kit';

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
export class RestoreUpload {
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
