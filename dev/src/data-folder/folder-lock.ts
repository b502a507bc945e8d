import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { StartRefusal } from '../machine/start-refusal.ts';

/** A holder may be about to notice that it must stop: npm ends before what it runs, in milliseconds. */
const NOTICE_MS = 1000;
/** A holder that is stopping may take so long, in milliseconds. */
const STOP_MS = 20_000;
const RETRY_MS = 50;
const STOPPING = 'stopping';

/**
 * Keeps a second start out of a data folder.
 *
 * The lock is the system's own lock on a file, which SQLite takes for us: unlike a pid in a file it ends with
 * its process however that ends, and a pid that is given to another process later cannot fool it. The file
 * `pid` beside it is for people, and states whether the holder is about to release the lock.
 */
export class FolderLock {
  readonly #database: DatabaseSync;
  readonly #pidFile: string;
  #released = false;

  private constructor(database: DatabaseSync, pidFile: string) {
    this.#database = database;
    this.#pidFile = pidFile;
    this.#write('');
  }

  /** @throws StartRefusal when another process holds it and does not stop */
  static async acquire(folder: string): Promise<FolderLock> {
    const pidFile = join(folder, 'pid');
    const began = performance.now();
    for (;;) {
      const database = tryLock(join(folder, 'lock'));
      if (database !== undefined) return new FolderLock(database, pidFile);
      const { pid, isStopping } = holderOf(pidFile);
      if (performance.now() - began > (isStopping ? STOP_MS : NOTICE_MS)) {
        throw new StartRefusal(`The system already runs in ${folder}${pid ? ` (process ${pid})` : ''}`);
      }
      await delay(RETRY_MS);
    }
  }

  /** Marks the lock as about to be released, so that the next start waits for it. */
  announceStop(): void {
    if (!this.#released) this.#write(` ${STOPPING}`);
  }

  release(): void {
    this.#released = true;
    rmSync(this.#pidFile, { force: true });
    this.#database.close();
  }

  #write(note: string): void {
    writeFileSync(this.#pidFile, `${process.pid}${note}\n`, { mode: 0o600 });
  }
}

/** Takes the lock, which the returned database holds until it is closed; undefined when another has it. */
function tryLock(path: string): DatabaseSync | undefined {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    chmodSync(path, 0o600);
    database.exec('pragma journal_mode = memory; begin exclusive');
    return database;
  } catch (error) {
    database.close();
    if (isBusy(error)) return undefined;
    throw error;
  }
}

/** SQLite's result code SQLITE_BUSY, https://www.sqlite.org/rescode.html#busy */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}

function holderOf(pidFile: string): { pid?: string; isStopping: boolean } {
  try {
    const [pid = '', note] = readFileSync(pidFile, 'utf8').trim().split(' ');
    return { pid, isStopping: note === STOPPING };
  } catch {
    return { isStopping: false };
  }
}
