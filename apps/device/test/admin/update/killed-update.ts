/** Runs an update whose process is killed before a step. The arguments are a JSON object. */
import { ManualClock } from '@heliograph/kit';
import { DeviceProcess } from '../../../src/admin/update/device-process.ts';
import { Installation } from '../../../src/admin/update/installation.ts';
import { Updater } from '../../../src/admin/update/updater.ts';

const { folder, url, publicKey, healthUrl, restart, nowMs, step } = JSON.parse(process.argv[2] ?? '{}');

const updater = new Updater({
  installation: new Installation(folder),
  source: { url, publicKeys: [publicKey] },
  service: new DeviceProcess(healthUrl, restart, { deadlineMs: 30_000, stableMs: 300, pollMs: 50 }),
  clock: new ManualClock(nowMs),
  onStep: (current) => {
    if (current === step) process.kill(process.pid, 'SIGKILL');
  },
});
await updater.update({ channel: 'stable', isAutomatic: false });
