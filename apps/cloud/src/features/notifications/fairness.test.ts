import type { TestDatabase } from '@heliograph/dev-env/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { appendEvents } from '../../db/events.ts';
import { type HttpsReceiver, startHttpsReceiver } from '../../testing/https-receiver.ts';
import { cloudDatabase, startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

const PATIENCE = { timeout: 30_000, interval: 20 };

/** Of one process, for accounts whose last attempt failed. */
const CONCURRENCY_OF_FAILING = 16;

/** Of one process, to one ntfy server. */
const CONCURRENCY_PER_SERVER = 16;

let database: TestDatabase;
let receiver: HttpsReceiver;
/** Another server of the same host name. */
let otherReceiver: HttpsReceiver;
/** Two processes of one service. */
let clouds: readonly TestCloud[];
let cloud: TestCloud;
beforeAll(async () => {
  receiver = await startHttpsReceiver();
  otherReceiver = await startHttpsReceiver();
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
  await otherReceiver?.[Symbol.asyncDispose]();
});

/** Answers that receivers hold back, the oldest first. */
let held: (() => void)[];
let mostHeld: number;
beforeEach(() => {
  receiver.reset();
  otherReceiver.reset();
  held = [];
  mostHeld = 0;
  receiver.answer = async (path) => {
    if (!path.startsWith('/holds')) return 200;
    const { promise, resolve } = Promise.withResolvers<void>();
    held.push(resolve);
    mostHeld = Math.max(mostHeld, held.length);
    await promise;
    return 200;
  };
});

const arrived = (path: string) =>
  [...receiver.received, ...otherReceiver.received].filter((request) => request.path === path);

/** An account whose messages go to one path of the receiver. */
async function account(path: string, settings: object = {}, { port } = receiver) {
  const user = await cloud.make.user();
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

it('a message of another account is delivered while a flood waits for its receiver, which has two connections of all processes', async () => {
  const hostile = await account('/holds/');
  await queueMessages([hostile.id], 500);
  await expect.poll(() => held.length, PATIENCE).toBe(2);
  const other = await account('/takes/');
  await requestTest(other);
  await expect.poll(() => arrived('/takes/').length, PATIENCE).toBe(1);
  expect(mostHeld).toBe(2);
  const listed = () =>
    cloud.call<{ state: string; due_at: string; sent_at: string }[]>('GET /api/v1/user/notifications', {
      token: other.token,
    });
  await expect.poll(async () => (await listed()).body, PATIENCE).toMatchObject([{ state: 'sent' }]);
  for (const { due_at, sent_at } of (await listed()).body) expect(due_at <= sent_at).toBe(true);
  await cloud.db.deleteFrom('notifications').where('user_id', '=', hostile.id).execute();
  for (const release of held) release();
});

it('accounts whose last message failed share a part of the connections, and the others are sent meanwhile', async () => {
  const hostile = await Promise.all(
    Array.from({ length: 3 * CONCURRENCY_OF_FAILING }, () => account('/holds/')),
  );
  const ids = hostile.map(({ id }) => id);
  await cloud.db
    .insertInto('message_queues')
    .values(ids.map((user_id) => ({ user_id, turn_at: null, failing: true })))
    .execute();
  await queueMessages(ids, 2);
  await expect.poll(() => held.length, PATIENCE).toBe(CONCURRENCY_OF_FAILING * clouds.length);
  await requestTest(await account('/takes/', {}, otherReceiver));
  await expect.poll(() => arrived('/takes/').length, PATIENCE).toBe(1);
  expect(mostHeld).toBe(CONCURRENCY_OF_FAILING * clouds.length);
  await cloud.db.deleteFrom('notifications').where('user_id', 'in', ids).execute();
  for (const release of held) release();
});

it('a server that holds its connections has sixteen of a process at most, others are sent to meanwhile, and it gets every message once', async () => {
  const limit = CONCURRENCY_PER_SERVER * clouds.length;
  const accounts = await Promise.all(Array.from({ length: limit + 8 }, () => account('/holds/')));
  const ids = accounts.map(({ id }) => id);
  await queueMessages(ids, 1);
  const inState = async (state: 'waiting' | 'sending' | 'sent') =>
    (
      await cloud.db
        .selectFrom('notifications')
        .select('due_at')
        .where('user_id', 'in', ids)
        .where('state', '=', state)
        .where('attempts', '>', 0)
        .execute()
    ).length;
  await expect.poll(async () => held.length + (await inState('waiting')), PATIENCE).toBe(accounts.length);
  expect(mostHeld).toBeLessThanOrEqual(limit);
  await requestTest(await account('/takes/', {}, otherReceiver));
  await expect.poll(() => arrived('/takes/').length, PATIENCE).toBe(1);
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
  await queueMessages([owner.id], 2);
  await expect.poll(() => held.length, PATIENCE).toBe(2);
  for (const [severity, detail] of [
    [1, 'low'],
    [2, 'middle'],
    [3, 'high'],
  ] as const)
    await raise(severity, detail);
  const stored = async () =>
    (await cloud.db.selectFrom('notifications').select('id').where('user_id', '=', owner.id).execute())
      .length;
  await expect.poll(stored, PATIENCE).toBe(5);
  for (let n = 3; n <= 5; n++) {
    held.shift()?.();
    await expect.poll(() => receiver.received.length, PATIENCE).toBe(n);
  }
  const bodies = receiver.received.slice(2).map(({ body }) => JSON.parse(`${body}`).message);
  expect(bodies).toEqual(['high', 'middle', 'low'].map((detail) => expect.stringContaining(detail)));
  for (const release of held) release();
});
