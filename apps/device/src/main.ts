import { Env, runMain } from '@heliograph/kit';
import { configFileOf, loadConfig } from './config/config.ts';
import { configuredDrivers } from './config/configured-drivers.ts';
import { loadFamilies } from './families/families.ts';
import { startRestartingDevice } from './restarting-device.ts';

/** More than a write to the hardware under way may take, which a stop lets end. */
const STOP_DEADLINE_MS = 15_000;

await runMain(
  () =>
    startRestartingDevice({
      load: async () => {
        const env = new Env();
        const configFile = configFileOf(env, env.string('DEVICE_DATA'));
        return loadConfig(env, await loadFamilies({ wanted: configuredDrivers(configFile), configFile }));
      },
    }),
  { stopDeadlineMs: STOP_DEADLINE_MS },
);
