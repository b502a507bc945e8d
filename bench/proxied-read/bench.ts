import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import type { LoadOrder, LoadResult } from '../load.ts';
import { printTable, type Row, rowOf } from '../report.ts';
import { bootSystem, type ReadableSystem } from './system.ts';

const CONNECTIONS = [1, 32];
const ROUNDS = 11;
const ROUND_S = 1;
/** Every route serves at full load for so long before anything counts, so that its hot path is compiled. */
const WARM_UP_S = 8;
/** The least that our proxy may reach of the plain one's requests per second, at the most connections. */
const FLOOR = 0.75;

const PATH = '/api/v1/metrics';
const ROUTES = ['device', 'plain proxy', 'our proxy'] as const;
type Route = (typeof ROUTES)[number];
type PerRoute<T> = Readonly<Record<Route, T>>;

export const bench: Bench = {
  description: `reads through the proxy against a plain Node reverse proxy, floor ${FLOOR}`,
  async run() {
    await using system = await bootSystem();
    const plain = await startChild<{ url: string }>(join(import.meta.dirname, 'plain-proxy.ts'), {
      args: [system.deviceUrl],
    });
    try {
      const urls = {
        device: system.deviceUrl,
        'plain proxy': plain.message.url,
        'our proxy': system.proxyUrl,
      };
      console.log(`${await describeAnswer(urls, system)}; medians of ${ROUNDS} rounds of ${ROUND_S} s\n`);
      for (const route of ROUTES) {
        await load({
          url: urls[route] + PATH,
          headers: system.headers,
          connections: Math.max(...CONNECTIONS),
          durationS: WARM_UP_S,
        });
      }
      let share = 0;
      for (const connections of CONNECTIONS) {
        const rows = await measure(urls, system, connections);
        printTable(`${connections} connection${connections === 1 ? '' : 's'}`, rows);
        share = rows['our proxy'].share;
      }
      const kept = share >= FLOOR;
      console.log(`${kept ? 'kept' : 'MISSED'}: ${share.toFixed(2)} of the plain proxy, floor ${FLOOR}`);
      return kept;
    } finally {
      plain.process.disconnect();
    }
  },
};

/** All routes must give the same answer, or the comparison means nothing. */
async function describeAnswer(urls: PerRoute<string>, { headers }: ReadableSystem): Promise<string> {
  const answers = await Promise.all(
    ROUTES.map(async (route) => {
      const response = await fetch(urls[route] + PATH, { headers });
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
  urls: PerRoute<string>,
  { headers }: ReadableSystem,
  connections: number,
): Promise<PerRoute<Row>> {
  const results: PerRoute<LoadResult[]> = { device: [], 'plain proxy': [], 'our proxy': [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const route of ROUTES) {
      const result = await load({ url: urls[route] + PATH, headers, connections, durationS: ROUND_S });
      if (result.failed > 0) throw new Error(`${result.failed} requests by way of ${route} failed`);
      results[route].push(result);
    }
  }
  const peer = results['plain proxy'];
  return {
    device: rowOf(results.device, peer),
    'plain proxy': rowOf(peer, peer),
    'our proxy': rowOf(results['our proxy'], peer),
  };
}

async function load(order: LoadOrder): Promise<LoadResult> {
  return (await startChild<LoadResult>(join(import.meta.dirname, '../load.ts'), { order })).message;
}
