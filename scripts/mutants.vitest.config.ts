import { mergeConfig } from 'vitest/config';
import config from '../vitest.config.ts';

const paths = (process.env.MUTANTS_TESTS ?? '').split(',');
const limitMs = 1_000 * Number(process.env.MUTANTS_LIMIT);

/** The tests that `npm run mutants` names; one worker, as several changes are tried side by side. */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  {
    test: {
      include: paths.map((path) =>
        path.endsWith('.ts') ? path : `${path.replace(/\/+$/, '')}/**/*.test.ts`,
      ),
      maxWorkers: 1,
      testTimeout: limitMs,
      // A wait that ends before its test names what did not come.
      expect: { poll: { timeout: limitMs / 2 } },
    },
  },
);
