import { mergeConfig } from 'vitest/config';
import config from '../vitest.config.ts';

/**
 * `npm run look`: all walks through the pages in a browser, every page in all its looks, and the client in pages of others, which
 * leave pictures; and whole programs that are killed, restored and updated (`*.outage.ts`).
 */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  {
    test: {
      include: [
        '{apps,packages}/*/{src,test}/**/*.look.ts',
        'packaging/**/*.look.ts',
        '{apps,packages}/*/{src,test}/**/*.outage.ts',
        'bench/**/*.outage.ts',
      ],
    },
  },
);
