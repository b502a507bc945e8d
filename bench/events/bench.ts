import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceEvent } from '@heliograph/contracts';
import pg from 'pg';
import type { Bench } from '../bench.ts';
import { fill, TOKENS } from '../cloud/fill.ts';
import { BenchServer } from '../cloud/server.ts';
import { quantile } from '../quantile.ts';
import { reportLimit } from '../report-limit.ts';
import { cpuSeconds } from '../usage.ts';

const SITES = 10_000;
/** Events that are there before. */
const KEPT = 500_000;
const PER_SECOND = 1_000;
const SECONDS = 15;
const WRITERS = 8;
const TICK_MS = 20;
const READ_EVERY_MS = 100;
const LIMITS = { delayMs: 1_000 };

/** An event as a reader got it. */
interface Delivery {
  readonly n: number;
  /** From before its transaction until it was read. */
  readonly delayMs: number;
}

export const bench: Bench = {
  description: `${PER_SECOND} events a second, each in a transaction of its own, and a program that reads them all`,
  async run() {
    await using server = await BenchServer.start();
    const cloud = await server.cloud(SITES, async (client, rows) => {
      await fill(client, rows);
      await client.query(
        `insert into events (at, type, site_id, data)
          select now() - interval '1 hour', 'energy.day', 1 + n % $1::int, '{}' from generate_series(1, $2::int) n`,
        [SITES, KEPT],
      );
      await client.query('vacuum analyze');
    });
    await using undo = new AsyncDisposableStack();
    const pool = undo.adopt(
      new pg.Pool({ connectionString: cloud.databaseUrl, max: WRITERS }),
      async (opened) => opened.end(),
    );
    // PostgreSQL stops while the last connections are closing.
    pool.on('error', () => undefined);
    const before = { cloud: cpuSeconds(cloud.pid), database: server.cpuSeconds() };
    const total = PER_SECOND * SECONDS;
    const [, read] = await Promise.all([
      write(pool, total),
      readAll(cloud.url, await lastPosition(pool), total),
    ]);
    const cost = (used: number) => ((used * 1000) / total).toFixed(2);
    console.log(
      `an event costs ${cost(cpuSeconds(cloud.pid) - before.cloud)} ms of the cloud's core and ` +
        `${cost(server.cpuSeconds() - before.database)} ms of PostgreSQL's`,
    );
    const delays = read.map(({ delayMs }) => delayMs);
    const isWhole = read.length === total && new Set(read.map(({ n }) => n)).size === total;
    const delayMs = quantile(delays, 0.99);
    const kept = [
      reportLimit(isWhole, `${read.length} of ${total} events were read, each once`),
      reportLimit(
        delayMs <= LIMITS.delayMs,
        `an event is read after ${quantile(delays, 0.5).toFixed(0)} ms in the middle, ${delayMs.toFixed(0)} ms at the 99th percentile (at most ${LIMITS.delayMs})`,
      ),
    ];
    return kept.every(Boolean);
  },
};

async function write(pool: pg.Pool, total: number): Promise<void> {
  const begunMs = Date.now();
  const writes: Promise<unknown>[] = [];
  for (let n = 0; n < total; ) {
    const due = Math.min(total, ((Date.now() - begunMs) * PER_SECOND) / 1000);
    for (; n < due; n++) {
      const data = JSON.stringify({ n, began: Date.now() });
      writes.push(
        pool.query({
          name: 'add',
          text: `insert into events (at, type, site_id, data) values (now(), 'alert.raised', $1, $2)`,
          values: [1 + (n % SITES), data],
        }),
      );
    }
    await sleep(TICK_MS);
  }
  await Promise.all(writes);
}

/** The id of the last event that is there, as the feed writes it. */
async function lastPosition(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ at: Date; transaction: string; id: string }>(
    'select at, transaction::text, id::text from events order by events.transaction desc, events.id desc limit 1',
  );
  const [last] = rows;
  if (last === undefined) throw new Error('There are no events');
  return `${last.at.getTime()}-${last.transaction}-${last.id}`;
}

/** Reads until all events came, or none did for five seconds. */
async function readAll(url: string, begin: string, total: number): Promise<Delivery[]> {
  const read: Delivery[] = [];
  let [after, lastMs] = [begin, Date.now()];
  while (read.length < total && Date.now() - lastMs < 5_000) {
    const answer = await fetch(`${url}/api/v1/events?limit=200&after=${after}`, {
      headers: { authorization: `Bearer ${TOKENS.staff}` },
    });
    if (answer.status !== 200) throw new Error(`the cloud answers ${answer.status}: ${await answer.text()}`);
    const events = (await answer.json()) as ServiceEvent[];
    const nowMs = Date.now();
    for (const { data } of events) {
      read.push({ n: Number(data.n), delayMs: nowMs - Number(data.began) });
    }
    const last = events.at(-1);
    if (last === undefined) await sleep(READ_EVERY_MS);
    else [after, lastMs] = [last.id, nowMs];
  }
  return read;
}
