import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{apps,packages,bench,scripts}/**/*.test.ts'],
    globalSetup: ['packages/dev-env/src/testing/global-setup.ts'],
    // Tests here wait as much as they compute: for databases, processes, sockets. None patches a module, so workers
    // go on to the next file without loading everything again.
    maxWorkers: availableParallelism() + 2,
    isolate: false,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // What a test waits for comes at once or, on a loaded machine, later; only what never comes takes this long.
    expect: { poll: { timeout: 10_000 } },
  },
});
