import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** SQLite's code for a database that another connection has locked. */
const SQLITE_BUSY = 5;

/**
 * Lets one process at a time update a folder. The lock is on a file there that other accounts cannot open, so that they
 * cannot stop updates; it ends with the process that holds it, however that ends.
 *
 * @throws where another process holds it, or the folder cannot be written
 */
export async function lockUpdates(folder: string): Promise<Disposable> {
  const path = join(folder, 'update.lock');
  // Before SQLite does, which would let other accounts read it, and reading is enough for a lock.
  const file = await open(path, 'a', 0o600);
  await file.close();
  const database = new DatabaseSync(path);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) {
      throw new Error('another update is under way');
    }
    throw error;
  }
  return { [Symbol.dispose]: () => database.close() };
}
