import { defineConfig } from 'vitest/config';

/** `npm run look`: all journeys, on a desktop and on a phone, and every page in all its looks. It leaves pictures. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['apps/web/test/look/*.look.ts'],
    maxWorkers: 3,
    globalSetup: ['packages/dev-env/src/testing/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
