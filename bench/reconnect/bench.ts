import { setTimeout as delay } from 'node:timers/promises';
import { UPLINK_TIMES } from '@heliograph/device/uplink-times';
import pg from 'pg';
import type { Bench } from '../bench.ts';
import { BenchServer } from '../cloud/server.ts';
import { startProxyProcess } from '../proxy-process.ts';
import { quantile } from '../quantile.ts';
import { reportLimit } from '../report-limit.ts';
import { type Call, CountingCloud } from './counting-cloud.ts';
import { addDevices, Fleet } from './fleet.ts';

const DEVICES = Number(process.env.RECONNECT_DEVICES ?? 1_000);
const PROCESSES = 2;
const LIMIT_S = 15;
const ONLINE_TIMEOUT_MS = 120_000;
/** The most devices that may ask the cloud because a proxy restarted. */
const MAX_ASKING = DEVICES / 100;

export const bench: Bench = {
  description: `${DEVICES} devices (RECONNECT_DEVICES) come back after their proxy was killed, with a cloud and its PostgreSQL`,
  async run() {
    await using server = await BenchServer.start();
    using fleet = await Fleet.make(DEVICES, PROCESSES);
    const { url, databaseUrl } = await server.cloud(DEVICES, (client) => addDevices(client, fleet.devices));
    await using counting = await CountingCloud.start(url);
    await using first = await startProxyProcess(counting.url);
    await delay(1_000);
    const begun = performance.now();
    fleet.begin({ cloudUrl: url, callUrl: counting.url });
    await fleet.allUp();
    await untilOnline(databaseUrl, DEVICES);
    console.log(`${DEVICES} devices asked the cloud and came up in ${since(begun)} s`);
    // A tunnel must have lasted for its end to be taken for a restart.
    await delay(UPLINK_TIMES.stableMs);

    counting.calls.length = 0;
    const killedAt = Date.now();
    const killed = performance.now();
    const back = fleet.allUp();
    await first.kill();
    await using _second = await startProxyProcess(counting.url, { PROXY_PORT: new URL(first.url).port });
    const listensS = since(killed);
    const { upAt, requested } = await back;
    const downS = upAt.map((at) => (at - killedAt) / 1000);
    await untilOnline(databaseUrl, DEVICES);
    const registeredS = since(killed);

    const share = (part: number): string => quantile(downS, part).toFixed(1);
    console.log(
      `the proxy listens again after ${listensS} s; devices are back after ${share(0.5)} s (median),`,
    );
    console.log(`${share(0.9)} s (p90), ${share(0.99)} s (p99), ${share(1)} s (the last)`);
    for (const why of new Set(requested)) {
      console.log(
        `asked the cloud after a dial that ${why}: ${requested.filter((one) => one === why).length}`,
      );
    }
    const asking = counting.calls.filter(({ by }) => by === 'device').length;
    const peaks = `at most ${peak(counting.calls, 'device')} of devices and ${peak(counting.calls, 'proxy')} of the proxy in a second`;
    return reportLimit(
      Number(registeredS) <= LIMIT_S && asking <= MAX_ASKING,
      `the cloud knows all of them after ${registeredS} s (at most ${LIMIT_S}); ${asking} asked it (at most ${MAX_ASKING}), ${peaks}`,
    );
  },
};

const since = (start: number): string => ((performance.now() - start) / 1000).toFixed(1);

/** Waits until the cloud reports so many devices as online. */
async function untilOnline(databaseUrl: string, count: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const deadline = performance.now() + ONLINE_TIMEOUT_MS;
    for (;;) {
      const { rows } = await client.query('select count(*)::int as online from devices where online');
      if (rows[0]?.online === count) return;
      if (performance.now() > deadline) throw new Error(`${rows[0]?.online} of ${count} devices are online`);
      await delay(100);
    }
  } finally {
    await client.end();
  }
}

/** The most calls within one second. */
function peak(calls: readonly Call[], by: Call['by']): number {
  const seconds = new Map<number, number>();
  for (const call of calls) {
    const second = Math.floor(call.at / 1000);
    if (call.by === by) seconds.set(second, (seconds.get(second) ?? 0) + 1);
  }
  return Math.max(0, ...seconds.values());
}
