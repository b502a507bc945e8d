import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { startDeviceProcess } from '../device/device-process.ts';
import { connectClients } from '../fan-out/clients.ts';
import type { HardwareFacts } from '../fan-out/hardware.ts';
import { streamRoute } from '../fan-out/routes.ts';
import type { LoadOrder, LoadResult } from '../load.ts';
import { startProxyProcess } from '../proxy-process.ts';
import { quantile } from '../quantile.ts';
import { reportLimit } from '../report-limit.ts';
import { SITE_ID, StandInCloud } from '../stand-in-cloud.ts';
import { cpuSeconds, proportionalMb } from '../usage.ts';

const VIEWERS = 100;
/** Reads of all viewers together, a second: each page reads a list every two seconds beside its stream. */
const READS_PER_S = 50;
const WARM_UP_S = 5;
const WATCHED_S = 30;
const P99_LIMIT_MS = 100;

export const bench: Bench = {
  description: `${VIEWERS} viewers of one home, each with a stream and reads: delays, processor time and memory of proxy and device`,
  async run() {
    await using undo = new AsyncDisposableStack();
    const cloud = undo.use(await StandInCloud.start());
    const proxy = undo.use(await startProxyProcess(cloud.url));
    const hardware = await startChild<HardwareFacts>(join(import.meta.dirname, '../fan-out/hardware.ts'));
    undo.defer(async () => hardware.process.disconnect());
    const device = undo.use(
      await startDeviceProcess([hardware.message.modbus], 'board', { cloudUrl: cloud.url }),
    );
    await cloud.untilAnnounced(1);
    const credentials = await cloud.authorize(SITE_ID);
    const { token, siteId, siteKey } = credentials;
    const order: LoadOrder = {
      url: `${proxy.url}/api/v1/metrics`,
      headers: { authorization: `Bearer ${token}`, 'site-id': String(siteId), 'site-key': siteKey },
      connections: VIEWERS,
      ratePerSecond: READS_PER_S,
      durationS: WARM_UP_S,
    };
    await load(order);
    const clients = undo.use(
      await connectClients({ ...streamRoute(proxy.host, credentials), count: VIEWERS }),
    );
    const parts = { proxy: proxy.pid, device: device.pid };
    const before = Object.values(parts).map(cpuSeconds);
    const [reads, stream] = await Promise.all([
      load({ ...order, durationS: WATCHED_S }),
      clients.watch(WATCHED_S),
    ]);
    for (const [index, [name, pid]] of Object.entries(parts).entries()) {
      const share = (cpuSeconds(pid) - (before[index] ?? 0)) / WATCHED_S;
      console.log(`  ${name}: ${(share * 100).toFixed(1)} % of a core, ${proportionalMb(pid).toFixed(0)} MB`);
    }
    const streamP99Ms = quantile(stream.delaysMs, 0.99);
    return reportLimit(
      stream.lost === 0 && reads.failed === 0 && streamP99Ms < P99_LIMIT_MS && reads.p99Ms < P99_LIMIT_MS,
      `${stream.delaysMs.length} values on ${VIEWERS} streams: p50 ${quantile(stream.delaysMs, 0.5).toFixed(1)} ms, ` +
        `p99 ${streamP99Ms.toFixed(1)} ms; ${reads.answered} reads: p50 ${reads.p50Ms.toFixed(1)} ms, ` +
        `p99 ${reads.p99Ms.toFixed(1)} ms (each p99 below ${P99_LIMIT_MS}); ${stream.lost + reads.failed} failed`,
    );
  },
};

async function load(order: LoadOrder): Promise<LoadResult> {
  return (await startChild<LoadResult>(join(import.meta.dirname, '../load.ts'), { order })).message;
}
