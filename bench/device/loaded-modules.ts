import { writeFileSync } from 'node:fs';
import promises from 'node:fs/promises';
import { registerHooks, syncBuiltinESMExports } from 'node:module';

/** Preloaded into a program: lists the modules and the files that it loaded in this file when it ends, one a line. */
const list = process.env.LOADED_MODULES;
if (list === undefined) throw new Error('LOADED_MODULES names no file');
const loaded: string[] = [];
registerHooks({
  load: (url, context, nextLoad) => {
    loaded.push(url);
    return nextLoad(url, context);
  },
});
const { readFile } = promises;
promises.readFile = ((...args: Parameters<typeof readFile>) => {
  loaded.push(String(args[0]));
  return readFile(...args);
}) as typeof readFile;
syncBuiltinESMExports();
process.once('exit', () => writeFileSync(list, loaded.join('\n')));
