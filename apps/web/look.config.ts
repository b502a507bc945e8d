import { defineConfig } from 'vitest/config';

/** `npm run look`: every page in all its looks, apart from the tests, for it takes minutes and leaves pictures. */
export default defineConfig({
  test: {
    root: `${import.meta.dirname}/../..`,
    include: ['apps/web/test/look/*.look.ts'],
    globalSetup: ['packages/dev-env/src/testing/global-setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 90_000,
    expect: { poll: { timeout: 10_000 } },
  },
});
