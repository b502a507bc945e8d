import { availableParallelism } from 'node:os';
import { mergeConfig } from 'vitest/config';
import config from '../vitest.config.ts';

/**
 * `npm run look`: all walks through the pages in a browser, every page in all its looks, and the client in pages of others, which
 * leave pictures; a plant with every kind of hardware; the commands of the documentation (`*.docs.ts`); every operation with hostile
 * input, changes that meet, and faults that are planted in homes (`*.fuzz.ts`); and whole programs that are killed, restored and updated (`*.outage.ts`).
 */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [], globalSetup: [] } },
  {
    test: {
      // Each has a browser or whole programs beside it, which take the cores by themselves.
      maxWorkers: availableParallelism() + 2,
      globalSetup: ['scripts/look.global-setup.ts', ...(config.test?.globalSetup ?? [])],
      include: [
        '{apps/*,packages/*,dev}/{src,test}/**/*.{look,docs,fuzz,outage}.ts',
        'packaging/**/*.look.ts',
        'bench/**/*.{fuzz,outage}.ts',
      ],
    },
  },
);
