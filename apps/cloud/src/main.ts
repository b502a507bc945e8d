import { Env, runMain } from '@heliograph/kit';
import { startCloud } from './cloud.ts';
import { configFromEnv } from './common/config/env.ts';

await runMain(async () => startCloud(configFromEnv(new Env())), { name: 'cloud' });
