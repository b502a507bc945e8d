/** Loaded with `--import`: the process is killed where it would give a finished file or folder its name. */
import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

promises.rename = () => {
  process.kill(process.pid, 'SIGKILL');
  return Promise.withResolvers<never>().promise;
};
syncBuiltinESMExports();
