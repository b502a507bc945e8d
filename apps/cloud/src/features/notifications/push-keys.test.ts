import { afterAll, beforeAll, expect, it } from 'vitest';
import { appendEvents } from '../../db/events.ts';
import { PushSubscriber } from '../../testing/push-subscriber.ts';
import { cloudDatabase, startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

let database: Awaited<ReturnType<typeof cloudDatabase>>;
beforeAll(async () => {
  database = await cloudDatabase();
});
afterAll(() => database?.drop());

const start = () => startTestCloud({}, undefined, { database, lookIntervalMs: 50 });
const pushKey = (cloud: TestCloud, token: string) =>
  cloud.call<{ key: string }>('GET /api/v1/push_key', { token });

it('push keys that no secret of the cloud reads fail their messages alone, and a start replaces them with the subscriptions', async () => {
  let token: string;
  {
    await using cloud = await start();
    const { id: ownerId } = await cloud.make.user();
    token = await cloud.make.token(ownerId, { kind: 'session' });
    const { id: siteId } = await cloud.make.site({ ownerId });
    await cloud.db
      .insertInto('push_keys')
      .values({ public_key: Buffer.alloc(65), sealed_private_key: Buffer.alloc(60) })
      .execute();
    const body = { endpoint: 'https://push.example.org/1', keys: new PushSubscriber().keys };
    expect((await cloud.call('POST /api/v1/user/push_subscriptions', { token, body })).status).toBe(201);
    const alertId = await cloud.make.alert(siteId, { severity: 3 });
    const at = new Date(cloud.clock.now());
    await appendEvents(cloud.db, [
      { type: 'alert.raised', at, siteId, data: { alert_id: alertId, times: 1 } },
    ]);

    const messages = () => cloud.call('GET /api/v1/user/notifications', { token });
    await expect
      .poll(async () => (await messages()).body, { timeout: 30_000, interval: 20 })
      .toMatchObject([
        { state: 'failed', failure: 'the channel cannot be read any more: set it up again' },
        {},
      ]);
    expect((await pushKey(cloud, token)).status).toBe(503);
  }

  await using cloud = await start();
  const { status, body } = await pushKey(cloud, token);
  expect([status, Buffer.from(body.key, 'base64url').length]).toEqual([200, 65]);
  expect((await cloud.call('GET /api/v1/user/push_subscriptions', { token })).body).toEqual([]);
  await using another = await start();
  expect((await pushKey(another, token)).body).toEqual(body);
});
