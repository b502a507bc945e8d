/** Holds the direction rules: reads every import of the project's own files and names those that break one. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { violationsOf } from './violations.ts';

const root = join(import.meta.dirname, '../..');
const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .split('\n')
  .filter((file) => file !== '');

const violations = files.flatMap((file) => violationsOf(file, readFileSync(join(root, file), 'utf8')));
for (const violation of violations) console.error(violation);
if (violations.length > 0) process.exitCode = 1;
