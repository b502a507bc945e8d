import { randomBytes } from 'node:crypto';
import type { WebhookDelivery, WebhookWithSecret } from '@heliograph/contracts';
import { expect } from 'vitest';
import { it, signatureOf } from '../../../test/alerting/webhook-test.ts';
import type { ReceivedRequest } from '../../../test/https-receiver.ts';
import { CLOUD_SECRET } from '../../../test/test-cloud.ts';
import { GuardedFetch } from '../../common/outbound/guarded-fetch.ts';
import { appendEvents } from '../../db/events.ts';
import { Delivery, isSuccess } from './delivery.ts';
import { WebhookSecrets } from './secrets.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

it('events arrive in their order over one connection, as the feed has them, signed with the secret that was shown', async ({
  cloud,
  receiver,
  scene,
  webhooks: { as, eventOf, until },
}) => {
  const { owner } = scene;
  const { secret } = await as(owner.token).make('/in-order');
  await appendEvents(
    cloud.db,
    [1, 2, 3].map((n) => eventOf(n)),
  );
  await until('/in-order', [1, 2, 3]);
  const feed = await cloud.call<{ id: string; at: string }[]>('GET /api/v1/events?type=alert', {
    token: owner.token,
  });
  const sent = receiver.received.map(({ body }) => JSON.parse(`${body}`));
  expect(sent).toEqual(feed.body.map((event) => ({ ...event, timestamp: event.at })));
  for (const one of receiver.received) {
    expect(one.headers['webhook-signature']).toBe(signatureOf(one, secret));
    expect(one.headers['webhook-id']).toBe(JSON.parse(`${one.body}`).id);
  }
  expect(new Set(receiver.received.map(({ remotePort }) => remotePort)).size).toBe(1);
});

it('both secrets sign for a day after one took the place of the other', async ({
  cloud,
  receiver,
  scene,
  webhooks: { as, raise, until, untilIdle },
}) => {
  const { owner } = scene;
  const { id, secret: former } = await as(owner.token).make('/rotated');
  const { body } = await cloud.call<WebhookWithSecret>(`POST /api/v1/webhooks/${id}/secret`, {
    token: owner.token,
  });
  await raise(1);
  await until('/rotated', [1]);
  await untilIdle();
  cloud.clock.advance(24 * HOUR_MS - 1);
  await raise(2);
  await until('/rotated', [1, 2]);
  await untilIdle();
  cloud.clock.advance(1);
  await raise(3);
  await until('/rotated', [1, 2, 3]);
  const signatures = receiver.received.map(({ headers }) => headers['webhook-signature']);
  expect(signatures).toEqual(
    receiver.received.map((one, index) =>
      (index < 2 ? [body.secret, former] : [body.secret]).map((secret) => signatureOf(one, secret)).join(' '),
    ),
  );
});

it('a webhook whose secret cannot be read shows why, fails alone, and sends again once it has a new one', async ({
  cloud,
  receiver,
  scene,
  webhooks: { as, raise, numbersAt, until, untilIdle, untilFailing },
}) => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/unreadable');
  await as(owner.token).make('/readable');
  await untilIdle();
  await cloud.db
    .updateTable('webhooks')
    .set({ sealed_secret: randomBytes(60) })
    .where('id', '=', id)
    .execute();
  await raise(1);
  await until('/readable', [1]);
  await untilFailing(owner.token, id);
  const failed = { status: null, failure: 'secret', error: expect.stringContaining('cannot be read') };
  const [delivery] = (
    await cloud.call<WebhookDelivery[]>(`GET /api/v1/webhooks/${id}/deliveries`, { token: owner.token })
  ).body;
  expect(delivery).toMatchObject({ ...failed, outcome: 'retried' });
  const test = await cloud.call(`POST /api/v1/webhooks/${id}/test`, { token: owner.token });
  expect(test).toMatchObject({ status: 200, body: failed });
  expect(numbersAt('/unreadable')).toEqual([]);

  const { body } = await cloud.call<WebhookWithSecret>(`POST /api/v1/webhooks/${id}/secret`, {
    token: owner.token,
  });
  await until('/unreadable', [1]);
  const sent = receiver.received.find(({ path }) => path === '/unreadable') as ReceivedRequest;
  expect(sent.headers['webhook-signature']).toBe(signatureOf(sent, body.secret));
});

it('a test message is sent at once, and its answer is shown', async ({
  cloud,
  receiver,
  scene,
  webhooks: { as },
}) => {
  const { owner } = scene;
  const { id, secret } = await as(owner.token).make('/tried');
  const { body } = await cloud.call<WebhookDelivery>(`POST /api/v1/webhooks/${id}/test`, {
    token: owner.token,
  });
  expect(body).toMatchObject({ event_type: 'test', status: 200, outcome: 'delivered', error: null });
  const [message] = receiver.received as [ReceivedRequest];
  expect(JSON.parse(`${message.body}`)).toMatchObject({ type: 'test', data: {} });
  expect(message.headers['webhook-signature']).toBe(signatureOf(message, secret));
});

it('a message that fails has the kind of its failure beside the words', async ({
  cloud,
  receiver,
  scene,
  webhooks: { as, raise, untilFailing },
}) => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/wrong');
  const failureOf = async (url: string) => {
    await cloud.call(`PATCH /api/v1/webhooks/${id}`, { token: owner.token, body: { url } });
    const { body } = await cloud.call<WebhookDelivery>(`POST /api/v1/webhooks/${id}/test`, {
      token: owner.token,
    });
    return [body.failure, body.error];
  };
  receiver.answer = (path) => (path === '/lost' ? 'lost' : 503);
  expect(await failureOf('https://localhost/refusing')).toEqual(['refused', 'the receiver answered 503']);
  expect(await failureOf('https://localhost/lost')).toEqual([
    'connection',
    'the connection failed: ECONNRESET',
  ]);
  expect(await failureOf('https://renamed.example.org/')).toEqual([
    'certificate',
    'the connection failed: ERR_TLS_CERT_ALTNAME_INVALID',
  ]);
  await raise(1);
  await untilFailing(owner.token, id);
  const log = await cloud.call<WebhookDelivery[]>(`GET /api/v1/webhooks/${id}/deliveries`, {
    token: owner.token,
  });
  expect(log.body).toMatchObject([{ failure: 'certificate', outcome: 'retried' }]);
});

it('an error of a connection has its kind, and no address', async ({ cloud, scene, webhooks: { rowOf } }) => {
  const { owner } = scene;
  const row = await rowOf(await cloud.make.webhook({ userId: owner.id }));
  const secrets = new WebhookSecrets({ used: CLOUD_SECRET, accepted: undefined });
  const failureOf = async (resolve: () => Promise<string[]>) => {
    const fetch = new GuardedFetch(() => 'cloud.example.org', { resolve });
    const receiverRow = { ...row, url: 'https://receiver.example.org/' };
    const delivery = new Delivery(receiverRow, { fetch, secrets, clock: cloud.clock });
    const { status, failure, error } = await delivery.post({ id: 'test-1', type: 'test', at: '' });
    expect(status).toBeNull();
    return [failure, error];
  };
  const failing = (error: object) => () => Promise.reject(Object.assign(new Error('10.0.0.1'), error));
  const certificate = [
    ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
    ...['SELF_SIGNED_CERT_IN_CHAIN', 'BAD_CHAIN', 'HOSTNAME_MISMATCH', 'INVALID_CA', 'INVALID_PURPOSE'],
  ];
  const connection = [
    ...['ECONNREFUSED', 'ERR_UNABLE_TO_DECRYPT', '_CHAIN_ENDED', 'ERR_HOSTNAME_MISMATCH'],
    ...['HOSTNAME_MISMATCHES', 'NOT_INVALID_CA', 'INVALID_CALLER', 'INVALID'],
  ];
  for (const [kind, codes] of Object.entries({ certificate, connection }))
    for (const code of codes)
      expect(await failureOf(failing({ code }))).toEqual([kind, `the connection failed: ${code}`]);
  expect(await failureOf(failing({}))).toEqual(['connection', 'the connection failed']);
  for (const name of ['TimeoutError', 'AbortError'])
    expect(await failureOf(failing({ name }))).toEqual(['timeout', 'the receiver took longer than 10 s']);
  for (const addresses of [[], ['10.0.0.1']])
    expect(await failureOf(async () => addresses)).toEqual([
      'not_public',
      'its host has no address on the public internet',
    ]);
});

it('statuses from 200 to 299 alone are a success', () => {
  expect([null, 199, 200, 299, 300].map(isSuccess)).toEqual([false, false, true, true, false]);
});

it('a secret that was replaced gives way to the new one in both secrets of each webhook, once', async ({
  cloud,
  scene,
  webhooks: { rowOf },
}) => {
  const { owner } = scene;
  const used = 'another-secret-of-the-cloud-0123456789';
  const former = new WebhookSecrets({ used: CLOUD_SECRET, accepted: undefined });
  const [both, newFormer, newSecret, current] = [
    await cloud.make.webhook({ userId: owner.id }),
    await cloud.make.webhook({ userId: owner.id }),
    await cloud.make.webhook({ userId: owner.id }),
    await cloud.make.webhook({ userId: owner.id }),
  ];
  const secrets = new WebhookSecrets({ used, accepted: CLOUD_SECRET });
  const [old, made] = [() => former.make().sealed, () => secrets.make().sealed];
  const rows: readonly (readonly [number, Buffer, Buffer | null])[] = [
    [both, old(), old()],
    [newFormer, old(), made()],
    [newSecret, made(), old()],
    [current, made(), null],
  ];
  for (const [id, sealed_secret, sealed_former_secret] of rows)
    await cloud.db
      .updateTable('webhooks')
      .set({ sealed_secret, sealed_former_secret })
      .where('id', '=', id)
      .execute();
  expect([await secrets.reseal(cloud.db), await secrets.reseal(cloud.db)]).toEqual([3, 0]);
  const alone = new WebhookSecrets({ used, accepted: undefined });
  for (const [id, sealed, sealedFormer] of rows) {
    const { sealed_secret, sealed_former_secret } = await rowOf(id);
    const signed = (by: WebhookSecrets, buffers: readonly (Buffer | null)[]) =>
      by.signature(
        buffers.filter((buffer) => buffer !== null),
        'id',
        1,
        'body',
      );
    expect(signed(alone, [sealed_secret, sealed_former_secret])).toBe(
      signed(secrets, [sealed, sealedFormer]),
    );
  }
});
