import { createHmac, randomBytes } from 'node:crypto';
import type { Webhook, WebhookDelivery, WebhookWithSecret } from '@heliograph/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { appendEvents } from '../../db/events.ts';
import {
  type HttpsReceiver,
  type ReceivedRequest,
  startHttpsReceiver,
} from '../../testing/https-receiver.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';
import { type Scene, setScene } from '../members/testing/scene.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const PATIENCE = { timeout: 30_000, interval: 20 };

let receiver: HttpsReceiver;
let cloud: TestCloud;
let scene: Scene;

beforeAll(async () => {
  receiver = await startHttpsReceiver();
  cloud = await startTestCloud({}, undefined, { internet: receiver.internet, lookIntervalMs: 50 });
});
afterAll(async () => {
  await cloud?.[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(async () => {
  await cloud.db.deleteFrom('webhooks').execute();
  receiver.reset();
  scene = await setScene(cloud);
});

/** @param answers the status of each path; the others take what they get */
const answerWith = (answers: Readonly<Record<string, number>>): void => {
  receiver.answer = (path) => answers[path] ?? 204;
};

const as = (token: string) => ({
  make: async (path: string, body: object = {}) => {
    const answer = await cloud.call<WebhookWithSecret>('POST /api/v1/webhooks', {
      token,
      body: { name: 'Mine', url: `https://localhost${path}`, ...body },
    });
    expect(answer.status).toBe(201);
    return answer.body;
  },
  show: async (id: number) => (await cloud.call<Webhook>(`GET /api/v1/webhooks/${id}`, { token })).body,
});

const eventOf = (n: number, siteId = scene.site) => ({
  ...{ type: 'alert.raised' as const, at: new Date(cloud.clock.now()), siteId },
  ...{ organizationId: scene.organization, data: { n } },
});

const raise = (n: number, siteId = scene.site) => appendEvents(cloud.db, [eventOf(n, siteId)]);

const numbersAt = (path: string) =>
  receiver.received.filter((one) => one.path === path).map(({ body }) => JSON.parse(`${body}`).data.n);

const until = (path: string, numbers: readonly number[]) =>
  vi.waitFor(() => expect(numbersAt(path)).toEqual(numbers), PATIENCE);

/** The receiver refused: the next try is so far away. */
const untilFailing = (token: string, id: number) =>
  vi.waitFor(async () => expect((await as(token).show(id)).state).toBe('failing'), PATIENCE);

function signatureOf({ headers, body }: ReceivedRequest, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

it('events arrive in their order, as the feed has them, signed with the secret that was shown', async () => {
  const { owner } = scene;
  const { secret } = await as(owner.token).make('/in-order');
  for (const n of [1, 2, 3]) await raise(n);
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
});

it('a receiver that fails gets all events later, in their order, and holds up no other', async () => {
  const { owner } = scene;
  answerWith({ '/down': 503 });
  const down = await as(owner.token).make('/down');
  await as(owner.token).make('/up');
  for (const n of [1, 2, 3]) await raise(n);
  await until('/up', [1, 2, 3]);
  await untilFailing(owner.token, down.id);
  expect(numbersAt('/down')).toEqual([1]);
  answerWith({});
  cloud.clock.advance(MINUTE_MS);
  await until('/down', [1, 1, 2, 3]);
  await vi.waitFor(async () => expect((await as(owner.token).show(down.id)).state).toBe('active'), PATIENCE);
  const log = await cloud.call<WebhookDelivery[]>(`GET /api/v1/webhooks/${down.id}/deliveries`, {
    token: owner.token,
  });
  expect(log.body.map(({ status, outcome }) => [status, outcome])).toEqual([
    [204, 'delivered'],
    [204, 'delivered'],
    [204, 'delivered'],
    [503, 'retried'],
  ]);
});

it('an event that the receiver refuses again and again is left out, and those after it arrive', async () => {
  const { owner } = scene;
  answerWith({ '/strict': 422 });
  const { id } = await as(owner.token).make('/strict');
  await raise(1);
  for (const tries of [1, 2, 3]) {
    await vi.waitFor(async () => {
      const { rows } = { rows: await cloud.db.selectFrom('webhooks').select('failures').execute() };
      expect(rows).toEqual([{ failures: tries }]);
    }, PATIENCE);
    cloud.clock.advance(HOUR_MS);
  }
  await vi.waitFor(async () => expect((await as(owner.token).show(id)).state).toBe('active'), PATIENCE);
  answerWith({});
  await raise(2);
  await until('/strict', [1, 1, 1, 1, 2]);
});

it('one refusal after an outage of the receiver leaves no event out', async () => {
  const { owner } = scene;
  await as(owner.token).make('/back');
  await raise(1);
  await until('/back', [1]);
  answerWith({ '/back': 503 });
  await raise(2);
  for (const tries of [1, 2, 3, 4]) {
    await vi.waitFor(async () => {
      expect(await cloud.db.selectFrom('webhooks').select('failures').execute()).toEqual([
        { failures: tries },
      ]);
    }, PATIENCE);
    if (tries === 3) answerWith({ '/back': 422 });
    if (tries === 4) answerWith({});
    cloud.clock.advance(HOUR_MS);
  }
  await until('/back', [1, 2, 2, 2, 2, 2]);
});

it('a receiver that refuses for three days, or wants no more, ends its webhook with a mail', async () => {
  const { owner } = scene;
  answerWith({ '/gone': 410, '/dead': 500 });
  const gone = await as(owner.token).make('/gone', { name: 'Gone' });
  await raise(1);
  await vi.waitFor(async () => expect((await as(owner.token).show(gone.id)).state).toBe('gone'), PATIENCE);
  const dead = await as(owner.token).make('/dead', { name: 'Dead' });
  await raise(2);
  await untilFailing(owner.token, dead.id);
  cloud.clock.advance(72 * HOUR_MS);
  await vi.waitFor(async () => expect((await as(owner.token).show(dead.id)).state).toBe('gave_up'), PATIENCE);
  await vi.waitFor(async () => {
    const mails = await cloud.mails(owner.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'The webhook Gone is switched off',
      'The webhook Dead is switched off',
    ]);
  }, PATIENCE);
  answerWith({});
  const body = { enabled: true };
  await cloud.call(`PATCH /api/v1/webhooks/${dead.id}`, { token: owner.token, body });
  await until('/dead', [2, 2, 2]);
});

it('an event that happens while a slow receiver takes those before it arrives after them', async () => {
  const { owner } = scene;
  await as(owner.token).make('/slow');
  let taken = 0;
  const isPlaced = async () => {
    const { rows } = await sql`select from events where (transaction, id) >
      (select transaction, id from event_cursors where name = 'events for webhooks')`.execute(cloud.db);
    return rows.length === 0;
  };
  receiver.answer = async () => {
    taken++;
    // Each answer takes longer than half of the claim of the webhook.
    if (taken <= 2) cloud.clock.advance(40_000);
    if (taken === 2) {
      await raise(3);
      await vi.waitFor(async () => expect(await isPlaced()).toBe(true), PATIENCE);
    }
    return 204;
  };
  await appendEvents(cloud.db, [eventOf(1), eventOf(2)]);
  await until('/slow', [1, 2, 3]);
});

it('both secrets sign for a day after one took the place of the other', async () => {
  const { owner } = scene;
  const { id, secret: former } = await as(owner.token).make('/rotated');
  const { body } = await cloud.call<WebhookWithSecret>(`POST /api/v1/webhooks/${id}/secret`, {
    token: owner.token,
  });
  await raise(1);
  await until('/rotated', [1]);
  cloud.clock.advance(25 * HOUR_MS);
  await raise(2);
  await until('/rotated', [1, 2]);
  const [first, second] = receiver.received as [ReceivedRequest, ReceivedRequest];
  expect(first.headers['webhook-signature']).toBe(
    `${signatureOf(first, body.secret)} ${signatureOf(first, former)}`,
  );
  expect(second.headers['webhook-signature']).toBe(signatureOf(second, body.secret));
});

it('a webhook whose secret cannot be read shows why, fails alone, and sends again once it has a new one', async () => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/unreadable');
  await as(owner.token).make('/readable');
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

it('a webhook that is to have more types gets the events of these at once', async () => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/types', { types: ['site'] });
  await raise(1);
  const isLookedAt = async () =>
    (await cloud.db.selectFrom('webhooks').select('next_at').executeTakeFirstOrThrow()).next_at.getTime() >
    cloud.clock.now() + MINUTE_MS;
  await vi.waitFor(async () => expect(await isLookedAt()).toBe(true), PATIENCE);
  await cloud.call(`PATCH /api/v1/webhooks/${id}`, { token: owner.token, body: { types: [] } });
  await until('/types', [1]);
});

it('events since a time are sent again, with the ids that they had', async () => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/again');
  const since = new Date(cloud.clock.now()).toISOString();
  await raise(1);
  await raise(2);
  await until('/again', [1, 2]);
  const replayed = await cloud.call(`POST /api/v1/webhooks/${id}/replay`, {
    token: owner.token,
    body: { since },
  });
  expect(replayed.status).toBe(200);
  await until('/again', [1, 2, 1, 2]);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids.slice(2)).toEqual(ids.slice(0, 2));
});

it('an account gets what it may read now, and an organization what happens at its sites', async () => {
  const { owner, guest, organization, tokens, stranger } = scene;
  await as(guest.token).make('/guest');
  await as(stranger.token).make('/stranger');
  const manager = tokens["organization's admin"];
  await as(manager).make('/firm', { organization_id: organization, types: ['alert'] });
  await raise(1);
  await until('/guest', [1]);
  await until('/firm', [1]);
  await cloud.call(`DELETE /api/v1/sites/${scene.site}/users/${guest.id}`, { token: owner.token });
  await raise(2);
  await until('/firm', [1, 2]);
  expect(numbersAt('/guest').filter((n) => n === 2)).toEqual([]);
  expect(numbersAt('/stranger')).toEqual([]);
});

it('an account that is limited to an organization has webhooks of its own, about that organization alone', async () => {
  const { owner, organization, site } = scene;
  const { id: elsewhere } = await cloud.make.site({ ownerId: owner.id });
  const limited = await cloud.make.token(owner.id, { organizationId: organization });
  const { id } = await as(limited).make('/limited');
  const { id: unlimitedId } = await as(owner.token).make('/unlimited');
  await raise(1, elsewhere);
  await raise(2, site);
  await until('/unlimited', [1, 2]);
  await until('/limited', [2]);
  const list = async (token: string) =>
    (await cloud.call<Webhook[]>('GET /api/v1/webhooks', { token })).body.map((webhook) => webhook.id);
  expect(await list(limited)).toEqual([id]);
  expect(await list(owner.token)).toEqual([id, unlimitedId]);
  expect(await as(owner.token).show(id)).toMatchObject({
    organization_id: null,
    limited_to_organization_id: organization,
  });
  const hidden = await cloud.call(`GET /api/v1/webhooks/${unlimitedId}`, { token: limited });
  expect(hidden.status).toBe(404);
});

it('an address that is not on the public internet is refused, and so are webhooks of others', async () => {
  const { owner, stranger, organization } = scene;
  const make = (token: string, body: object) => cloud.call('POST /api/v1/webhooks', { token, body });
  for (const url of [
    'https://inside.example.org/hook',
    'http://localhost/hook',
    'https://10.0.0.1/',
    'no address',
    'https://nowhere.example.org/',
  ]) {
    const refused = await make(owner.token, { name: 'Inside', url });
    expect(refused.status, url).toBe(422);
    expect(JSON.stringify(refused.body)).toContain('cannot be used');
    expect(JSON.stringify(refused.body)).not.toContain('10.0.0.1');
  }
  const url = 'https://localhost/';
  expect((await make(stranger.token, { name: 'Firm', url, organization_id: organization })).status).toBe(403);
  const { id } = await as(owner.token).make('/own');
  expect((await cloud.call(`GET /api/v1/webhooks/${id}`, { token: stranger.token })).status).toBe(404);
  expect((await cloud.call(`DELETE /api/v1/webhooks/${id}`, { token: stranger.token })).status).toBe(404);
});

it('a test message is sent at once, and its answer is shown', async () => {
  const { owner } = scene;
  const { id, secret } = await as(owner.token).make('/tried');
  const { body } = await cloud.call<WebhookDelivery>(`POST /api/v1/webhooks/${id}/test`, {
    token: owner.token,
  });
  expect(body).toMatchObject({ event_type: 'test', status: 204, outcome: 'delivered', error: null });
  const [message] = receiver.received as [ReceivedRequest];
  expect(JSON.parse(`${message.body}`)).toMatchObject({ type: 'test', data: {} });
  expect(message.headers['webhook-signature']).toBe(signatureOf(message, secret));
});

it('a message that fails has the kind of its failure beside the words', async () => {
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
