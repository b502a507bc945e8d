import { mergeConfig } from 'vitest/config';
import config from '../vitest.config.ts';

const paths = (process.env.MUTANTS_TESTS ?? '').split(',');

/** The tests that `npm run mutants` names; one worker, as several changes are tried side by side. */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  {
    test: {
      include: paths.map((path) =>
        path.endsWith('.ts') ? path : `${path.replace(/\/+$/, '')}/**/*.test.ts`,
      ),
      maxWorkers: 1,
      testTimeout: 1_000 * Number(process.env.MUTANTS_LIMIT),
    },
  },
);
