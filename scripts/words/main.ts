/**
 * Holds names, comments, titles of tests and guides to the field's words. With folders as arguments it reads only
 * those.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findingsIn, findingsInMarkdown, pathFindings } from './find.ts';
import { homonymsIn } from './homonyms.ts';

/** This check itself, and what has run on databases and is not changed afterwards. */
const EXEMPT = /^scripts\/words\/|\/db\/migrations\//;
const root = join(import.meta.dirname, '../..');
const chosen = process.argv.slice(2);
const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.md'],
  { cwd: root, encoding: 'utf8' },
)
  .split('\n')
  .filter((file) => file !== '' && existsSync(join(root, file)) && !EXEMPT.test(file))
  .filter((file) => chosen.length === 0 || chosen.some((folder) => file.startsWith(folder)));

const findings: string[] = [];
const sources = new Map<string, string>();
for (const file of files) {
  const source = readFileSync(join(root, file), 'utf8');
  const inFile = file.endsWith('.md') ? findingsInMarkdown(source) : findingsIn(source);
  findings.push(
    ...pathFindings(file).map((message) => `${file}: ${message}`),
    ...inFile.map(({ line, message }) => `${file}:${line}: ${message}`),
  );
  if (/\.tsx?$/.test(file) && !/\.(?:test|docs|fuzz|outage)\.|\/testing\/|\/test\//.test(file))
    sources.set(file, source);
}
findings.push(...homonymsIn(sources));
for (const finding of findings) console.error(finding);
if (findings.length > 0) {
  console.error(`${findings.length} findings`);
  process.exitCode = 1;
}
