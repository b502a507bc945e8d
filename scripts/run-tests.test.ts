import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '..');

const PASSES = `it('passes', () => undefined);`;
const FAILS = `it('fails', () => { throw new Error('as it should'); });`;
const FAILS_ONCE = `
  import { existsSync, writeFileSync } from 'node:fs';
  const marker = import.meta.filename + '.ran';
  const isFirst = !existsSync(marker);
  writeFileSync(marker, '');
  it('fails once', () => { if (isFirst) throw new Error('as it should'); });`;
const DOES_NOT_LOAD = `throw new Error('as it should');`;

it.each<[string, Record<string, string>, number, string[]]>([
  [
    'green with a list of unstable tests where a failed file passes alone',
    { 'a.example.mjs': PASSES, 'b.example.mjs': FAILS_ONCE },
    0,
    [
      'Once more, alone: b.example.mjs',
      'Unstable: failed among others, passed alone\nb.example.mjs\n  fails once\n',
    ],
  ],
  [
    'red where a file fails alone, too',
    { 'a.example.mjs': FAILS, 'b.example.mjs': FAILS_ONCE, 'c.example.mjs': DOES_NOT_LOAD },
    1,
    [
      'Unstable: failed among others, passed alone\nb.example.mjs\n  fails once\nFailed twice\na.example.mjs\n  fails\nc.example.mjs\n',
    ],
  ],
  [
    'red where an error outside of tests comes with a file that passes alone',
    { 'a.example.mjs': `${FAILS_ONCE} if (isFirst) setTimeout(() => { throw new Error('as it should'); });` },
    1,
    ['Unstable: failed among others, passed alone\na.example.mjs\n  fails once\n'],
  ],
  ['red where no file is found', {}, 1, []],
  [
    'red at once where six files fail, though each would pass alone',
    Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [`${name}.example.mjs`, FAILS_ONCE])),
    1,
    ['Failed\na.example.mjs\n  fails once\nb.example.mjs\n'],
  ],
])('a run of tests is %s', (_, files, status, printed) => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const config = `export default { test: { globals: true, include: ['*.example.mjs'], pool: 'threads', isolate: false, maxWorkers: 1, experimental: { viteModuleRunner: false, nodeLoader: false } } };`;
  for (const [name, text] of Object.entries({ 'vitest.config.mjs': config, ...files })) {
    writeFileSync(join(folder, name), text);
  }
  const run = spawnSync(
    process.execPath,
    [join(ROOT, 'scripts/run-tests.ts'), '--config', join(folder, 'vitest.config.mjs')],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, PATH: `${join(ROOT, 'node_modules/.bin')}:${process.env.PATH}`, NO_COLOR: '1' },
    },
  );
  expect(run.status, run.stdout + run.stderr).toBe(status);
  for (const text of printed) expect(run.stdout).toContain(text);
  if (printed.length === 0) expect(run.stdout).not.toContain('Unstable');
});
