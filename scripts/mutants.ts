/**
 * `npm run mutants -- <folder>... [--tests <folder>]...`: changes the code of a folder in small ways, one after the
 * other, and lists the changes that no test of that folder, nor of those named besides, notices.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { tests: { type: 'string', multiple: true, default: [] } },
});
const folders = positionals.map((folder) => folder.replace(/\/+$/, ''));
const testFolders = [...folders.map((folder) => folder.replace(/[^/]+\.tsx?$/, '')), ...values.tests];
const missing = [...folders, ...testFolders].filter((folder) => !existsSync(join(root, folder)));

if (folders.length === 0 || missing.length > 0) {
  console.error(
    'usage: npm run mutants -- <folder>... [--tests <folder>]...   such as apps/device/src/settings',
  );
  for (const folder of missing) console.error(`There is no ${folder}`);
  process.exitCode = 2;
} else {
  const cache = join(root, 'node_modules/.cache/mutants');
  mkdirSync(cache, { recursive: true });
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    // Processes, since serial ports crash Node in its threads.
    vitest: { configFile: 'scripts/mutants.vitest.config.ts', related: false, pool: 'forks' },
    mutate: folders.flatMap((folder) =>
      /\.tsx?$/.test(folder)
        ? [folder]
        : [
            `${folder}/**/*.ts`,
            `!${folder}/**/*.{test,look,docs,fuzz,outage}.ts`,
            `!${folder}/**/testing/**`,
          ],
    ),
    // Texts for people are not logic.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignorePatterns: ['.heliograph', 'dist', 'dist-*', 'apps/web/screenshots', 'docs'],
    concurrency: 2,
    // Tests wait for sockets and databases: a mutant is late only far beyond what its tests take.
    timeoutMS: 60_000,
    tempDirName: '.mutants',
    reporters: ['clear-text', 'progress'],
    clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
    // The project's TypeScript has no programming interface to rewrite a tsconfig.json with, and Node needs none.
    tsconfigFile: 'none.json',
  };
  const file = join(cache, 'stryker.config.json');
  writeFileSync(file, JSON.stringify(config, null, 2));
  const { status } = spawnSync('stryker', ['run', file], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MUTANTS_TESTS: testFolders.join(',') },
  });
  process.exitCode = status ?? 1;
}
