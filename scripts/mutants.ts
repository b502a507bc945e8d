/**
 * `npm run mutants -- <path>... [--tests <path>]... [--part 1/4] [--concurrency 1] [--limit 60]`: changes the code of
 * folders or files in small ways, one after the other, and lists the changes that no test notices, of their folders or
 * of the paths that `--tests` names. A part is every fourth stretch of lines, over all files: a sample, for when a whole
 * run takes too long. A test that takes longer than the limit, in seconds, ends its mutant, which is counted apart.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const root = join(import.meta.dirname, '..');
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    tests: { type: 'string', multiple: true, default: [] },
    part: { type: 'string', default: '1/1' },
    concurrency: { type: 'string', default: '2' },
    limit: { type: 'string', default: '60' },
  },
});
const LINES_OF_STRETCH = 20;
const [part = 0, parts = 0] = values.part.split('/').map(Number);
const [concurrency, limit] = [Number(values.concurrency), Number(values.limit)];
const paths = positionals.map((path) => path.replace(/\/+$/, ''));
const tests = values.tests.length > 0 ? values.tests : paths.map((path) => path.replace(/[^/]+\.tsx?$/, ''));
const missing = [...paths, ...tests].filter((path) => !existsSync(join(root, path)));

if (
  paths.length === 0 ||
  missing.length > 0 ||
  !(part >= 1 && part <= parts && concurrency >= 1 && limit >= 1)
) {
  console.error(
    'usage: npm run mutants -- <path>... [--tests <path>]... [--part 1/4] [--concurrency 1] [--limit 60]   such as apps/device/src/settings',
  );
  for (const path of missing) console.error(`There is no ${path}`);
  process.exitCode = 2;
} else {
  const cache = join(root, 'node_modules/.cache/mutants');
  const report = join(cache, 'report.json');
  mkdirSync(cache, { recursive: true });
  rmSync(report, { force: true });
  const config = {
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    // Processes, since serial ports crash Node in its threads.
    vitest: { configFile: 'scripts/mutants.vitest.config.ts', related: false, pool: 'forks' },
    mutate: stretches(),
    // Texts for people are not logic.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignorePatterns: ['.heliograph', 'dist', 'dist-*', 'apps/web/screenshots', 'docs'],
    concurrency,
    // Stryker's own limit ends the whole process, which costs a start: that of a single test comes first.
    timeoutMS: 2_000 * limit,
    // On a busy machine the unchanged code alone can take more than the 5 minutes of the default.
    dryRunTimeoutMinutes: 30,
    tempDirName: '.mutants',
    reporters: ['clear-text', 'progress', 'json'],
    clearTextReporter: { allowColor: false, reportTests: false, logTests: false, reportScoreTable: false },
    jsonReporter: { fileName: report },
    // The project's TypeScript has no programming interface to rewrite a tsconfig.json with, and Node needs none.
    tsconfigFile: 'none.json',
    // Node checks no types: a comment against them in each file takes minutes on a busy machine.
    disableTypeChecks: false,
  };
  const file = join(cache, 'stryker.config.json');
  writeFileSync(file, JSON.stringify(config, null, 2));
  const { status } = spawnSync('stryker', ['run', file], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, MUTANTS_TESTS: tests.join(','), MUTANTS_LIMIT: values.limit },
  });
  if (existsSync(report)) printScores(JSON.parse(readFileSync(report, 'utf8')));
  process.exitCode = status ?? 1;
}

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>>;
}

interface Mutant {
  readonly status: string;
  readonly statusReason?: string;
  readonly replacement?: string;
  readonly location: { readonly start: { readonly line: number } };
}

/** Mutants that ended at the limit are no kills: on a loaded machine, tests of the unchanged code may end there, too. */
function printScores({ files }: Report): void {
  console.log('\nfile                killed  survived  at the limit  total');
  for (const [file, { mutants }] of Object.entries(files)) {
    const tried = mutants.filter(
      ({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status),
    );
    const late = tried.filter(isLate);
    const killed = tried.filter((mutant) => /Killed|Timeout/.test(mutant.status) && !isLate(mutant));
    const survived = tried.length - killed.length - late.length;
    console.log(`${file}  ${killed.length}  ${survived}  ${late.length}  ${tried.length}`);
    for (const { location, replacement } of late)
      console.log(`  at the limit: ${file}:${location.start.line}  ${replacement}`);
  }
}

/** An endless loop, in contrast, is counted by its turns, at any speed of the machine. */
function isLate({ status, statusReason = '' }: Mutant): boolean {
  return (
    (status === 'Timeout' && !/hit limit/i.test(statusReason)) || /timed out in \d+ ?ms/.test(statusReason)
  );
}

/** Ranges such as `apps/device/src/settings/write-log.ts:21-40`. */
function stretches() {
  const files = paths.flatMap((path) =>
    /\.tsx?$/.test(path)
      ? [path]
      : globSync(`${path}/**/*.ts`, { cwd: root }).filter(
          (file) => !/\.(test|look|docs|fuzz|outage)\.ts$|\/(?:test|testing)\//.test(file),
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
