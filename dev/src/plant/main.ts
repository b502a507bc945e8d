import { Env, runMain } from '@heliograph/kit';
import { plantConfigFromEnv } from './config.ts';
import { startPlant } from './start-plant.ts';

await runMain(async () => startPlant(plantConfigFromEnv(new Env())), { name: 'plant' });
