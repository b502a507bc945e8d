import { createLogger, Env, runMain } from '@heliograph/kit';
import { configFromEnv } from './config/config.ts';
import { startProxy } from './proxy.ts';

/** A little longer than a drain takes, in milliseconds. */
const STOP_DEADLINE_MS = 30_000;

await runMain(() => startProxy(configFromEnv(new Env()), { logger: createLogger('proxy') }), {
  name: 'proxy',
  stopDeadlineMs: STOP_DEADLINE_MS,
  secondSignalEnds: true,
});
