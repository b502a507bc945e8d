import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['{apps,packages,bench,scripts}/**/*.test.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
