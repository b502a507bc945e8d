import { Env, runMain } from '@heliograph/kit';
import { configFromEnv } from './config/config.ts';
import { startDevice } from './device.ts';

await runMain(async () => startDevice(configFromEnv(new Env())));
