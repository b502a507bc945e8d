import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{apps,packages,bench,scripts}/**/*.test.ts'],
    globalSetup: ['packages/dev-env/src/testing/global-setup.ts'],
    // Tests here wait more than they compute, so two run even where Vitest would run one; none patches a module,
    // so workers go on to the next file without loading everything again.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Real lines, processes and databases have real deadlines, which a machine that stops for a moment misses.
    retry: 2,
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
