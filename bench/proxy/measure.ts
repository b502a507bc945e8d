import { join } from 'node:path';
import { startChild } from '../child.ts';
import type { LoadOrder, LoadResult } from '../load.ts';
import { quantile } from '../quantile.ts';
import { cpuSeconds } from '../usage.ts';
import type { RouteRow } from './route-table.ts';

const ROUNDS = 7;
const ROUND_S = 1;
/** Every route serves at full load for so long before anything counts, so that its hot path is compiled. */
const WARM_UP_S = 5;
const WARM_UP_CONNECTIONS = 32;
/**
 * Of the processor time of all rounds: other work on the machine only adds to it, by emptied caches, and a single
 * round is a few ticks of the clock.
 */
const PROCESSOR_QUANTILE = 0.25;

/** A way to the device. */
export interface ProxiedRoute {
  readonly name: string;
  readonly url: string;
  /** Processes that forward, without the device. */
  readonly pids: readonly number[];
}

type Headers = Readonly<Record<string, string>>;

/** All routes must give the same answer to the same credentials, or the comparison means nothing. */
export async function describeAnswer(
  routes: readonly ProxiedRoute[],
  path: string,
  headers: Headers,
): Promise<string> {
  const answers = await Promise.all(
    routes.map(async ({ name, url }) => {
      const response = await fetch(url + path, { headers });
      if (response.status !== 200) throw new Error(`${name} answers ${response.status}`);
      const text = await response.text();
      const rows = JSON.parse(text) as { topic: string }[];
      return { topics: rows.map(({ topic }) => topic).join(), kb: text.length / 1000 };
    }),
  );
  if (new Set(answers.map(({ topics }) => topics)).size > 1) throw new Error('the routes answer differently');
  return `${answers[0]?.kb.toFixed(1)} KB`;
}

export async function warmUp(
  routes: readonly ProxiedRoute[],
  paths: readonly string[],
  headers: Headers,
): Promise<void> {
  const order = { headers, connections: WARM_UP_CONNECTIONS, durationS: WARM_UP_S / paths.length };
  for (const { url } of routes) {
    for (const path of paths) await load({ ...order, url: url + path });
  }
}

/** The routes take turns, so that whatever else the machine does falls on all of them alike. */
export async function measure({
  routes,
  path,
  headers,
  connections,
  devicePid,
}: {
  routes: readonly ProxiedRoute[];
  path: string;
  headers: Headers;
  connections: number;
  devicePid: number;
}): Promise<readonly RouteRow[]> {
  const results = routes.map((route) => ({
    route,
    rounds: [] as LoadResult[],
    proxyUs: [] as number[],
    deviceUs: [] as number[],
  }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { route, rounds, proxyUs, deviceUs } of results) {
      const usage = (): number[] => [seconds(route.pids), cpuSeconds(devicePid)];
      const [proxyS = 0, deviceS = 0] = usage();
      const result = await load({ url: route.url + path, headers, connections, durationS: ROUND_S });
      const [proxyEndS = 0, deviceEndS = 0] = usage();
      if (result.failed > 0) throw new Error(`${result.failed} requests by way of ${route.name} failed`);
      rounds.push(result);
      proxyUs.push(((proxyEndS - proxyS) * 1e6) / result.answered);
      deviceUs.push(((deviceEndS - deviceS) * 1e6) / result.answered);
    }
  }
  return results.map(({ route, rounds, proxyUs, deviceUs }) => ({
    name: route.name,
    rounds,
    proxyUs: quantile(proxyUs, PROCESSOR_QUANTILE),
    deviceUs: quantile(deviceUs, PROCESSOR_QUANTILE),
    sumUs: quantile(
      proxyUs.map((us, index) => us + (deviceUs[index] ?? 0)),
      PROCESSOR_QUANTILE,
    ),
  }));
}

function seconds(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0);
}

async function load(order: LoadOrder): Promise<LoadResult> {
  return (await startChild<LoadResult>(join(import.meta.dirname, '../load.ts'), { order })).message;
}
