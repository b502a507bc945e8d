import { createLogger, Env, runMain } from '@heliograph/kit';
import { startSpanExport } from '@heliograph/telemetry';
import { configFromEnv } from './config/config.ts';
import { startProxy } from './proxy.ts';

/** A little longer than a drain takes, in milliseconds. */
const STOP_DEADLINE_MS = 30_000;

await runMain(
  async () => {
    const config = configFromEnv(new Env());
    const logger = createLogger('proxy');
    return startProxy(config, { logger, spans: await startSpanExport(config.openTelemetry, logger) });
  },
  {
    stopDeadlineMs: STOP_DEADLINE_MS,
    secondSignalEnds: true,
  },
);
