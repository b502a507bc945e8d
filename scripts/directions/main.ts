/** Holds the direction rules: reads every import of the project's own files and names those that break one. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { circlesIn } from './circles.ts';
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

const sources = new Map(
  files
    .filter((file) => existsSync(join(root, file)))
    .map((file) => [file, readFileSync(join(root, file), 'utf8')]),
);
const faults = [
  ...[...sources].flatMap(([file, source]) => violationsOf(file, source)),
  ...circlesIn(sources).map((circle) => `a circle of folders: ${circle.join(' -> ')}`),
];
for (const fault of faults) console.error(fault);
if (faults.length > 0) process.exitCode = 1;
