import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A zone with summer time, half an hour off the others: what holds in UTC alone fails. Programs that tests start inherit it. */
process.env.TZ ??= 'America/St_Johns';

/**
 * Files that take longest, in the order of their time: walks, commands of the documentation, whole systems, tables of writes, which need no
 * database, as the first workers wait for one, tables of requests, updates and packages, waits for deliveries and silent lines.
 */
const LONG: readonly RegExp[] = [
  /\/web\/test\/look\//,
  /\.docs\./,
  /\/one-system\./,
  /\/settings\/(?:framed|hardware)-writes\./,
  /\/access\/access\./,
  /\/(?:cloud|dev)\/test\/|\/dev\/src\/main\./,
  /\/(?:update\.outage|packages\.look)\./,
  /\/webhooks\/(?:retries|turns)\.test\.|\/(?:notifications|channels|record-command|backup|hostile-http2|run-tests)\.test\.|\/jk\/family\./,
];

/** Multiples of it, without their whole parts, are spread evenly over 0 to 1. */
const GOLDEN_RATIO = (1 + Math.sqrt(5)) / 2;

/**
 * Begins with what takes longest, so that no worker is left alone with it in the end. The others come in an order that is the same
 * in each run and spreads each folder over all of it: families of hardware wait for lines while other tests compute.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONG.findIndex((pattern) => pattern.test(moduleId));
      return rank < 0 ? LONG.length : rank;
    };
    return files
      .toSorted((a, b) => (a.moduleId < b.moduleId ? -1 : 1))
      .map((file, index) => ({ file, rank: rankOf(file), place: (index * GOLDEN_RATIO) % 1 }))
      .toSorted((a, b) => a.rank - b.rank || a.place - b.place)
      .map(({ file }) => file);
  }
}

/** Vitest ignores `--sequence.shuffle.files` beside a sequencer. */
const isShuffled = process.argv.some((argument) => argument.startsWith('--sequence.shuffle'));

export default defineConfig({
  test: {
    include: ['{apps,packages,bench,dev,packaging,scripts}/**/*.test.ts'],
    // The pages are built before the programs are bundled.
    globalSetup: ['dev/src/testing/global-setup.ts', 'packaging/testing/global-setup.ts'],
    // Tests here wait twice as long as they compute: for silent lines, databases, processes. None patches a module, so
    // workers go on to the next file without loading everything again. More workers would compile more often.
    maxWorkers: availableParallelism() + 3,
    isolate: false,
    // Tests make much that dies young: fewer collections take a tenth of the processor time less.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=16'],
    setupFiles: ['dev/src/testing/worker-setup.ts'],
    // Node runs the project's TypeScript as it is, in tests as in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    // Patience for a loaded machine, never a claim about speed: only a failure takes this long.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
