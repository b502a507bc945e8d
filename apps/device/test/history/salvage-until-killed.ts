/**
 * Salvages the damaged history of a folder, and is killed before a change to a file. Arguments: folder, the beginning of the change, and
 * its number from 1. Losses are written as lines of `losses`. It prints `done` where there are fewer such changes.
 */
import fs, { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const [folder = '', change = '', number = ''] = process.argv.slice(2);

let left = Number(number);
const before = (what: string): void => {
  if (what.startsWith(change)) left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
};
const { renameSync } = fs;
fs.renameSync = (from, to) => {
  before(`rename ${basename(String(from))}`);
  renameSync(from, to);
};
syncBuiltinESMExports();
const { exec } = DatabaseSync.prototype;
DatabaseSync.prototype.exec = function (sql) {
  before(sql.trim());
  exec.call(this, sql);
};

const { salvageHistory, placeSalvagedHistory } = await import('../../src/history/files/salvage-history.ts');
const record = (loss: object): void => appendFileSync(join(folder, 'losses'), `${JSON.stringify(loss)}\n`);
await salvageHistory(folder, new AbortController().signal, record);
placeSalvagedHistory(folder);
console.log('done');
