/**
 * Carries out a restore that waits in the folder, and is killed before the given call that changes a file.
 * Arguments: folder, number of the call from 1. It prints `done` when there are fewer.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { silentLogger, systemClock } from '@heliograph/kit';

const [folder = '', step = ''] = process.argv.slice(2);

let left = Number(step);
for (const name of ['renameSync', 'copyFileSync', 'rmSync', 'mkdirSync'] as const) {
  const call = fs[name] as (...args: unknown[]) => unknown;
  Object.assign(fs, {
    [name]: (...args: unknown[]) => {
      left -= 1;
      if (left === 0) process.kill(process.pid, 'SIGKILL');
      return call(...args);
    },
  });
}
syncBuiltinESMExports();

const { installRestored } = await import('../../../src/admin/backup/install-restored.ts');
installRestored({
  dataFolder: folder,
  configFile: join(folder, 'device.yaml'),
  clock: systemClock,
  logger: silentLogger,
});
console.log('done');
