import { mergeConfig } from 'vitest/config';
import config from '../vitest.config.ts';

/** `npm run look`: all walks through the pages in a browser, and every page in all its looks; the client in pages of others. It leaves pictures. */
export default mergeConfig(
  { ...config, test: { ...config.test, include: [] } },
  { test: { include: ['{apps,packages}/*/{src,test}/**/*.look.ts', 'packaging/**/*.look.ts'] } },
);
