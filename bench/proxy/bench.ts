import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import type { LoadOrder, LoadResult } from '../load.ts';
import { installed } from '../programs.ts';
import { printTable, type Row, rowOf } from '../report.ts';
import { reportLimit } from '../report-limit.ts';
import { bootSystem, type ReadableSystem } from './system.ts';
import { RIVALS, startTunnel } from './tunnels.ts';

const CONNECTIONS = [1, 32];
const ROUNDS = 11;
const ROUND_S = 1;
/** Every route serves at full load for so long before anything counts, so that its hot path is compiled. */
const WARM_UP_S = 8;
/** The least that our proxy may reach of the plain one's requests per second, at the most connections. */
const FLOOR = 0.8;
/** The most that our p99 may be of the plain one's, at the most connections. */
const P99_LIMIT = 1.5;

const PATH = '/api/v1/metrics';
const PLAIN = 'plain proxy';
const OURS = 'our proxy';
/** The URL of each route, by its name. */
type Routes = Readonly<Record<string, string>>;

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
    let ours: Row | undefined;
    for (const connections of CONNECTIONS) {
      const rows = await measure(routes, system, connections);
      printTable(`${connections} connection${connections === 1 ? '' : 's'}`, rows);
      ours = rows[OURS];
    }
    const { share, p99Times } = ours ?? { share: Number.NaN, p99Times: Number.NaN };
    return reportLimit(
      share >= FLOOR && p99Times <= P99_LIMIT,
      `${share.toFixed(2)} of the plain proxy's requests per second (floor ${FLOOR}), ` +
        `${p99Times.toFixed(2)} times its p99 (at most ${P99_LIMIT})`,
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

/** The routes take turns, so that whatever else the machine does falls on all of them alike. */
async function measure(
  routes: Routes,
  { headers }: ReadableSystem,
  connections: number,
): Promise<Readonly<Record<string, Row>>> {
  const results = Object.entries(routes).map(([name, url]) => ({ name, url, rounds: [] as LoadResult[] }));
  for (let round = 0; round < ROUNDS; round++) {
    for (const { name, url, rounds } of results) {
      const result = await load({ url: url + PATH, headers, connections, durationS: ROUND_S });
      if (result.failed > 0) throw new Error(`${result.failed} requests by way of ${name} failed`);
      rounds.push(result);
    }
  }
  const peer = results.find(({ name }) => name === PLAIN)?.rounds ?? [];
  return Object.fromEntries(results.map(({ name, rounds }) => [name, rowOf(rounds, peer)]));
}

async function load(order: LoadOrder): Promise<LoadResult> {
  return (await startChild<LoadResult>(join(import.meta.dirname, '../load.ts'), { order })).message;
}
