import { createLogger, Env, runMain } from '@heliograph/kit';
import { collectDefaultMetrics } from 'prom-client';
import { configFromEnv } from './config/config.ts';
import { startProxy } from './proxy.ts';

/** A little longer than a drain takes, in milliseconds. */
const STOP_DEADLINE_MS = 30_000;

collectDefaultMetrics();
await runMain(() => startProxy(configFromEnv(new Env()), { logger: createLogger('proxy') }), {
  stopDeadlineMs: STOP_DEADLINE_MS,
  secondSignalEnds: true,
});
