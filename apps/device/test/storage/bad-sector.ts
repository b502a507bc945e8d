import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARY = 'bad-sector.so';

/** Whether this computer can compile the library of {@link runWithBadSector}. */
export const hasBadSectors = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;

/** @param folder where {@link runWithBadSector} finds it */
export function compileBadSector(folder: string): void {
  const program = join(import.meta.dirname, 'bad-sector.c');
  spawnSync('cc', ['-shared', '-fPIC', '-o', join(folder, LIBRARY), program, '-ldl'], { stdio: 'inherit' });
}

export interface BadSector {
  readonly file: string;
  /** In bytes. */
  readonly from: number;
  readonly to: number;
}

/** Runs a script of Node whose reads of a part of a file fail as on a bad sector. @returns its output */
export function runWithBadSector(
  folder: string,
  script: readonly string[],
  { file, from, to }: BadSector,
): { readonly stdout: string; readonly stderr: string } {
  return spawnSync(process.execPath, script, {
    cwd: folder,
    env: {
      ...process.env,
      // A path with a space would be two.
      LD_PRELOAD: `./${LIBRARY}`,
      BAD_SECTOR: `${statSync(file).ino} ${from} ${to}`,
    },
    encoding: 'utf8',
  });
}
