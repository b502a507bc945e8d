import { join, resolve } from 'node:path';
import { ConfigError, type Env } from '@heliograph/kit';

export interface StartConfig {
  readonly dataFolder: string;
  /** The cloud's port; the proxy and the device take the next two. 0: free ones. */
  readonly basePort: number;
  /** A database to use instead of a PostgreSQL of our own; it must exist, and be empty or Heliograph's. */
  readonly databaseUrl?: string;
}

const CHECKOUT = join(import.meta.dirname, '../..');
/** The data folder of `npm start`, and of the command line, where HELIOGRAPH_DATA is not set. */
export const DEFAULT_DATA_FOLDER = join(CHECKOUT, '.heliograph');
const DEFAULT_PORT = 4000;

/**
 * A relative folder is meant from where npm was called: npm itself runs scripts from the checkout.
 *
 * @throws ConfigError naming the variable that cannot be used
 */
export function configFromEnv(env: Env): StartConfig {
  const databaseUrl = env.optional('DATABASE_URL');
  if (databaseUrl !== undefined && !/^postgres(ql)?:\/\//.test(databaseUrl)) {
    throw new ConfigError('DATABASE_URL must start with postgres://');
  }
  return {
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
    dataFolder: resolve(
      env.string('INIT_CWD', process.cwd()),
      env.string('HELIOGRAPH_DATA', DEFAULT_DATA_FOLDER),
    ),
    basePort: env.integer('HELIOGRAPH_PORT', { fallback: DEFAULT_PORT, max: 65_533 }),
  };
}
