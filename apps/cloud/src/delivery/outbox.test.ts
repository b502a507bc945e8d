import { ManualClock, silentLogger } from '@heliograph/kit';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { migratedDatabase } from '../../test/db/migrated-database.ts';
import { type Database, openDatabase } from '../db/open.ts';
import { DueWork } from './due-work.ts';
import { type ClaimedDelivery, Outbox, type Outcome } from './outbox.ts';
import { GIVE_UP_MS, retryMs } from './retry.ts';

vi.setConfig({ testTimeout: 120_000 });

const NOW = Date.parse('2026-06-21T10:00:00Z');
const SOON = { interval: 10, timeout: 60_000 };
const RETRIES = { waitsMs: [1_000, 4_000], jitter: 0 };

let db: Database;
let clock: ManualClock;
let undo: AsyncDisposableStack;
beforeEach(async () => {
  undo = new AsyncDisposableStack();
  const database = undo.use(await migratedDatabase());
  const opened = openDatabase(database.url, () => undefined);
  undo.defer(() => opened.close());
  db = opened.db;
  clock = new ManualClock(NOW);
});
afterEach(() => undo.disposeAsync());

type Send = (claim: ClaimedDelivery) => Outcome | Promise<Outcome>;

const SENT: Outcome = { is: 'sent' };
const FAILED: Outcome = { is: 'retry', failure: 'no answer' };

/** An outbox of a process with a clock of its own, which nothing looks for. */
function outbox(send: Send, { at = clock, concurrency = 4, through = db } = {}): Outbox {
  return new Outbox({
    ...{ db: through, clock: at, logger: silentLogger },
    sender: {
      name: 'tests',
      deliveries: sql`kind = 'mail' and due_at is not null`,
      ...{ concurrency, retries: RETRIES },
      send: async (claim) => send(claim),
    },
  });
}

/** A process that looks for what is due. */
async function startProcess(send: Send, concurrency = 4): Promise<void> {
  const works = [outbox(send, { concurrency })];
  const work = new DueWork({ db, clock, logger: silentLogger, works, lookIntervalMs: 20 });
  undo.defer(() => work.stop());
  await work.start();
}

async function add(count: number, { tenant = 1, lane = 0, dueMs = 0 } = {}): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into deliveries (kind, tenant, lane, payload, due_at, created_at)
    select 'mail', ${tenant}, ${lane}, jsonb_build_object('n', n),
      ${new Date(NOW + dueMs)}::timestamptz, ${new Date(NOW)}
    from generate_series(1, ${count}) as n returning id`.execute(db);
  return rows.map(({ id }) => id);
}

const rowOf = (id: string | undefined) =>
  db.selectFrom('deliveries').selectAll().where('id', '=', String(id)).executeTakeFirstOrThrow();

const endLeases = () =>
  sql`update deliveries set lease_until = now() - interval '1 second' where lease_until is not null`.execute(
    db,
  );

/** An attempt that the test ends. */
function held() {
  const begun = Promise.withResolvers<ClaimedDelivery>();
  const ended = Promise.withResolvers<Outcome>();
  const send: Send = (claim) => {
    begun.resolve(claim);
    return ended.promise;
  };
  return { send, begun: begun.promise, end: ended.resolve };
}

describe('Outbox', () => {
  it.each<[Outcome, object]>([
    [{ is: 'sent' }, { outcome: 'sent', failure: null }],
    [{ is: 'skipped' }, { outcome: 'skipped', failure: null }],
    [
      { is: 'refused', failure: '550' },
      { outcome: 'refused', failure: '550' },
    ],
  ])('the attempt %o ends its delivery', async (outcome, expected) => {
    const [id] = await add(1);
    const own = outbox(() => outcome);
    await own.run();
    await own.stop();
    expect(await rowOf(id)).toMatchObject({
      ...{ due_at: null, lease_until: null, attempts: 1, ended_at: new Date(NOW), failing_since: null },
      ...expected,
    });
  });

  it.each([
    ['due now', sql`due_at = due_at`, true],
    ['due in a millisecond', sql`due_at = ${new Date(NOW + 1)}`, false],
    ['claimed by a process that lives', sql`lease_until = now() + interval '1 minute'`, false],
    ['claimed by a process whose lease is over', sql`lease_until = now() - interval '1 ms'`, true],
    ['ended', sql`due_at = null, outcome = 'sent', ended_at = ${new Date(NOW)}`, false],
    ['of another sender', sql`kind = 'webhook'`, false],
  ])('a delivery that is %s is sent: %#', async (_what, change, isSent) => {
    const [id] = await add(1);
    await sql`update deliveries set ${change} where id = ${id}`.execute(db);
    await db
      .updateTable('deliveries')
      .set({ due_at: new Date(NOW) })
      .where('due_at', '<', new Date(NOW + 1))
      .execute();
    const claims: ClaimedDelivery[] = [];
    const own = outbox((claim) => {
      claims.push(claim);
      return SENT;
    });
    const { rows } = await sql<{ isDue: boolean }>`select ${own.isDue(new Date(NOW))} as "isDue"`.execute(db);
    await own.run();
    await own.stop();
    expect([rows[0]?.isDue, claims.length]).toEqual([isSent, isSent ? 1 : 0]);
  });

  it('an outbox waits longer after each failure, and an error is one', async () => {
    const [id] = await add(1);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt++) {
      const own = outbox(() => {
        if (attempt === 2) throw new Error('broken');
        return FAILED;
      });
      await own.run();
      await own.stop();
      const row = await rowOf(id);
      expect(row).toMatchObject({
        ...{ attempts: attempt, failing_since: new Date(NOW), lease_until: null, outcome: null },
        failure: attempt === 2 ? 'the cloud could not send it' : 'no answer',
      });
      const dueMs = row.due_at?.getTime() ?? 0;
      waits.push(dueMs - clock.now());
      clock.jump(dueMs);
    }
    expect(waits).toEqual([1_000, 4_000, 4_000, 4_000]);
  });

  it('a delivery is given up three days after its first failure', async () => {
    const [id] = await add(1);
    for (const ms of [0, GIVE_UP_MS - 1, GIVE_UP_MS]) {
      clock.jump(NOW + ms);
      await db
        .updateTable('deliveries')
        .set({ due_at: new Date(NOW) })
        .execute();
      expect((await rowOf(id)).outcome).toBeNull();
      const own = outbox(() => FAILED);
      await own.run();
      await own.stop();
    }
    expect(await rowOf(id)).toMatchObject({
      outcome: 'failed',
      failure: 'no answer',
      due_at: null,
      attempts: 3,
    });
  });

  it('a process killed between sending and its record leaves a doubtful delivery, and cannot end it later', async () => {
    const [id] = await add(1);
    const first = held();
    const dead = outbox(first.send);
    await dead.run();
    expect((await first.begun).isDoubtful).toBe(false);
    await endLeases();
    const second = held();
    const living = outbox(second.send);
    await living.run();
    expect(await second.begun).toMatchObject({ id, isDoubtful: true, attempts: 2 });
    first.end(FAILED);
    await dead.stop();
    expect(await rowOf(id)).toMatchObject({
      failure: null,
      outcome: null,
      lease_until: expect.any(Date),
    });
    second.end(SENT);
    await living.stop();
    expect(await rowOf(id)).toMatchObject({ outcome: 'sent', doubtful: true });
  });

  it('a clock that is set forward lets no process send what it sends already', async () => {
    await add(1);
    const { send, begun, end } = held();
    const sends = vi.fn(send);
    const own = outbox(sends);
    await own.run();
    await begun;
    await sql`update deliveries set lease_until = now() - interval '1 second'`.execute(db);
    clock.jump(NOW + 24 * 60 * 60_000);
    await own.run();
    end(SENT);
    await own.stop();
    expect(sends).toHaveBeenCalledTimes(1);
  });

  it('a clock that is set back delays deliveries, loses none, and sends none twice', async () => {
    const ids = await add(2);
    const sent: string[] = [];
    const own = outbox(({ id }) => {
      sent.push(id);
      return id === ids[0] ? SENT : FAILED;
    });
    await own.run();
    await vi.waitFor(async () => expect((await rowOf(ids[1])).failing_since).not.toBeNull(), SOON);
    clock.jump(NOW - 60 * 60_000);
    await own.run();
    expect(sent.toSorted()).toEqual(ids.toSorted());
    clock.jump(NOW + 1_000);
    await own.run();
    await expect.poll(() => sent.length, SOON).toBe(3);
    await own.stop();
    expect(sent.at(-1)).toBe(ids[1]);
  });

  it('the clock of one process ends no claim of another', async () => {
    await add(1);
    const { send, begun, end } = held();
    const slow = outbox(send);
    await slow.run();
    await begun;
    const sends = vi.fn(() => SENT);
    const ahead = outbox(sends, { at: new ManualClock(NOW + 24 * 60 * 60_000) });
    await ahead.run();
    await ahead.stop();
    expect(sends).not.toHaveBeenCalled();
    end(SENT);
    await slow.stop();
  });

  it('two processes send each of 10,000 deliveries at most once, and an urgent one before the rest', async () => {
    await add(10_000, { lane: 1 });
    const counts = new Map<string, number>();
    const shares = [0, 0];
    await Promise.all(
      shares.map((_, process) =>
        startProcess(({ id }) => {
          counts.set(id, (counts.get(id) ?? 0) + 1);
          shares[process] = (shares[process] ?? 0) + 1;
          return SENT;
        }),
      ),
    );
    await expect.poll(() => Math.min(...shares), SOON).toBeGreaterThan(20);
    const [urgent] = await add(1);
    await expect.poll(() => counts.has(String(urgent)), SOON).toBe(true);
    expect(counts.size).toBeLessThan(10_000);
    expect([...new Set(counts.values())]).toEqual([1]);
  });

  it('a tenant with many deliveries leaves the next turn to each other one', async () => {
    await add(1_000, { tenant: 5 });
    const [small] = await add(1, { tenant: 7, dueMs: 1 });
    const [account] = await add(1, { tenant: -3, dueMs: 2 });
    clock.advance(10);
    const order: string[] = [];
    const own = outbox(
      ({ id }) => {
        order.push(id);
        return SENT;
      },
      { concurrency: 1 },
    );
    await own.run();
    await expect.poll(() => order.length, SOON).toBeGreaterThan(5);
    await own.stop();
    expect(order.slice(0, 3)).toEqual(expect.arrayContaining([small, account]));
  });

  it('deliveries of the first lane leave before all others, and each lane in its order', async () => {
    const later = await add(2, { lane: 1 });
    const first = await add(2, { tenant: 9 });
    clock.advance(1);
    const order: string[] = [];
    const own = outbox(
      ({ id }) => {
        order.push(id);
        return SENT;
      },
      { concurrency: 1 },
    );
    await own.run();
    await expect.poll(() => order.length, SOON).toBe(4);
    await own.stop();
    expect(order).toEqual([...first, ...later]);
  });

  it('an outbox that stops during a claim waits for it and gives it back', async () => {
    const ids = await add(3);
    const claimed = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let claims = 0;
    const slow = db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (result.rows[0]?.['leaseUntil'] === undefined || ++claims !== 2) return result;
        claimed.resolve();
        await gate.promise;
        return result;
      },
    });
    const own = outbox(() => SENT, { concurrency: 1, through: slow });
    await own.run();
    await claimed.promise;
    const stopped = own.stop();
    gate.resolve();
    await stopped;
    const rows = await db
      .selectFrom('deliveries')
      .select(['attempts', 'lease_until', 'outcome'])
      .orderBy('id')
      .execute();
    expect(rows.map(({ attempts, lease_until, outcome }) => [attempts, lease_until, outcome])).toEqual([
      [1, null, 'sent'],
      [0, null, null],
      [0, null, null],
    ]);
    expect(ids).toHaveLength(rows.length);
  });

  it('a delivery whose processes die waits longer each time, and is given up after three days', async () => {
    const [id] = await add(1);
    const dying = () => new Promise<Outcome>(() => undefined);
    for (const _ of [1, 2, 3]) {
      await outbox(dying).run();
      await endLeases();
    }
    await outbox(dying).run();
    const { rows } = await sql<{ seconds: number }>`
      select extract(epoch from lease_until - now())::int as seconds from deliveries`.execute(db);
    expect(rows[0]?.seconds).toBeGreaterThan(120);
    expect(await rowOf(id)).toMatchObject({ attempts: 4, doubtful: true, failing_since: new Date(NOW) });
    await endLeases();
    clock.advance(GIVE_UP_MS);
    const own = outbox(() => SENT);
    await own.run();
    await own.stop();
    expect(await rowOf(id)).toMatchObject({ outcome: 'failed', due_at: null, lease_until: null });
  });

  it('an outbox that stops takes no further delivery and ends attempts that take too long', async () => {
    await add(3);
    let ended = 0;
    const own = new Outbox({
      ...{ db, clock, logger: silentLogger, stopMs: 0 },
      sender: {
        name: 'tests',
        deliveries: sql`kind = 'mail' and due_at is not null`,
        ...{ concurrency: 2, retries: RETRIES },
        send: (_claim, end) =>
          new Promise((resolve) => {
            end.addEventListener('abort', () => {
              ended++;
              resolve(FAILED);
            });
          }),
      },
    });
    await own.run();
    await own.stop();
    expect(ended).toBe(2);
    const rows = await db
      .selectFrom('deliveries')
      .select(['attempts', 'lease_until'])
      .orderBy('id')
      .execute();
    expect(rows.map(({ attempts, lease_until }) => [attempts, lease_until])).toEqual([
      [1, null],
      [1, null],
      [0, null],
    ]);
  });
});

describe('retryMs', () => {
  it.each([
    [1, 1_000],
    [2, 4_000],
    [3, 4_000],
    [1_000, 4_000],
  ])('the wait after attempt %i is %i ms', (attempt, expected) => {
    expect(retryMs(RETRIES, attempt)).toBe(expected);
  });

  it('a wait is random in part', () => {
    const waits = Array.from({ length: 100 }, () => retryMs({ ...RETRIES, jitter: 0.5 }, 1));
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...waits)).toBeLessThan(1_500);
    expect(new Set(waits).size).toBeGreaterThan(1);
  });
});
