import { mergeConfig } from 'vitest/config';
import config from '../vitest.config.ts';

const folders = (process.env.MUTANTS_TESTS ?? '').split(',');

/** The tests of the folders that `npm run mutants` names; one worker, as several changes are tried side by side. */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  {
    test: {
      include: folders.map((folder) => `${folder.replace(/\/+$/, '')}/**/*.test.ts`),
      maxWorkers: 1,
      // A change that keeps a test waiting is noticed then; Stryker's own limit ends the whole process, which costs a start.
      testTimeout: 20_000,
      expect: { poll: { timeout: 10_000 } },
    },
  },
);
