import { createLogger, Env, runMain } from '@heliograph/kit';
import { startSpanExport } from '@heliograph/telemetry';
import { startCloud } from './cloud.ts';
import { configFromEnv } from './config/env.ts';

await runMain(async () => {
  const config = configFromEnv(new Env());
  const logger = createLogger('cloud');
  return startCloud(config, { logger, spans: await startSpanExport(config.openTelemetry, logger) });
});
