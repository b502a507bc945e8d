import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TUNNEL_PING_INTERVAL_MS } from '@heliograph/wire';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { PROXY_NAME } from '../proxy-process.ts';
import { reportLimit } from '../report-limit.ts';
import { StandInCloud } from '../stand-in-cloud.ts';
import { measureBusyHomes } from './busy.ts';
import type { DevicesOrder } from './devices.ts';
import { FRONTS, type Front, growthKib, isFrontHere, startFrontedProxy } from './front.ts';

const TUNNELS = Number(process.env.TUNNELS ?? 3_000);
/** The devices are simulated by so many processes. */
const PROCESSES = 2;
/** The most that an idle tunnel may take, in KiB of all processes before the device. */
const IDLE_LIMITS_KIB: Readonly<Record<Front, number>> = { 'plain TCP': 8, TLS: 56, HAProxy: 25 };
/**
 * Tunnels that are up before memory is read first: what the processes load and prepare for their first ones is not counted, and the
 * proxy has collected the garbage of its start.
 */
const FIRST_TUNNELS = 300;
/** How long the proxy is left alone before its memory is read first. */
const EMPTY_MS = 10_000;
/** Every tunnel is pinged from both ends so often before anything counts. */
const SETTLE_ROUNDS = 2;
const USAGE_MS = 20_000;
const GIB_IN_KIB = 2 ** 20;

export const bench: Bench = {
  description: `${TUNNELS} (TUNNELS) idle tunnels and 200 busy homes: memory and processor of the proxy, without TLS, with it, and behind HAProxy`,
  async run() {
    const verdicts: boolean[] = [];
    for (const front of FRONTS) {
      if (!isFrontHere(front)) continue;
      verdicts.push(await measureIdle(front));
      await measureBusyHomes(front);
    }
    return verdicts.every(Boolean);
  },
};

async function measureIdle(front: Front): Promise<boolean> {
  await using cloud = await StandInCloud.start();
  await using proxy = await startFrontedProxy(cloud.url, front);
  await using undo = new AsyncDisposableStack();
  const uids = Array.from({ length: FIRST_TUNNELS + TUNNELS }, (_, index) => `device-${index}`);
  const tokens = await Promise.all(uids.map((uid, index) => cloud.tunnelToken(uid, index + 1, PROXY_NAME)));
  const connect = async (first: number, count: number): Promise<void> => {
    const ofProcess = tokens.slice(first, first + count);
    const order: DevicesOrder = { proxyUrl: proxy.url, tokens: ofProcess, first, ca: proxy.ca };
    const devices = await startChild(join(import.meta.dirname, 'devices.ts'), { order });
    undo.defer(async () => devices.process.disconnect());
  };
  await connect(0, FIRST_TUNNELS);
  await cloud.untilAnnounced(FIRST_TUNNELS);
  await delay(EMPTY_MS);
  const before = proxy.memoryMb();
  const dialled = performance.now();
  const beforeS = proxy.cpuSeconds();
  const share = Math.ceil(TUNNELS / PROCESSES);
  await Promise.all(
    Array.from({ length: PROCESSES }, (_, index) =>
      connect(FIRST_TUNNELS + index * share, Math.min(share, TUNNELS - index * share)),
    ),
  );
  await cloud.untilAnnounced(FIRST_TUNNELS + TUNNELS);
  const upS = (performance.now() - dialled) / 1000;
  const acceptMs = ((proxy.cpuSeconds() - beforeS) * 1000) / TUNNELS;
  await delay(SETTLE_ROUNDS * TUNNEL_PING_INTERVAL_MS);
  const idleFromS = proxy.cpuSeconds();
  await delay(USAGE_MS);
  const cpuShare = (proxy.cpuSeconds() - idleFromS) / (USAGE_MS / 1000);
  await cloud.untilAnnounced(FIRST_TUNNELS + TUNNELS);

  const { total, text } = growthKib(before, proxy.memoryMb(), TUNNELS);
  const emptyKib = growthKib({}, before, 1).total - FIRST_TUNNELS * total;
  const limit = IDLE_LIMITS_KIB[front];
  return reportLimit(
    total <= limit,
    `${front}: ${text} KiB an idle tunnel (at most ${limit}); ${((GIB_IN_KIB - emptyKib) / total).toFixed(0)} in a GiB ` +
      `beside the ${(emptyKib / 1024).toFixed(0)} MiB of the empty processes; ${(cpuShare * 100).toFixed(1)} % of a core; ` +
      `up in ${upS.toFixed(1)} s, ${acceptMs.toFixed(2)} ms of a core each`,
  );
}
