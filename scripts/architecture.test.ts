import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const ROWS = [...readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8').matchAll(/^\| `([^`]+)` \|/gm)]
  .map(([, folder = '']) => folder)
  .filter((folder) => !folder.includes('<'));

const folders = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) =>
      join(entry.parentPath, entry.name)
        .slice(ROOT.length + 1)
        .replaceAll('\\', '/'),
    );

it('docs/architecture.md has a row for every wing of an app', () => {
  const wings = folders('apps/*/src/*').filter(
    (folder) => !folder.endsWith('/config') || ROWS.includes(folder),
  );
  expect(wings.length).toBeGreaterThan(50);
  expect(wings.filter((folder) => !ROWS.includes(folder))).toEqual([]);
});

it('docs/architecture.md names no folder that there is not', () => {
  expect(ROWS.filter((folder) => folders(folder).length === 0)).toEqual([]);
});

it('stored JSON of a device is read by one function, which survives damage', () => {
  const READER = 'apps/device/src/storage/stored-json.ts';
  const files = globSync('apps/device/src/**/*.ts', {
    cwd: ROOT,
    exclude: ['**/*.test.ts', '**/*.outage.ts', '**/{test,testing}/**'],
  });
  const unguarded = files.filter((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return /node:sqlite|\/storage\//.test(`${file}\n${text}`) && text.includes('JSON.parse(');
  });
  expect(unguarded.map((file) => file.replaceAll('\\', '/'))).toEqual([READER]);
});

/** Source files of the product, by name. */
const PRODUCT = globSync('{apps,packages}/*/src/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: ['**/*.test.ts', '**/*.outage.ts', '**/*.look.ts', '**/{test,testing}/**', 'dev/**'],
});

it.each([
  [
    'evaluates text as code',
    /\beval\(|\bFunction\(|\bnew Function\b|['"]node:vm['"]|\bset(Timeout|Interval)\(['"`]/,
  ],
  [
    'starts a shell',
    /\bshell: true|\bspawn\(['"](\/bin\/)?(ba)?sh['"]|\b(exec|execSync)\b[^}]*\} from ['"]node:child_process['"]/,
  ],
  [
    'sets HTML from data',
    /dangerouslySetInnerHTML|\.(inner|outer)HTML =|insertAdjacentHTML|document\.write\(/,
  ],
  ['makes objects of bytes', /['"]node:v8['"]|\bdeserialize\(/],
])('no file of the product %s', (_what, pattern) => {
  expect(PRODUCT.length).toBeGreaterThan(1_000);
  const found = PRODUCT.filter((file) => pattern.test(readFileSync(join(ROOT, file), 'utf8')));
  expect(found).toEqual([]);
});
