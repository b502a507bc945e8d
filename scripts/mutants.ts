/**
 * `npm run mutants -- <folder>... [--tests <folder>]... [--part 1/4]`: changes the code of a folder in small ways, one
 * after the other, and lists the changes that no test of that folder, nor of those named besides, notices. A part is
 * every fourth stretch of lines, over all files: a sample, for when a whole run takes too long.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: 'string', multiple: true, default: [] },
    part: { type: 'string', default: '1/1' },
  },
});
const LINES_OF_STRETCH = 20;
const [part = 0, parts = 0] = values.part.split('/').map(Number);
const folders = positionals.map((folder) => folder.replace(/\/+$/, ''));
const testFolders = [...folders.map((folder) => folder.replace(/[^/]+\.tsx?$/, '')), ...values.tests];
const missing = [...folders, ...testFolders].filter((folder) => !existsSync(join(root, folder)));

if (folders.length === 0 || missing.length > 0 || !(part >= 1 && part <= parts)) {
  console.error(
    'usage: npm run mutants -- <folder>... [--tests <folder>]... [--part 1/4]   such as apps/device/src/settings',
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
    mutate: stretches(),
    // Texts for people are not logic.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignorePatterns: ['.heliograph', 'dist', 'dist-*', 'apps/web/screenshots', 'docs'],
    concurrency: 2,
    // Tests wait for sockets and databases: a mutant is late only far beyond what its tests take.
    timeoutMS: 60_000,
    // On a busy machine the unchanged code alone can take more than the 5 minutes of the default.
    dryRunTimeoutMinutes: 30,
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

/** Ranges such as `apps/device/src/settings/write-log.ts:21-40`. */
function stretches() {
  const files = folders.flatMap((folder) =>
    /\.tsx?$/.test(folder)
      ? [folder]
      : globSync(`${folder}/**/*.ts`, { cwd: root }).filter(
          (file) => !/\.(test|look|docs|fuzz|outage)\.ts$|\/testing\//.test(file),
        ),
  );
  // A change that spans two stretches belongs to no part: a whole run takes whole files.
  if (parts === 1) return files;
  return files
    .sort()
    .flatMap((file) => {
      const lines = readFileSync(join(root, file), 'utf8').split('\n').length;
      return Array.from({ length: Math.ceil(lines / LINES_OF_STRETCH) }, (_, index) => {
        const first = index * LINES_OF_STRETCH + 1;
        return `${file}:${first}-${first + LINES_OF_STRETCH - 1}`;
      });
    })
    .filter((_, index) => index % parts === part - 1);
}
