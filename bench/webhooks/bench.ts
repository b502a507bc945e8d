import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVENT_TYPES, type WebhookWithSecret } from '@heliograph/contracts';
import pg from 'pg';
import type { Bench } from '../bench.ts';
import { startChild } from '../child.ts';
import { TOKENS } from '../cloud/fill.ts';
import { BenchServer } from '../cloud/server.ts';
import { quantile } from '../quantile.ts';
import { reportLimit } from '../report-limit.ts';
import { cpuSeconds } from '../usage.ts';
import type { ReceivedEvent, ReceiversFacts, ReceiversOrder } from './receivers.ts';

const PER_SECOND = 1_000;
const SECONDS = 10;
const TOTAL = PER_SECOND * SECONDS;
/** As many as an organization may have; each gets the events of one type. */
const RECEIVERS = 10;
const WRITERS = 8;
const TICK_MS = 20;
/** A receiver that is back gets what it missed with the next try, in milliseconds. */
const PATIENCE_MS = 90_000;
const LIMITS = { delayMs: 3_000, times: 1.5 };

const PROGRAM = join(import.meta.dirname, '../../apps/cloud/test/local-internet.ts');

/** Those that nothing else follows from. */
const TYPES = EVENT_TYPES.filter((type) => !/^(?:alert|outage)\./.test(type)).slice(0, RECEIVERS);
const pathOf = (receiver: number): string => `/${receiver}`;
const DEAD = pathOf(0);

export const bench: Bench = {
  description: `${PER_SECOND} events a second to the webhooks of ${RECEIVERS} receivers, of which none or one is dead`,
  async run() {
    await using server = await BenchServer.start({ program: PROGRAM });
    const cloud = await server.cloud(1_000);
    const receivers = await startChild<ReceiversFacts>(join(import.meta.dirname, 'receivers.ts'));
    await using undo = new AsyncDisposableStack();
    undo.defer(() => receivers.process.disconnect());
    const pool = undo.adopt(
      new pg.Pool({ connectionString: cloud.databaseUrl, max: WRITERS }),
      async (opened) => opened.end(),
    );
    // PostgreSQL stops while the last connections are closing.
    pool.on('error', () => undefined);
    for (const [receiver, type] of TYPES.entries()) {
      const url = receivers.message.url + pathOf(receiver);
      await addWebhook(cloud.url, { name: `Receiver ${receiver}`, url, types: [type] });
    }
    const order = async (dead: string | null): Promise<readonly ReceivedEvent[]> => {
      const answer = once(receivers.process, 'message');
      receivers.process.send({ dead } satisfies ReceiversOrder);
      return (await answer)[0];
    };
    const collect = async (dead: string | null, from: number, isExpected: (path: string) => boolean) => {
      const wanted = Array.from({ length: TOTAL }, (_, index) => from + index).filter((n) =>
        isExpected(pathOf(n % RECEIVERS)),
      );
      const arrived: ReceivedEvent[] = [];
      const missing = new Set(wanted);
      for (const endMs = Date.now() + PATIENCE_MS; missing.size > 0 && Date.now() < endMs; await sleep(200)) {
        for (const event of await order(dead)) {
          if (!isExpected(event.path)) continue;
          arrived.push(event);
          missing.delete(event.n);
        }
      }
      return { arrived, missing: missing.size, sent: wanted.length };
    };
    const phase = async (dead: string | null, from: number) => {
      await order(dead);
      const before = cpuSeconds(cloud.pid);
      const beganMs = Date.now();
      const [, got] = await Promise.all([
        write(pool, from),
        collect(dead, from, (path) => path !== DEAD || dead === null),
      ]);
      const delays = got.arrived.filter(({ path }) => path !== DEAD).map(({ delayMs }) => delayMs);
      const seconds = (Date.now() - beganMs) / 1000;
      const rate = got.arrived.length / seconds;
      const delayMs = { middle: quantile(delays, 0.5), late: quantile(delays, 0.99) };
      const costMs = (1000 * (cpuSeconds(cloud.pid) - before)) / got.arrived.length;
      console.log(
        `${dead === null ? 'all alive' : 'one dead'}: ${got.arrived.length} of ${got.sent} events arrived, ${rate.toFixed(0)} a second, after ` +
          `${delayMs.middle.toFixed(0)} ms in the middle, ${delayMs.late.toFixed(0)} ms at the 99th percentile; ` +
          `an event costs ${costMs.toFixed(2)} ms of the cloud's core`,
      );
      return { ...got, delayMs };
    };
    await phase(null, 0);
    const alive = await phase(null, TOTAL);
    const withDead = await phase(DEAD, 2 * TOTAL);
    const back = await collect(null, 2 * TOTAL, (path) => path === DEAD);
    const times = withDead.delayMs.middle / alive.delayMs.middle;
    const isWhole = ({ missing, arrived, sent }: typeof back): boolean =>
      missing === 0 && arrived.length === sent;
    const kept = [
      reportLimit(isWhole(withDead), `${withDead.sent} events for those that are alive arrived, each once`),
      reportLimit(
        withDead.delayMs.late <= LIMITS.delayMs,
        `they arrived after ${withDead.delayMs.late.toFixed(0)} ms at the 99th percentile (at most ${LIMITS.delayMs})`,
      ),
      reportLimit(
        times <= LIMITS.times,
        `with a dead receiver the others get events after ${times.toFixed(2)} times as long (at most ${LIMITS.times})`,
      ),
      reportLimit(isWhole(back), `${back.sent} events arrived at the dead one once it was back, each once`),
    ];
    return kept.every(Boolean);
  },
};

async function addWebhook(
  cloudUrl: string,
  webhook: Pick<WebhookWithSecret, 'name' | 'url' | 'types'>,
): Promise<void> {
  const answer = await fetch(`${cloudUrl}/api/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKENS.manager}`, 'content-type': 'application/json' },
    body: JSON.stringify({ ...webhook, organization_id: 1 }),
  });
  if (answer.status !== 201) throw new Error(`the cloud answers ${answer.status}: ${await answer.text()}`);
}

async function write(pool: pg.Pool, from: number): Promise<void> {
  const beganMs = Date.now();
  const writes: Promise<unknown>[] = [];
  for (let n = 0; n < TOTAL; ) {
    const due = Math.min(TOTAL, ((Date.now() - beganMs) * PER_SECOND) / 1000);
    for (; n < due; n++) {
      const data = JSON.stringify({ n: from + n, began: Date.now() });
      writes.push(
        pool.query({
          name: 'add',
          text: 'insert into events (at, type, site_id, organization_id, data) values (now(), $1, 1, 1, $2)',
          values: [TYPES[(from + n) % RECEIVERS], data],
        }),
      );
    }
    await sleep(TICK_MS);
  }
  await Promise.all(writes);
}
