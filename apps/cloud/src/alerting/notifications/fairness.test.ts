import type { TestDatabase } from '@heliograph/dev/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { type HttpsReceiver, startHttpsReceiver } from '../../../test/https-receiver.ts';
import { PushSubscriber } from '../../../test/push-subscriber.ts';
import { cloudDatabase, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { appendEvents } from '../../db/events.ts';

const PATIENCE = { timeout: 30_000, interval: 20 };

/** Of one process, for channels whose last attempt failed. */
const CONCURRENCY_OF_FAILING = 16;

/** Of one process, to one ntfy server. */
const CONCURRENCY_PER_SERVER = 16;

/** Of one process, for customers of one organization. */
const CONCURRENCY_PER_ORGANIZATION = 32;

let database: TestDatabase;
let receiver: HttpsReceiver;
/** Another server of the same host name. */
let otherReceiver: HttpsReceiver;
/** More of them, so that no limit of one server is reached. */
let manyReceivers: readonly HttpsReceiver[];
/** Two processes of one service. */
let clouds: readonly TestCloud[];
let cloud: TestCloud;
beforeAll(async () => {
  receiver = await startHttpsReceiver();
  otherReceiver = await startHttpsReceiver();
  manyReceivers = await Promise.all(Array.from({ length: 5 }, () => startHttpsReceiver()));
  database = await cloudDatabase();
  const start = () =>
    startTestCloud({}, undefined, { database, internet: receiver.internet, lookIntervalMs: 50 });
  cloud = await start();
  clouds = [cloud, await start()];
});
afterAll(async () => {
  for (const one of clouds ?? []) await one[Symbol.asyncDispose]();
  await database?.drop();
  await receiver?.[Symbol.asyncDispose]();
  for (const one of [otherReceiver, ...(manyReceivers ?? [])]) await one?.[Symbol.asyncDispose]();
});

/** Answers that receivers hold back, the oldest first. */
let held: (() => void)[];
let mostHeld: number;
beforeEach(() => {
  receiver.reset();
  otherReceiver.reset();
  held = [];
  mostHeld = 0;
  for (const one of [receiver, ...manyReceivers])
    one.answer = async (path) => {
      if (!path.startsWith('/holds')) return 200;
      const { promise, resolve } = Promise.withResolvers<void>();
      held.push(resolve);
      mostHeld = Math.max(mostHeld, held.length);
      await promise;
      return 200;
    };
});

/** Removes what was queued, and lets the receivers answer what they have. */
async function endFlood(userIds: readonly number[]): Promise<void> {
  await cloud.db.deleteFrom('notifications').where('user_id', 'in', userIds).execute();
  for (const release of held) release();
}

const arrived = (path: string) =>
  [receiver, otherReceiver].flatMap((one) => one.received).filter((request) => request.path === path);

/** An account whose messages go to one path of the receiver. */
async function account(
  path: string,
  settings: object = {},
  { port } = receiver,
  customerOf: number | null = null,
) {
  const user = await cloud.make.user({ customerOf });
  const token = await cloud.make.token(user.id, { kind: 'session' });
  const changed = await cloud.call('PATCH /api/v1/user/notification_settings', {
    token,
    body: { mail: false, ntfy: { url: `https://localhost:${port}${path}topic` }, ...settings },
  });
  expect(changed.status).toBe(200);
  return { ...user, token };
}

async function queueMessages(userIds: readonly number[], count: number): Promise<void> {
  const at = new Date(cloud.clock.now());
  const rows = userIds.flatMap((user_id) =>
    Array.from({ length: count }, () => ({
      ...{ user_id, channel: 'ntfy' as const, push_subscription_id: null, kind: 'test' as const },
      ...{ alert_id: null, outage_id: null, state: 'waiting' as const, sent_at: null, failure: null },
      ...{ due_at: at, created_at: at },
    })),
  );
  await cloud.db.insertInto('notifications').values(rows).execute();
}

const requestTest = ({ token }: { readonly token: string }) =>
  cloud.call('POST /api/v1/user/notifications/test', { token, body: { channel: 'ntfy' } });

it('a message of another account is delivered while a flood waits for its receiver, which has one connection of all processes', async () => {
  const hostile = await account('/holds/');
  await queueMessages([hostile.id], 500);
  await expect.poll(() => held.length, PATIENCE).toBe(1);
  const other = await account('/takes/');
  await requestTest(other);
  await expect.poll(() => arrived('/takes/').length, PATIENCE).toBe(1);
  expect(mostHeld).toBe(1);
  const listed = () =>
    cloud.call<{ state: string; due_at: string; sent_at: string }[]>('GET /api/v1/user/notifications', {
      token: other.token,
    });
  await expect.poll(async () => (await listed()).body, PATIENCE).toMatchObject([{ state: 'sent' }]);
  for (const { due_at, sent_at } of (await listed()).body) expect(due_at <= sent_at).toBe(true);
  await endFlood([hostile.id]);
});

it('channels whose last message failed share a part of the connections; others, also of their accounts, are sent meanwhile', async () => {
  const hostile = await Promise.all(
    Array.from({ length: 3 * CONCURRENCY_OF_FAILING }, () => account('/holds/')),
  );
  const ids = hostile.map(({ id }) => id);
  await cloud.db
    .insertInto('message_queues')
    .values(
      ids.map((id) => ({ user_id: id, channel: 'ntfy' as const, tenant: -id, turn_at: null, failing: true })),
    )
    .execute();
  await queueMessages(ids, 2);
  await expect.poll(() => held.length, PATIENCE).toBe(CONCURRENCY_OF_FAILING * clouds.length);
  await requestTest(await account('/takes/', {}, otherReceiver));
  await expect.poll(() => arrived('/takes/').length, PATIENCE).toBe(1);
  for (const [index, { token }] of hostile.slice(-2).entries()) {
    const endpoint = `https://localhost/browser/${index}`;
    const body = { endpoint, keys: new PushSubscriber().keys };
    expect((await cloud.call('POST /api/v1/user/push_subscriptions', { token, body })).status).toBe(201);
    await cloud.call('POST /api/v1/user/notifications/test', { token, body: { channel: 'push' } });
    await expect.poll(() => arrived(`/browser/${index}`).length, PATIENCE).toBe(1);
  }
  expect(mostHeld).toBe(CONCURRENCY_OF_FAILING * clouds.length);
  await endFlood(ids);
});

it('the customers of an organization have a part of the connections, others are sent to meanwhile', async () => {
  const organization = await cloud.make.organization();
  const customers = await Promise.all(
    manyReceivers.flatMap((server) =>
      Array.from({ length: CONCURRENCY_PER_SERVER }, () => account('/holds/', {}, server, organization)),
    ),
  );
  const ids = customers.map(({ id }) => id);
  await queueMessages(ids, 1);
  await expect.poll(() => held.length, PATIENCE).toBe(CONCURRENCY_PER_ORGANIZATION * clouds.length);
  await requestTest(await account('/takes/', {}, otherReceiver));
  await expect.poll(() => arrived('/takes/').length, PATIENCE).toBe(1);
  expect(mostHeld).toBe(CONCURRENCY_PER_ORGANIZATION * clouds.length);
  await endFlood(ids);
});

it('a server that holds its connections has sixteen of a process; what waits for it is neither read nor written, and sent once', async () => {
  const limit = CONCURRENCY_PER_SERVER * clouds.length;
  const accounts = await Promise.all(Array.from({ length: limit + 8 }, () => account('/holds/')));
  const ids = accounts.map(({ id }) => id);
  await queueMessages(ids, 1);
  /** Each version of a row, and each lock of it, has other numbers. */
  const waiting = async () =>
    (
      await sql<{
        id: string;
      }>`select notifications.id, notifications.ctid, notifications.xmax from notifications
        join message_queues as queue on queue.user_id = notifications.user_id
        where queue.user_id = any(${ids}::int[]) and state = 'waiting' and turn_at > ${new Date(cloud.clock.now())}
        order by notifications.id`.execute(cloud.db)
    ).rows;
  const state = async () => {
    const left = (await waiting()).length;
    // One process may have looked at all of them first.
    if (held.length < limit && held.length + left === accounts.length)
      for (const { clock } of clouds) clock.advance(4_000.5);
    return [held.length, left];
  };
  await expect.poll(state, PATIENCE).toEqual([limit, 8]);
  const before = await waiting();
  for (let turn = 0; turn < 3; turn++) {
    for (const { clock } of clouds) clock.advance(4_000.5);
    await expect.poll(waiting, PATIENCE).toEqual(before);
  }
  expect(mostHeld).toBe(limit);
  await requestTest(await account('/takes/', {}, otherReceiver));
  await expect.poll(() => arrived('/takes/').length, PATIENCE).toBe(1);
  const inState = async (state: 'sending' | 'sent') =>
    (
      await cloud.db
        .selectFrom('notifications')
        .select('id')
        .where('user_id', 'in', ids)
        .where('state', '=', state)
        .execute()
    ).length;
  receiver.answer = () => 200;
  for (const release of held) release();
  const sent = async () => {
    // Each time that the server is free, those that wait come to it again.
    if ((await inState('sending')) === 0) for (const { clock } of clouds) clock.advance(4_000.5);
    return inState('sent');
  };
  await expect.poll(sent, PATIENCE).toBe(accounts.length);
  expect(arrived('/holds/')).toHaveLength(accounts.length);
});

it('each message of an account is sent once by several processes, and the more urgent ones leave first', async () => {
  const owner = await account('/holds/', { severity: 'information' });
  const { id: siteId } = await cloud.make.site({ ownerId: owner.id, name: 'Barn' });
  const raise = async (severity: number, detail: string): Promise<void> => {
    const alertId = await cloud.make.alert(siteId, { rule: detail, kind: 'complaint', severity, detail });
    const at = new Date(cloud.clock.now());
    await appendEvents(cloud.db, [
      { type: 'alert.raised', at, siteId, data: { alert_id: alertId, times: 1 } },
    ]);
  };
  await queueMessages([owner.id], 1);
  await expect.poll(() => held.length, PATIENCE).toBe(1);
  for (const [severity, detail] of [
    [1, 'low'],
    [2, 'middle'],
    [3, 'high'],
  ] as const)
    await raise(severity, detail);
  const stored = async () =>
    (await cloud.db.selectFrom('notifications').select('id').where('user_id', '=', owner.id).execute())
      .length;
  await expect.poll(stored, PATIENCE).toBe(4);
  for (let n = 2; n <= 4; n++) {
    held.shift()?.();
    await expect.poll(() => receiver.received.length, PATIENCE).toBe(n);
  }
  const bodies = receiver.received.slice(1).map(({ body }) => JSON.parse(`${body}`).message);
  expect(bodies).toEqual(['high', 'middle', 'low'].map((detail) => expect.stringContaining(detail)));
  for (const release of held) release();
});
