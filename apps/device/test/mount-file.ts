import { spawnSync } from 'node:child_process';

/**
 * Mounts a file over itself, as containers do with one file of their host: it cannot be renamed over then. Only root may
 * do so; for others it stays as it is.
 */
export function mountFile(file: string): Disposable {
  const isMounted = spawnSync('mount', ['--bind', file, file]).status === 0;
  return {
    [Symbol.dispose]: () => {
      if (isMounted) spawnSync('umount', ['--lazy', file]);
    },
  };
}
