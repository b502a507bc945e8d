import { afterAll, beforeAll, expect, it } from 'vitest';
import { CLOUD_SECRET } from '../../../test/cloud-secret.ts';
import { type HttpsReceiver, startHttpsReceiver } from '../../../test/https-receiver.ts';
import { PushSubscriber } from '../../../test/push-subscriber.ts';
import { cloudDatabase, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { appendEvents } from '../../db/events.ts';
import { NotificationSecrets } from './secrets.ts';

let receiver: HttpsReceiver;
let database: Awaited<ReturnType<typeof cloudDatabase>>;
let cloud: TestCloud;
let token: string;
let ownerId: number;
beforeAll(async () => {
  receiver = await startHttpsReceiver();
  database = await cloudDatabase();
  cloud = await start();
  ownerId = (await cloud.make.user()).id;
  token = await cloud.make.token(ownerId, { kind: 'session' });
  await cloud.call('GET /api/v1/push_key', { token });
});
afterAll(async () => {
  await cloud?.[Symbol.asyncDispose]();
  await database?.drop();
  await receiver?.[Symbol.asyncDispose]();
});

const start = () =>
  startTestCloud({}, undefined, { database, internet: receiver.internet, lookIntervalMs: 50 });

const pushKey = (from = cloud) => from.call<{ key: string }>('GET /api/v1/push_key', { token });

/** As after a `CLOUD_SECRET` that was replaced without the wait. */
const spoilKeys = () =>
  cloud.db
    .updateTable('push_keys')
    .set({ public_key: Buffer.alloc(65), sealed_private_key: Buffer.alloc(60) })
    .execute();

it('push messages whose keys no secret of the cloud reads fail alone, with the reason', async () => {
  const { id: siteId } = await cloud.make.site({ ownerId });
  await spoilKeys();
  const body = { endpoint: 'https://localhost/push', keys: new PushSubscriber().keys };
  expect((await cloud.call('POST /api/v1/user/push_subscriptions', { token, body })).status).toBe(201);
  await cloud.call('PATCH /api/v1/user/notification_settings', {
    token,
    body: { mail: false, ntfy: { url: 'https://localhost/home' } },
  });
  const alertId = await cloud.make.alert(siteId, { severity: 3 });
  const at = new Date(cloud.clock.now());
  await appendEvents(cloud.db, [{ type: 'alert.raised', at, siteId, data: { alert_id: alertId, times: 1 } }]);

  const states = async () => {
    const { body: messages } = await cloud.call<{ channel: string; state: string; failure: string | null }[]>(
      'GET /api/v1/user/notifications',
      { token },
    );
    return messages.map(({ channel, state, failure }) => [channel, state, failure].join()).toSorted();
  };
  await expect
    .poll(states, { timeout: 30_000, interval: 20 })
    .toEqual(['ntfy,sent,', 'push,failed,the cloud cannot read its keys for push messages']);
  expect(receiver.received).toHaveLength(1);
  expect((await pushKey()).status).toBe(503);
});

it('a start replaces push keys that no secret of the cloud reads, ends the subscriptions, and other processes take them up', async () => {
  await spoilKeys();
  await using another = await start();
  const { status, body } = await pushKey(another);
  expect([status, Buffer.from(body.key, 'base64url').length]).toEqual([200, 65]);
  expect((await pushKey()).body).toEqual(body);
  expect((await another.call('GET /api/v1/user/push_subscriptions', { token })).body).toEqual([]);
});

it('one of several processes that start replaces the push keys', async () => {
  await spoilKeys();
  const secret = { used: CLOUD_SECRET, accepted: undefined };
  const processes = Array.from({ length: 4 }, () => new NotificationSecrets(cloud.db, secret));
  const replaced = await Promise.all(processes.map((one) => one.replaceUnreadablePushKeys()));
  expect(replaced.filter(Boolean)).toHaveLength(1);
  const keys = await Promise.all(processes.map((one) => one.pushKeys()));
  expect(new Set(keys.map((pair) => pair?.publicKey.toString('hex'))).size).toBe(1);
  expect(await processes[0]?.replaceUnreadablePushKeys()).toBe(false);
});
