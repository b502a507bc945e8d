import { join, resolve } from 'node:path';
import type { Env } from '@heliograph/kit';

export interface StartConfig {
  readonly dataFolder: string;
  /** The cloud's port; the proxy and the device take the next two. 0: free ones. */
  readonly basePort: number;
}

const CHECKOUT = join(import.meta.dirname, '../../..');
const DEFAULT_PORT = 4000;

/** @throws ConfigError naming the variable that cannot be used */
export function configFromEnv(env: Env): StartConfig {
  return {
    dataFolder: resolve(env.string('HELIOGRAPH_DATA', join(CHECKOUT, '.heliograph'))),
    basePort: env.integer('HELIOGRAPH_PORT', { fallback: DEFAULT_PORT, max: 65_533 }),
  };
}
