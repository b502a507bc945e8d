import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { BenchServer } from '../cloud/server.ts';
import { quantile } from '../quantile.ts';
import { formFor } from './application.ts';
import { consentedCodes } from './consents.ts';
import type { ExchangeOrder, ExchangeResult } from './exchange.ts';
import { fillWithApplication } from './fill.ts';

const ROWS = 1_000;
const ROUNDS = 7;
/** Codes of a round: few enough for the peer's memory, and exchanged well before they expire. */
const CODES = 100;
const WARM_UP_ROUNDS = 1;
/** How many times the peer's time the cloud may take for one request at a time. */
const LIMIT = 1.5;

export const bench: Bench = {
  description: 'exchanging codes for tokens: /oauth/token of the cloud against oidc-provider alone in memory',
  async run() {
    await using server = await BenchServer.start();
    const cloud = await server.cloud(ROWS, fillWithApplication);
    const { process: peer, message } = await startChild<{ url: string }>(
      join(import.meta.dirname, 'bare-provider.ts'),
    );
    try {
      const takers = {
        peer: { url: `${message.url}/oauth/token`, codes: (count: number) => codesOf(peer, count) },
        cloud: {
          url: `${cloud.url}/oauth/token`,
          codes: (count: number) => consentedCodes(cloud.url, count),
        },
      };
      const times = await compare(takers, 1);
      const isWithinLimit = times <= LIMIT;
      console.log(
        `${isWithinLimit ? 'kept' : 'MISSED'}: ${times.toFixed(2)} times its p50 (at most ${LIMIT})\n`,
      );
      // Here the database, the cloud and the load share the processor: it shows the throughput under pressure.
      console.log(`${(await compare(takers, 8)).toFixed(2)} times its p50\n`);
      return isWithinLimit;
    } finally {
      peer.disconnect();
    }
  },
};

interface Taker {
  readonly url: string;
  codes(count: number): Promise<readonly string[]>;
}

/**
 * Exchanges codes with both in turn, so that what disturbs one round is likely to disturb both.
 *
 * @returns how many times the peer's p50 the cloud's is
 */
async function compare(takers: Record<'peer' | 'cloud', Taker>, concurrency: number): Promise<number> {
  const results: Record<'peer' | 'cloud', ExchangeResult[]> = { peer: [], cloud: [] };
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    for (const who of ['peer', 'cloud'] as const) {
      const result = await exchange(takers[who], concurrency);
      if (round >= 0) results[who].push(result);
    }
  }
  console.log(`${concurrency} concurrent:     requests/s      p50 ms      p99 ms`);
  print('oidc-provider', results.peer);
  print('our cloud', results.cloud);
  return median(results.cloud.map(({ p50Ms }, round) => p50Ms / (results.peer[round]?.p50Ms ?? 0)));
}

async function exchange({ url, codes }: Taker, concurrency: number): Promise<ExchangeResult> {
  const order: ExchangeOrder = { url, concurrency, forms: (await codes(CODES)).map(formFor) };
  return (await startChild<ExchangeResult>(join(import.meta.dirname, 'exchange.ts'), { order })).message;
}

async function codesOf(peer: ChildProcess, count: number): Promise<readonly string[]> {
  const answered = once(peer, 'message');
  peer.send({ count });
  const [{ codes }] = (await answered) as [{ codes: string[] }];
  return codes;
}

function print(name: string, results: readonly ExchangeResult[]): void {
  const columns = [
    median(results.map(({ requestsPerSecond }) => requestsPerSecond)).toFixed(0),
    median(results.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(results.map(({ p99Ms }) => p99Ms)).toFixed(2),
  ];
  console.log(`  ${name.padEnd(14)}${columns.map((text) => text.padStart(12)).join('')}`);
}

const median = (values: readonly number[]): number => quantile(values, 0.5);
