/**
 * `npm test` and `npm run look`, with the configuration of each: runs Vitest, and each failed file once more, alone. Tests of a file
 * that then passes are printed as unstable: the run is green, and each of them is a defect.
 */
import { spawnSync } from 'node:child_process';
import { relative } from 'node:path';
import { parseCLI, startVitest, type Vitest } from 'vitest/node';

/** More failed files than this have a cause of their own: none runs again. */
const MAX_UNSTABLE_FILES = 5;

interface FailedFile {
  readonly path: string;
  /** Full names of its failed tests, or of none where the file itself failed. */
  readonly tests: readonly string[];
}

const args = process.argv.slice(2);
const { filter, options } = parseCLI(['vitest', 'run', ...args]);

const vitest = await startVitest('test', filter, { ...options, watch: false });
const failedFiles = failedFilesOf(vitest);
const hasFailed = (process.exitCode ?? 0) !== 0;
// No file has it, so none can be run again: an error outside of tests, or nothing to run.
const hasFailedOutside =
  vitest.state.getUnhandledErrors().length > 0 || (hasFailed && failedFiles.length === 0);
await vitest.close();

const mayBeUnstable = failedFiles.length <= MAX_UNSTABLE_FILES;
const failing = failedFiles.filter(({ path }) => !(mayBeUnstable && passesAlone(path)));
const unstable = failedFiles.filter((file) => !failing.includes(file));
if (failedFiles.length > 0) console.log(`\n${summaryOf(unstable, failing)}`);
process.exitCode = failing.length > 0 || hasFailedOutside ? 1 : 0;

function failedFilesOf({ state }: Vitest): FailedFile[] {
  return state
    .getTestModules()
    .filter((file) => !file.ok())
    .toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
    .map((file) => ({
      path: file.moduleId,
      tests: [...file.children.allTests('failed')].map(({ fullName }) => fullName),
    }));
}

function passesAlone(path: string): boolean {
  console.log(`\nOnce more, alone: ${relative(process.cwd(), path)}`);
  const rest = args.filter((arg) => !filter.includes(arg));
  const { status } = spawnSync('vitest', ['run', ...rest, path], { stdio: 'inherit' });
  return status === 0;
}

function summaryOf(unstable: readonly FailedFile[], failing: readonly FailedFile[]): string {
  const list = (heading: string, files: readonly FailedFile[]): string[] =>
    files.length === 0
      ? []
      : [
          heading,
          ...files.flatMap(({ path, tests }) => [
            relative(process.cwd(), path),
            ...tests.map((name) => `  ${name}`),
          ]),
        ];
  return [
    ...list('Unstable: failed among others, passed alone', unstable),
    ...list(mayBeUnstable ? 'Failed twice' : 'Failed', failing),
  ].join('\n');
}
