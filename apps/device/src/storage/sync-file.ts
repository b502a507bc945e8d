import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Writes a file through to the disk. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
