import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take longest, though they are short, in the order of their time: whole systems, and tables of requests. */
const LONG: readonly RegExp[] = [
  /\/one-system\./,
  /\/access\/access\./,
  /\/(?:cloud|dev-env)\/test\/|\/dev-env\/src\/main\./,
];

/** Begins with what takes longest, so that no worker is left alone with it in the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = LONG.findIndex((pattern) => pattern.test(moduleId));
      return rank < 0 ? LONG.length : rank;
    };
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    include: ['{apps,packages,bench,packaging,scripts}/**/*.test.ts'],
    // The pages are built before the programs are bundled.
    globalSetup: ['packages/dev-env/src/testing/global-setup.ts', 'packaging/testing/global-setup.ts'],
    // Tests here wait three times as long as they compute: for silent lines, databases, processes. None patches a
    // module, so workers go on to the next file without loading everything again.
    maxWorkers: availableParallelism() + 6,
    isolate: false,
    // Tests make much that dies young: fewer collections take a tenth of the processor time less.
    execArgv: ['--max-semi-space-size=64', '--min-semi-space-size=16'],
    // Node runs the project's TypeScript as it is, in tests as in production.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    sequence: { sequencer: LongestFirst },
    // Patience for a loaded machine, never a claim about speed: only a failure takes this long.
    testTimeout: 90_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
