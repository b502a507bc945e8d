import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { bundleInCheckout } from '@heliograph/packaging/bundle';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { PASSWORD, startDeviceProcess } from '../device/device-process.ts';
import type { HardwareFacts } from '../device/hardware.ts';
import type { LoadOrder, LoadResult } from '../load.ts';
import { reportLimit } from '../report-limit.ts';
import { proportionalMb } from '../usage.ts';

/** Clients read everything without a pause for so long, at these connections. */
const LOAD_MINUTES = Number(process.env.DEVICE_LOAD_MINUTES ?? 2);
const CONNECTIONS = 32;
const WARM_UP_MS = 30_000;
/** How long the device is left alone after the load. */
const REST_MS = 60_000;
/** Proportional set (Pss): at rest, and after load that a home does not have. */
const LIMITS_MB = { rest: 100, load: 140 };

export const bench: Bench = {
  description: `memory of a device as it is installed, with four inverters and batteries: at rest, after ${LOAD_MINUTES} minutes (DEVICE_LOAD_MINUTES) of reads, and at rest again`,
  async run() {
    await using undo = new AsyncDisposableStack();
    const root = await mkdtemp(join(tmpdir(), 'heliograph-device-'));
    undo.defer(() => rm(root, { recursive: true }));
    await bundleInCheckout('device', root);
    const program = join(root, 'apps/device/src/main.js');
    const hardware = await startChild<HardwareFacts>(join(import.meta.dirname, '../device/hardware.ts'));
    undo.defer(async () => hardware.process.disconnect());
    const { homes } = hardware.message;
    // The first start of all compiles; later ones find it compiled.
    await (await startDeviceProcess(homes, 'board', { program }))[Symbol.asyncDispose]();
    const device = undo.use(await startDeviceProcess(homes, 'board', { program }));
    await delay(WARM_UP_MS);
    const restMb = proportionalMb(device.pid);
    const order: LoadOrder = {
      url: `${device.url}/api/v1/metrics`,
      headers: { authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` },
      connections: CONNECTIONS,
      durationS: 60,
    };
    let loadMb = restMb;
    for (let minute = 1; minute <= LOAD_MINUTES; minute++) {
      const { message } = await startChild<LoadResult>(join(import.meta.dirname, '../load.ts'), { order });
      const nowMb = proportionalMb(device.pid);
      loadMb = Math.max(loadMb, nowMb);
      console.log(
        `  after ${minute} min, ${message.requestsPerSecond.toFixed(0)} reads a second: ${nowMb.toFixed(0)} MB`,
      );
    }
    await delay(REST_MS);
    return reportLimit(
      restMb < LIMITS_MB.rest && loadMb < LIMITS_MB.load,
      `${restMb.toFixed(0)} MB at rest (below ${LIMITS_MB.rest}), ${loadMb.toFixed(0)} MB at most after a minute of load ` +
        `(below ${LIMITS_MB.load}), ${proportionalMb(device.pid).toFixed(0)} MB a minute after it`,
    );
  },
};
