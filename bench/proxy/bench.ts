import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import type { LoadOrder, LoadResult } from '../load.ts';
import { installed } from '../programs.ts';
import { printTable, type Row, rowOf } from '../report.ts';
import { reportLimit } from '../report-limit.ts';
import { cpuSeconds } from '../usage.ts';
import { bootSystem, type ReadableSystem } from './system.ts';
import { RIVALS, startTunnel } from './tunnels.ts';

const CONNECTIONS = [1, 32];
const ROUNDS = 11;
const ROUND_S = 1;
/** Every route serves at full load for so long before anything counts, so that its hot path is compiled. */
const WARM_UP_S = 8;
/** The least that our proxy may reach of the plain one's requests per second, at the most connections. */
const FLOOR = 0.45;
/** The most that our p99 may be of the plain one's, at the most connections. */
const P99_LIMIT = 3;
/** The most that a request may cost of our process's time as a multiple of the plain one's, at the most connections. */
const PROCESSOR_LIMIT = 1.8;

const PATH = '/api/v1/metrics';
const PLAIN = 'plain proxy';
const OURS = 'our proxy';
/** The URL of each route, by its name. */
type Routes = Readonly<Record<string, string>>;
/** The processes that forward, by the names of their routes. */
type Processes = Readonly<Record<string, number>>;

export const bench: Bench = {
  description: `reads through the proxy against a plain Node reverse proxy, and frp, chisel and rathole`,
  async run() {
    const rivals = installed(RIVALS);
    await using undo = new AsyncDisposableStack();
    const system = undo.use(await bootSystem());
    const plain = await startChild<{ url: string }>(join(import.meta.dirname, 'plain-proxy.ts'), {
      args: [system.deviceUrl],
    });
    undo.defer(async () => plain.process.disconnect());
    const routes: Record<string, string> = {
      device: system.deviceUrl,
      [PLAIN]: plain.message.url,
      [OURS]: system.proxyUrl,
    };
    for (const rival of rivals) {
      routes[rival.name] = undo.use(await startTunnel(rival, system.deviceUrl)).url;
    }
    console.log(`${await describeAnswer(routes, system)}; medians of ${ROUNDS} rounds of ${ROUND_S} s\n`);
    const { headers } = system;
    for (const url of Object.values(routes)) {
      await load({ url: url + PATH, headers, connections: Math.max(...CONNECTIONS), durationS: WARM_UP_S });
    }
    const processes = { [PLAIN]: plain.process.pid ?? Number.NaN, [OURS]: system.proxyPid };
    let ours: Row | undefined;
    let processorTimes = Number.NaN;
    for (const connections of CONNECTIONS) {
      const { rows, processorUs } = await measure(routes, processes, system, connections);
      printTable(`${connections} connection${connections === 1 ? '' : 's'}`, rows);
      const { [OURS]: ourUs = Number.NaN, [PLAIN]: plainUs = Number.NaN } = processorUs;
      console.log(
        `  a request costs ${ourUs.toFixed(0)} µs of our process, ${plainUs.toFixed(0)} µs of the plain one\n`,
      );
      ours = rows[OURS];
      processorTimes = ourUs / plainUs;
    }
    const { share, p99Times } = ours ?? { share: Number.NaN, p99Times: Number.NaN };
    return reportLimit(
      share >= FLOOR && p99Times <= P99_LIMIT && processorTimes <= PROCESSOR_LIMIT,
      `${share.toFixed(2)} of the plain proxy's requests per second (floor ${FLOOR}), ` +
        `${p99Times.toFixed(2)} times its p99 (at most ${P99_LIMIT}), ` +
        `${processorTimes.toFixed(2)} times its processor time (at most ${PROCESSOR_LIMIT})`,
    );
  },
};

/** All routes must give the same answer, or the comparison means nothing. */
async function describeAnswer(routes: Routes, { headers }: ReadableSystem): Promise<string> {
  const answers = await Promise.all(
    Object.entries(routes).map(async ([route, url]) => {
      const response = await fetch(url + PATH, { headers });
      if (response.status !== 200) throw new Error(`${route} answers ${response.status}`);
      const text = await response.text();
      const rows = JSON.parse(text) as { topic: string }[];
      return { topics: rows.map((row) => row.topic).join(), metrics: rows.length, kib: text.length / 1024 };
    }),
  );
  if (new Set(answers.map(({ topics }) => topics)).size > 1) throw new Error('the routes answer differently');
  return `${answers[0]?.metrics} metrics, ${answers[0]?.kib.toFixed(1)} KiB in an answer`;
}

interface Measured {
  readonly rows: Readonly<Record<string, Row>>;
  /** Processor time of each process for a request, in microseconds. */
  readonly processorUs: Readonly<Record<string, number>>;
}

/** The routes take turns, so that whatever else the machine does falls on all of them alike. */
async function measure(
  routes: Routes,
  processes: Processes,
  { headers }: ReadableSystem,
  connections: number,
): Promise<Measured> {
  const results = Object.entries(routes).map(([name, url]) => ({
    name,
    url,
    rounds: [] as LoadResult[],
    processorS: 0,
    requests: 0,
  }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const route of results) {
      const { name, url, rounds } = route;
      const pid = processes[name];
      const beforeS = pid === undefined ? 0 : cpuSeconds(pid);
      const result = await load({ url: url + PATH, headers, connections, durationS: ROUND_S });
      if (result.failed > 0) throw new Error(`${result.failed} requests by way of ${name} failed`);
      rounds.push(result);
      route.requests += result.requestsPerSecond * ROUND_S;
      if (pid !== undefined) route.processorS += cpuSeconds(pid) - beforeS;
    }
  }
  const peer = results.find(({ name }) => name === PLAIN)?.rounds ?? [];
  return {
    rows: Object.fromEntries(results.map(({ name, rounds }) => [name, rowOf(rounds, peer)])),
    processorUs: Object.fromEntries(
      results.map(({ name, processorS, requests }) => [name, (processorS * 1e6) / requests]),
    ),
  };
}

async function load(order: LoadOrder): Promise<LoadResult> {
  return (await startChild<LoadResult>(join(import.meta.dirname, '../load.ts'), { order })).message;
}
