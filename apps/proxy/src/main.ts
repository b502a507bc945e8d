import { createLogger, Env, runMain } from '@heliograph/kit';
import { configFromEnv } from './config/config.ts';
import { startProxy } from './proxy.ts';

await runMain(() => startProxy(configFromEnv(new Env()), { logger: createLogger('proxy') }));
