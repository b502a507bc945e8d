import { Env, runMain } from '@heliograph/kit';
import { configFileOf, loadConfig } from './config/config.ts';
import { driversNamed } from './config/drivers-named.ts';
import { startDevice } from './device.ts';
import { loadFamilies } from './drivers/families.ts';

await runMain(async () => {
  const env = new Env();
  const named = driversNamed(configFileOf(env, env.string('DEVICE_DATA')));
  return startDevice(loadConfig(env, await loadFamilies(named)));
});
