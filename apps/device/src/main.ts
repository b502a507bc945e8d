import { Env, runMain } from '@heliograph/kit';
import { loadDevice } from './load-device.ts';
import { startRestartingDevice } from './restarting-device.ts';

/** More than a write to the hardware under way may take, which a stop lets end. */
const STOP_DEADLINE_MS = 15_000;

await runMain(
  () => startRestartingDevice({ load: (clock, logger) => loadDevice(new Env(), clock, logger) }),
  { name: 'device', stopDeadlineMs: STOP_DEADLINE_MS },
);
