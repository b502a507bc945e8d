import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { TEST_TLS } from '@heliograph/dev-env/testing/tls';
import { TUNNEL_PING_INTERVAL_MS } from '@heliograph/wire';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { PROXY_NAME, startProxyProcess } from '../proxy-process.ts';
import { reportLimit } from '../report-limit.ts';
import { StandInCloud } from '../stand-in-cloud.ts';
import { cpuSeconds, usageOf } from '../usage.ts';
import type { DevicesOrder } from './devices.ts';

const TUNNELS = 10_000;
/** The devices are simulated by so many processes. */
const PROCESSES = 2;
/** The least that a GiB of the proxy's memory holds, the empty proxy's included: without TLS and with it. */
const FLOOR_PER_GIB = { plain: 40_000, tls: 12_000 };
/** How long an empty proxy is left alone before its memory is read. */
const EMPTY_S = 10;
/** Every tunnel is pinged from both ends so often before anything counts. */
const SETTLE_ROUNDS = 3;
const USAGE_S = 30;
const GIB = 2 ** 30;

export const bench: Bench = {
  description: `${TUNNELS} idle tunnels: memory and processor of the proxy, without and with TLS`,
  async run() {
    const { certPath, keyPath, cert } = TEST_TLS;
    const plain = await measure('plain TCP', FLOOR_PER_GIB.plain);
    const tls = { env: { PROXY_TLS_CERT: certPath, PROXY_TLS_KEY: keyPath }, ca: cert.toString() };
    return (await measure('TLS', FLOOR_PER_GIB.tls, tls)) && plain;
  },
};

async function measure(
  title: string,
  floorPerGib: number,
  { env = {}, ca }: { env?: Readonly<Record<string, string>>; ca?: string } = {},
): Promise<boolean> {
  await using cloud = await StandInCloud.start();
  await using proxy = await startProxyProcess(cloud.url, env);
  const empty = await usageOf(proxy.pid, EMPTY_S);
  await using undo = new AsyncDisposableStack();
  const uids = Array.from({ length: TUNNELS }, (_, index) => `device-${index}`);
  const tokens = await Promise.all(uids.map((uid, index) => cloud.tunnelToken(uid, index + 1, PROXY_NAME)));
  const dialled = performance.now();
  const cpuBefore = cpuSeconds(proxy.pid);
  const share = Math.ceil(TUNNELS / PROCESSES);
  const processes = Array.from({ length: PROCESSES }, async (_, index) => {
    const first = index * share;
    const order: DevicesOrder = {
      proxyUrl: proxy.url,
      tokens: tokens.slice(first, first + share),
      first,
      ca,
    };
    const devices = await startChild(join(import.meta.dirname, 'devices.ts'), { order });
    undo.defer(async () => devices.process.disconnect());
  });
  await Promise.all(processes);
  await cloud.untilAnnounced(TUNNELS);
  const upS = (performance.now() - dialled) / 1000;
  const takingMs = ((cpuSeconds(proxy.pid) - cpuBefore) * 1000) / TUNNELS;
  await delay(SETTLE_ROUNDS * TUNNEL_PING_INTERVAL_MS);
  const full = await usageOf(proxy.pid, USAGE_S);
  await cloud.untilAnnounced(TUNNELS);

  const perTunnel = ((full.memoryMb - empty.memoryMb) * 1e6) / TUNNELS;
  const perGib = (GIB - empty.memoryMb * 1e6) / perTunnel;
  const cpuPercent = (full.cpuShare * 100).toFixed(1);
  return reportLimit(
    perGib >= floorPerGib,
    `${title}: ${(perTunnel / 1024).toFixed(1)} KiB a tunnel; ${full.memoryMb.toFixed(0)} MB in all, ` +
      `${empty.memoryMb.toFixed(0)} MB of them when empty: ${perGib.toFixed(0)} in a GiB (at least ${floorPerGib}); ` +
      `${cpuPercent} % of a core; up in ${upS.toFixed(1)} s, ${takingMs.toFixed(2)} ms of a core each`,
  );
}
