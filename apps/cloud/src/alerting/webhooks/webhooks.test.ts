import { createHmac, randomBytes } from 'node:crypto';
import type { Webhook, WebhookDelivery, WebhookWithSecret } from '@heliograph/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import {
  type HttpsReceiver,
  type ReceivedRequest,
  startHttpsReceiver,
} from '../../../test/https-receiver.ts';
import { type Scene, setScene } from '../../../test/sites/members/scene.ts';
import { CLOUD_SECRET, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { GuardedFetch } from '../../common/outbound/guarded-fetch.ts';
import { appendEvents } from '../../db/events.ts';
import type { FeedEvent } from '../events/service.ts';
import { Delivery, isSuccess } from './delivery.ts';
import { WebhookSecrets } from './secrets.ts';
import { wakeWebhooks } from './works.ts';

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
  receiver.answer = (path) => answers[path] ?? 200;
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

const rowOf = (id: number) =>
  cloud.db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

/** All webhooks have sent what there was, so that only new events wake them. */
const untilIdle = () =>
  vi.waitFor(async () => {
    const soon = new Date(cloud.clock.now() + MINUTE_MS);
    const busy = await cloud.db
      .selectFrom('webhooks')
      .select('id')
      .where('enabled', '=', true)
      .where((eb) => eb.or([eb('next_at', '<=', soon), eb('claimed_until', 'is not', null)]))
      .execute();
    expect(busy).toEqual([]);
  }, PATIENCE);

const untilFailures = (id: number, failures: number) =>
  vi.waitFor(async () => {
    const row = await rowOf(id);
    expect([row.failures, row.claimed_until]).toEqual([failures, null]);
  }, PATIENCE);

/** The receiver refused: the next try is so far away. */
const untilFailing = (token: string, id: number) =>
  vi.waitFor(async () => expect((await as(token).show(id)).state).toBe('failing'), PATIENCE);

function signatureOf({ headers, body }: ReceivedRequest, secret: string): string {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
}

it('events arrive in their order over one connection, as the feed has them, signed with the secret that was shown', async () => {
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
    [200, 'delivered'],
    [200, 'delivered'],
    [200, 'delivered'],
    [503, 'retried'],
  ]);
});

it('an event that the receiver refuses again and again is left out, and those after it arrive', async () => {
  const { owner } = scene;
  answerWith({ '/strict': 422 });
  const { id } = await as(owner.token).make('/strict');
  await raise(1);
  for (const tries of [1, 2, 3]) {
    await untilFailures(id, tries);
    cloud.clock.advance(HOUR_MS);
  }
  await vi.waitFor(async () => expect((await as(owner.token).show(id)).state).toBe('active'), PATIENCE);
  answerWith({});
  await raise(2);
  await until('/strict', [1, 1, 1, 1, 2]);
});

it('an event that was left out is tried as often again when it is sent again', async () => {
  const { owner } = scene;
  const since = new Date(cloud.clock.now()).toISOString();
  const refused = async (webhook: number, tries: number): Promise<void> => {
    for (let done = 1; done <= tries; done++) {
      await untilFailures(webhook, done);
      cloud.clock.advance(HOUR_MS);
    }
  };
  answerWith({ '/mended': 422 });
  const { id } = await as(owner.token).make('/mended');
  await raise(1);
  await refused(id, 3);
  await until('/mended', [1, 1, 1, 1]);
  await untilFailures(id, 0);
  // While the clock stands still, a claim from before equals one after it.
  await untilIdle();
  const { status } = await cloud.call(`POST /api/v1/webhooks/${id}/replay`, {
    token: owner.token,
    body: { since },
  });
  expect(status).toBe(200);
  await refused(id, 2);
  answerWith({ '/mended': 200 });
  await until('/mended', [1, 1, 1, 1, 1, 1, 1]);
  answerWith({ '/mended': 422 });
  await raise(2);
  await refused(id, 3);
  await until('/mended', [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2]);
});

it('outages of the receiver before and after its refusals of an event leave no event out', async () => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/back');
  await raise(1);
  await until('/back', [1]);
  const statuses = [503, 422, 422, 422, 503, 200];
  answerWith({ '/back': 503 });
  await raise(2);
  for (const [index, status] of statuses.slice(1).entries()) {
    await untilFailures(id, index + 1);
    answerWith({ '/back': status });
    cloud.clock.advance(HOUR_MS);
  }
  await until('/back', [1, ...statuses.map(() => 2)]);
});

it('each event is tried four times at each receiver, whatever other events and receivers were refused', async () => {
  const { owner } = scene;
  receiver.answer = (path) => {
    const numbers = numbersAt(path);
    return numbers.filter((n) => n === numbers.at(-1)).length <= 3 ? 400 : 204;
  };
  const ids = [];
  for (const path of ['/first', '/second']) ids.push((await as(owner.token).make(path)).id);
  for (const event of [1, 2]) {
    await raise(event);
    for (const tries of [1, 2, 3]) {
      for (const id of ids) await untilFailures(id, tries);
      cloud.clock.advance(HOUR_MS);
    }
    for (const id of ids) await untilFailures(id, 0);
  }
  for (const path of ['/first', '/second']) expect(numbersAt(path)).toEqual([1, 1, 1, 1, 2, 2, 2, 2]);
});

it('refusals of an event that is no longer wanted count for no other', async () => {
  const { owner } = scene;
  answerWith({ '/narrowed': 422 });
  const { id } = await as(owner.token).make('/narrowed');
  await raise(1);
  const refused = async (...failures: readonly number[]): Promise<void> => {
    for (const count of failures) {
      await untilFailures(id, count);
      if (count === 3) {
        const body = { types: ['site'] };
        await cloud.call(`PATCH /api/v1/webhooks/${id}`, { token: owner.token, body });
        await appendEvents(cloud.db, [{ ...eventOf(2), type: 'site.offline' }]);
      }
      cloud.clock.advance(HOUR_MS);
    }
  };
  await refused(1, 2, 3, 4, 5, 6);
  await untilFailures(id, 0);
  expect(numbersAt('/narrowed')).toEqual([1, 1, 1, 2, 2, 2, 2]);
});

it('the waits after failures in a row grow to four hours, and one success makes the next one short again', async () => {
  const { owner } = scene;
  const [second, minute] = [1_000, MINUTE_MS];
  const waits = [5 * second, 30 * second, 2 * minute, 10 * minute, 30 * minute];
  const longWaits = [HOUR_MS, 2 * HOUR_MS, 4 * HOUR_MS, 4 * HOUR_MS];
  const { id, last_delivered_at } = await as(owner.token).make('/flapping', { name: ' Flapping ' });
  expect(await as(owner.token).show(id)).toMatchObject({ name: 'Flapping', last_delivered_at });
  expect(last_delivered_at).toBeNull();
  let startMs = 0;
  const failWith = async (expected: readonly number[]) => {
    answerWith({ '/flapping': 500 });
    await raise(1);
    for (const [index, waitMs] of expected.entries()) {
      await untilFailures(id, index + 1);
      const { next_at } = await rowOf(id);
      expect(next_at.getTime() - cloud.clock.now()).toBe(waitMs);
      if (index === 0) startMs = cloud.clock.now();
      expect(await as(owner.token).show(id)).toMatchObject({
        state: 'failing',
        failing_since: new Date(startMs).toISOString(),
        retry_at: next_at.toISOString(),
      });
      if (index === expected.length - 1) answerWith({});
      cloud.clock.advance(waitMs);
    }
    await untilFailures(id, 0);
    const last_delivered_at = new Date(cloud.clock.now()).toISOString();
    const shown = { state: 'active', failing_since: null, retry_at: null, last_delivered_at };
    expect(await as(owner.token).show(id)).toMatchObject(shown);
    await untilIdle();
  };
  await failWith([...waits, ...longWaits]);
  await failWith(waits.slice(0, 2));
});

it('a webhook is sent where it is due, on, and claimed by no other process', async () => {
  const { owner } = scene;
  const idOf: Record<string, number> = {};
  const paths = ['/due', '/off', '/claimed', '/claim-ended', '/waiting'];
  for (const path of paths) idOf[path] = (await as(owner.token).make(path)).id;
  await untilIdle();
  const now = new Date(cloud.clock.now());
  const [before, after] = [new Date(now.getTime() - 1), new Date(now.getTime() + 1)];
  const set = (path: string, values: object) =>
    cloud.db
      .updateTable('webhooks')
      .set(values)
      .where('id', '=', idOf[path] ?? 0)
      .execute();
  await set('/off', { enabled: false, next_at: now });
  await set('/claimed', { claimed_until: now, next_at: now });
  await set('/claim-ended', { claimed_until: before });
  await set('/waiting', { failing_since: before, failures: 1, next_at: after });
  await raise(1);
  await until('/claim-ended', [1]);
  await raise(2);
  await until('/due', [1, 2]);
  for (const path of ['/off', '/claimed', '/waiting']) expect(numbersAt(path), path).toEqual([]);
  cloud.clock.advance(1);
  await until('/claimed', [1, 2]);
  await until('/waiting', [1, 2]);
  expect(numbersAt('/off')).toEqual([]);
  await cloud.call(`PATCH /api/v1/webhooks/${idOf['/off']}`, { token: owner.token, body: { enabled: true } });
  await until('/off', [1, 2]);
});

it('receivers that fail and are slow take sixteen places, eight of one account, and leave the others to those that work', async () => {
  const { owner, guest, member, admin } = scene;
  const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>();
  const made = [owner, guest, member].flatMap(({ token }, index) => Array(9 - index).fill(token));
  for (const token of made) await as(token).make('/slow');
  await as(admin.token).make('/works');
  await untilIdle();
  receiver.answer = async (path) => {
    if (path === '/slow') await mayAnswer;
    return 204;
  };
  const failUntil = (next_at: Date, ...users: readonly number[]) =>
    cloud.db
      .updateTable('webhooks')
      .set({ failing_since: new Date(cloud.clock.now() - 1), failures: 1, next_at })
      .where('user_id', 'in', users)
      .execute();
  const slow = () => numbersAt('/slow');
  const now = new Date(cloud.clock.now());
  await failUntil(new Date(now.getTime() + HOUR_MS), guest.id, member.id);
  await failUntil(now, owner.id);
  await raise(1);
  await vi.waitFor(() => expect(slow()).toHaveLength(8), PATIENCE);
  await until('/works', [1]);
  expect(slow()).toHaveLength(8);
  await failUntil(now, guest.id, member.id);
  await vi.waitFor(() => expect(slow()).toHaveLength(16), PATIENCE);
  await raise(2);
  await until('/works', [1, 2]);
  expect(slow()).toHaveLength(16);
  answer();
  await vi.waitFor(() => expect(slow()).toHaveLength(2 * made.length), PATIENCE);
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
  cloud.clock.advance(72 * HOUR_MS - 1);
  await untilFailures(dead.id, 2);
  expect((await as(owner.token).show(dead.id)).state).toBe('failing');
  cloud.clock.advance(MINUTE_MS);
  await vi.waitFor(async () => expect((await as(owner.token).show(dead.id)).state).toBe('gave_up'), PATIENCE);
  await vi.waitFor(async () => {
    const mails = await cloud.mails(owner.email);
    const ends = mails.map(({ subject }) => subject).filter((subject) => !subject.startsWith('New'));
    expect(ends).toEqual(['The webhook Gone is switched off', 'The webhook Dead is switched off']);
  }, PATIENCE);
  answerWith({});
  const body = { enabled: true };
  await cloud.call(`PATCH /api/v1/webhooks/${dead.id}`, { token: owner.token, body });
  await until('/dead', [2, 2, 2, 2]);
});

it('the start and the end of a webhook of an organization are mails to its owners and admins alone', async () => {
  const { organization } = scene;
  answerWith({ '/gone': 410 });
  const [boss, manager, clerk, rival] = [
    await cloud.make.employee(organization, 'owner'),
    await cloud.make.employee(organization, 'admin'),
    await cloud.make.employee(organization, 'member'),
    await cloud.make.employee(await cloud.make.organization(), 'admin'),
  ];
  await as(manager.token).make('/gone', { organization_id: organization });
  await raise(1);
  for (const { email } of [boss, manager])
    for (const subject of ['New webhook Mine', 'The webhook Mine is switched off'])
      expect((await cloud.mail(email)).subject).toBe(subject);
  for (const { email } of [clerk, rival]) expect(await cloud.mails(email)).toEqual([]);
});

it('an event that happens while a slow receiver takes those before it arrives after them', async () => {
  const { owner } = scene;
  await as(owner.token).make('/slow');
  // Events that wake it before it is idle would make it due again by themselves.
  await untilIdle();
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
    return 200;
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

it('a webhook whose secret cannot be read shows why, fails alone, and sends again once it has a new one', async () => {
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

it('a webhook that is to have more types gets the events of these at once', async () => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/types', { types: ['site'] });
  await raise(1);
  await untilIdle();
  await cloud.call(`PATCH /api/v1/webhooks/${id}`, { token: owner.token, body: { types: [] } });
  await until('/types', [1]);
});

it('events since a time are sent again, with the ids that they had', async () => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/again');
  await raise(1);
  cloud.clock.advance(1);
  const since = new Date(cloud.clock.now()).toISOString();
  await raise(2);
  await raise(3);
  await until('/again', [1, 2, 3]);
  const replayed = await cloud.call(`POST /api/v1/webhooks/${id}/replay`, {
    token: owner.token,
    body: { since },
  });
  expect(replayed.status).toBe(200);
  await until('/again', [1, 2, 3, 2, 3]);
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids.slice(3)).toEqual(ids.slice(1, 3));
});

it('an account gets what it may read now, and an organization what happens at its sites', async () => {
  const { owner, guest, organization, tokens, stranger, operator } = scene;
  await as(guest.token).make('/guest');
  await as(operator.token).make('/operator');
  const onceOperator = await cloud.make.user({ staff: true });
  await as(onceOperator.token).make('/once-operator');
  await cloud.db.updateTable('users').set({ staff: false }).where('id', '=', onceOperator.id).execute();
  await as(stranger.token).make('/stranger');
  const manager = tokens["organization's admin"];
  await as(manager).make('/firm', { organization_id: organization, types: ['alert'] });
  await raise(1);
  await until('/guest', [1]);
  await until('/firm', [1]);
  await until('/operator', [1]);
  await cloud.call(`DELETE /api/v1/sites/${scene.site}/users/${guest.id}`, { token: owner.token });
  await raise(2);
  await until('/firm', [1, 2]);
  expect(numbersAt('/guest').filter((n) => n === 2)).toEqual([]);
  for (const path of ['/stranger', '/once-operator']) expect(numbersAt(path)).toEqual([]);
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

it('a webhook is there, too, while the database does not answer about its organization', async () => {
  const { organization, tokens } = scene;
  const token = tokens["organization's admin"];
  const { id } = await as(token).make('/still-there', { organization_id: organization });
  const rename = (from: string, to: string) =>
    sql`alter table organization_members rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(cloud.db);
  await rename('role', 'away');
  try {
    expect((await cloud.call(`GET /api/v1/webhooks/${id}`, { token })).status).toBe(500);
  } finally {
    await rename('away', 'role');
  }
  expect((await cloud.call(`GET /api/v1/webhooks/${id}`, { token })).status).toBe(200);
});

it('a test message is sent at once, and its answer is shown', async () => {
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

it('an error of a connection has its kind, and no address', async () => {
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

it('a list has the webhooks of the caller or of the organization, and a change of one is recorded and changes no other', async () => {
  const { owner, admin, organization, tokens } = scene;
  const elsewhere = await cloud.make.organization();
  const since = new Date(cloud.clock.now()).toISOString();
  const own = [
    await cloud.make.webhook({ userId: owner.id }),
    await cloud.make.webhook({ userId: owner.id }),
  ];
  const other = await cloud.make.webhook({ userId: admin.id });
  const ofOrganization = await cloud.make.webhook({ organizationId: organization });
  await cloud.make.webhook({ organizationId: elsewhere });
  const manager = tokens["organization's admin"];
  const list = async (token: string, query = '') =>
    (await cloud.call<Webhook[]>(`GET /api/v1/webhooks${query}`, { token })).body.map(({ id }) => id);
  expect(await list(owner.token)).toEqual(own);
  expect(await list(admin.token)).toEqual([other]);
  expect(await list(manager)).toEqual([]);
  expect(await list(manager, `?organization_id=${organization}`)).toEqual([ofOrganization]);

  const all = () => cloud.db.selectFrom('webhooks').selectAll().orderBy('id').execute();
  const requests: readonly (readonly [string, object, string])[] = [
    ['PATCH', { name: 'Other' }, 'webhook.changed'],
    ['POST secret', {}, 'webhook.secret_replaced'],
    ['POST replay', { since }, 'webhook.replayed'],
    ['DELETE', {}, 'webhook.deleted'],
  ];
  for (const [id, token, of] of [
    [own[0] ?? 0, owner.token, { user_id: owner.id, organization_id: null }],
    [ofOrganization, manager, { user_id: null, organization_id: organization }],
  ] as const)
    for (const [request, body, action] of requests) {
      const others = (await all()).filter((row) => row.id !== id);
      const [method, path] = request.split(' ');
      const route = `${method} /api/v1/webhooks/${id}${path === undefined ? '' : `/${path}`}`;
      expect((await cloud.call(route, { token, ...(method !== 'DELETE' && { body }) })).status).toBeLessThan(
        300,
      );
      expect((await all()).filter((row) => row.id !== id)).toEqual(others);
      const recorded = await cloud.db
        .selectFrom('audit_events')
        .select(['action', 'user_id', 'organization_id', 'details'])
        .orderBy('id', 'desc')
        .limit(1)
        .execute();
      const name = 'Other';
      expect(recorded).toEqual([{ action, ...of, details: { name, id } }]);
    }
  expect((await all()).map(({ id }) => id)).not.toContain(own[0]);
});

it('twenty test messages an hour are sent to each webhook', async () => {
  const { owner } = scene;
  const [id, otherId] = [
    await cloud.make.webhook({ userId: owner.id }),
    await cloud.make.webhook({ userId: owner.id }),
  ];
  const statusOf = async (of: number) =>
    (await cloud.call(`POST /api/v1/webhooks/${of}/test`, { token: owner.token })).status;
  for (let n = 1; n <= 20; n++) expect(await statusOf(id)).toBe(200);
  expect([await statusOf(id), await statusOf(otherId)]).toEqual([429, 200]);
});

it('more events than are read in one go arrive in their order, and progress is stored each second', async () => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/many');
  await untilIdle();
  const logged: unknown[] = [];
  receiver.answer = async () => {
    const { length } = numbersAt('/many');
    if (length <= 4) logged.push((await rowOf(id)).event_id);
    cloud.clock.advance(length === 1 ? 999 : length === 2 ? 1 : 0);
    return 200;
  };
  const numbers = Array.from({ length: 51 }, (_, index) => index + 1);
  const start = (await rowOf(id)).event_id;
  await appendEvents(
    cloud.db,
    numbers.map((n) => eventOf(n)),
  );
  await until('/many', numbers);
  await untilIdle();
  const events = await cloud.db.selectFrom('events').select('id').orderBy('id').execute();
  const second = events.at(-50)?.id;
  expect(logged).toEqual([start, start, second, second]);
  expect((await rowOf(id)).event_id).toBe(events.at(-1)?.id);
});

it('a webhook that is switched off while a message is under way stays as it was, and sends no other', async () => {
  const { owner } = scene;
  const { id } = await as(owner.token).make('/interrupted');
  await untilIdle();
  const change = (body: object) => cloud.call(`PATCH /api/v1/webhooks/${id}`, { token: owner.token, body });
  receiver.answer = async () => {
    if (receiver.received.length === 1) await change({ enabled: false });
    cloud.clock.advance(1_000);
    return 200;
  };
  await appendEvents(cloud.db, [eventOf(1), eventOf(2)]);
  await until('/interrupted', [1]);
  await vi.waitFor(async () => expect((await as(owner.token).show(id)).state).toBe('off'), PATIENCE);
  await change({ enabled: true });
  await until('/interrupted', [1, 1, 2]);
});

it('a secret that was replaced gives way to the new one in both secrets of each webhook, once', async () => {
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

it('the log has the newest 200 messages of each webhook', async () => {
  const { owner } = scene;
  const [id, otherId] = [
    (await as(owner.token).make('/logged')).id,
    (await as(owner.token).make('/other')).id,
  ];
  await sql`insert into webhook_deliveries (webhook_id, at, event_id, event_type, outcome, duration_ms)
    select id, now(), '0-0-' || n, 'alert.raised', 'delivered', 1
    from webhooks cross join generate_series(1, 200) as n where id in (${id}, ${otherId}) order by n`.execute(
    cloud.db,
  );
  await cloud.call(`PATCH /api/v1/webhooks/${otherId}`, { token: owner.token, body: { enabled: false } });
  await raise(1);
  await untilIdle();
  await until('/logged', [1]);
  const oldest = async (webhookId: number) => {
    const route = `GET /api/v1/webhooks/${webhookId}/deliveries?offset=199`;
    return (await cloud.call<WebhookDelivery[]>(route, { token: owner.token })).body.map(
      (one) => one.event_id,
    );
  };
  await vi.waitFor(async () => expect(await oldest(id)).toEqual(['0-0-2']), PATIENCE);
  expect(await oldest(otherId)).toEqual(['0-0-1']);
});

it('an account and an organization have ten webhooks each', async () => {
  const { owner, organization, tokens } = scene;
  for (let n = 1; n <= 10; n++) await cloud.make.webhook({ userId: owner.id });
  const statusOf = async (token: string, body: object = {}) => {
    const made = { name: 'One more', url: 'https://localhost/more', ...body };
    return (await cloud.call('POST /api/v1/webhooks', { token, body: made })).status;
  };
  const ofOrganization = { organization_id: organization };
  expect(await statusOf(owner.token)).toBe(422);
  expect(await statusOf(scene.admin.token)).toBe(201);
  expect(await statusOf(tokens["organization's admin"], ofOrganization)).toBe(201);
  for (let n = 2; n <= 10; n++) await cloud.make.webhook({ organizationId: organization });
  expect(await statusOf(tokens["organization's admin"], ofOrganization)).toBe(422);
});

it.each(['users', 'organizations'] as const)(
  'webhooks that are made concurrently are counted one after another: of %s',
  async (owners) => {
    const { owner, organization, tokens } = scene;
    const isOwn = owners === 'users';
    const of = isOwn ? { userId: owner.id } : { organizationId: organization };
    for (let n = 1; n <= 9; n++) await cloud.make.webhook(of);
    let answer: number | undefined;
    const made = await cloud.db.transaction().execute(async (tx) => {
      const ownerId = isOwn ? owner.id : organization;
      await tx.selectFrom(owners).select('id').where('id', '=', ownerId).forNoKeyUpdate().execute();
      const call = cloud.call('POST /api/v1/webhooks', {
        token: isOwn ? owner.token : tokens["organization's admin"],
        body: {
          ...{ name: 'One more', url: 'https://localhost/more' },
          ...(!isOwn && { organization_id: organization }),
        },
      });
      const ended = call.then(({ status }) => {
        answer = status;
      });
      await vi.waitFor(async () => {
        const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(cloud.db);
        expect(rows.length > 0 || answer !== undefined).toBe(true);
      }, PATIENCE);
      await cloud.make.webhook(of);
      return { ended };
    });
    await made.ended;
    expect(answer).toBe(422);
  },
);

it('a change of what makes it fail lets a webhook be tried immediately, and no other change does', async () => {
  const { owner } = scene;
  const since = new Date(cloud.clock.now()).toISOString();
  const failing = {
    failing_since: new Date(since),
    failures: 3,
    next_at: new Date(cloud.clock.now() + HOUR_MS),
  };
  const gone = { enabled: false, ended: 'gone' as const };
  // A page that sends all fields sends the state that it shows.
  const changes: readonly [string, object, Partial<typeof failing & typeof gone>, Partial<Webhook>][] = [
    ['PATCH', { name: ' Other ' }, failing, { state: 'failing', name: 'Other' }],
    ['PATCH', { types: ['alert'] }, failing, { state: 'failing', types: ['alert'] }],
    ['PATCH', { enabled: true }, failing, { state: 'failing' }],
    ['PATCH', { url: 'https://localhost/other' }, failing, { state: 'active', failing_since: null }],
    ['PATCH', { enabled: false }, failing, { state: 'off' }],
    ['PATCH', { enabled: false }, gone, { state: 'off' }],
    ['PATCH', { enabled: true }, { ...failing, ...gone }, { state: 'active', failing_since: null }],
    ['PATCH', { name: 'Other' }, gone, { state: 'gone' }],
    ['POST secret', {}, failing, { state: 'active', failing_since: null }],
    ['POST secret', {}, gone, { state: 'gone' }],
    ['POST replay', { since }, failing, { state: 'active', failing_since: null }],
    ['POST replay', { since }, gone, { state: 'gone' }],
  ];
  const { id } = await as(owner.token).make('/changed');
  for (const [request, body, before, expected] of changes) {
    await untilIdle();
    await cloud.db
      .updateTable('webhooks')
      .set({ enabled: true, ended: null, failing_since: null, failures: 0, ...before })
      .where('id', '=', id)
      .execute();
    const [method, path] = request.split(' ');
    const route = `${method} /api/v1/webhooks/${id}${path === undefined ? '' : `/${path}`}`;
    const answer = await cloud.call<Webhook>(route, { token: owner.token, body });
    const { next_at } = await rowOf(id);
    expect(answer, `${request} ${JSON.stringify({ body, before })}`).toMatchObject({
      status: 200,
      body: expected,
    });
    if (expected.state === 'failing') expect(next_at).toEqual(failing.next_at);
  }
  const replay = async (sinceMs: number) => {
    const body = { since: new Date(cloud.clock.now() + sinceMs).toISOString() };
    return (await cloud.call(`POST /api/v1/webhooks/${id}/replay`, { token: owner.token, body })).status;
  };
  const oldest = -30 * 24 * HOUR_MS;
  expect([await replay(oldest - 1), await replay(oldest), await replay(HOUR_MS)]).toEqual([422, 200, 200]);
  expect((await rowOf(id)).position_at.getTime()).toBe(cloud.clock.now());
});

it('an event wakes the webhooks of those who may read it, unless they are off, wait for a retry, or are due', async () => {
  const { site, organization, owner, admin, member, stranger, operator } = scene;
  const partner = await cloud.make.organization();
  const elsewhere = await cloud.make.organization();
  await cloud.make.share(partner, site);
  const other = await cloud.make.site({ organizationId: elsewhere });
  await cloud.make.share(elsewhere, other.id);
  const accounts: Readonly<Record<string, number>> = {
    ...{ owner: owner.id, admin: admin.id, member: member.id, stranger: stranger.id, operator: operator.id },
    employee: (await cloud.make.employee(organization)).id,
    'employee of a partner': (await cloud.make.employee(partner)).id,
    'employee of another organization': (await cloud.make.employee(elsewhere, 'owner')).id,
    'owner of another site': (await cloud.make.user()).id,
    'member of another site': (await cloud.make.user()).id,
  };
  await cloud.db
    .updateTable('sites')
    .set({ owner_id: accounts['owner of another site'] ?? 0 })
    .where('id', '=', other.id)
    .execute();
  await cloud.make.member(other.id, accounts['member of another site'] ?? 0, 'admin');
  const idOf: Record<string, number> = {};
  for (const [name, userId] of Object.entries(accounts)) idOf[name] = await cloud.make.webhook({ userId });
  for (const [name, organizationId] of Object.entries({ organization, partner, elsewhere }))
    idOf[`the organization ${name}`] = await cloud.make.webhook({ organizationId });
  for (const name of ['off', 'failing', 'due']) idOf[name] = await cloud.make.webhook({ userId: owner.id });
  const now = new Date(cloud.clock.now());
  const later = new Date(now.getTime() + HOUR_MS);
  const due = new Date(now.getTime() - 1);
  const wokenBy = async (event: Partial<FeedEvent>): Promise<string[]> => {
    const none = { siteId: null, organizationId: null, userId: null };
    const woken: string[] = [];
    const rolledBack = new Error('rolled back');
    // Webhooks that are due within a transaction alone are sent by no process.
    const run = cloud.db.transaction().execute(async (tx) => {
      const set = (name: string | undefined, values: object) =>
        tx
          .updateTable('webhooks')
          .set(values)
          .where('id', 'in', name === undefined ? Object.values(idOf) : [idOf[name] ?? 0])
          .execute();
      await set(undefined, { enabled: true, next_at: later });
      await set('off', { enabled: false });
      await set('failing', { failing_since: due });
      await set('due', { next_at: due });
      const whole = { transaction: '1', id: '1', at: now, type: 'alert.raised', data: {}, ...none, ...event };
      await wakeWebhooks(tx, [whole], now);
      const rows = await tx.selectFrom('webhooks').select('id').where('next_at', '=', now).execute();
      woken.push(...Object.keys(idOf).filter((name) => rows.some(({ id }) => id === idOf[name])));
      throw rolledBack;
    });
    await run.catch((error: unknown) => {
      if (error !== rolledBack) throw error;
    });
    return woken;
  };
  const seers = ['owner', 'admin', 'member', 'operator', 'employee', 'employee of a partner'];
  expect(await wokenBy({ siteId: site, organizationId: organization })).toEqual([
    ...seers,
    'the organization organization',
  ]);
  expect(await wokenBy({ siteId: site })).toEqual(seers);
  expect(await wokenBy({ organizationId: partner })).toEqual(['operator', 'the organization partner']);
  expect(await wokenBy({ userId: stranger.id })).toEqual(['stranger', 'operator']);
});

it('the webhooks of an account, and those of an organization, have eight connections, and those of others are sent meanwhile', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  receiver.answer = async (path) => {
    if (path.startsWith('/holds')) await released;
    return 200;
  };
  /** Returns a site of the account and one of the organization. */
  const makeBoth = async (path: string, count: number): Promise<readonly [number, number]> => {
    const [{ id: ownerId, token }, organizationId] = [
      await cloud.make.user(),
      await cloud.make.organization(),
    ];
    const manager = await cloud.make.employee(organizationId, 'admin');
    for (let n = 1; n <= count; n++) {
      await as(token).make(`${path}/account`);
      await as(manager.token).make(`${path}/organization`, { organization_id: organizationId });
    }
    const { id: ofAccount } = await cloud.make.site({ ownerId });
    return [ofAccount, (await cloud.make.site({ organizationId })).id];
  };
  const happensAt = async (siteId: number, n: number) => {
    const { organization_id: organizationId } = await cloud.db
      .selectFrom('sites')
      .select('organization_id')
      .where('id', '=', siteId)
      .executeTakeFirstOrThrow();
    await appendEvents(cloud.db, [{ ...eventOf(n, siteId), organizationId }]);
  };
  const sites = await makeBoth('/holds', 9);
  const otherSites = await makeBoth('/takes', 1);
  const held = (path: string) => numbersAt(`/holds/${path}`).length;
  const counts = () => [held('account'), held('organization')];
  // One after the other: each has its own eight, however many the other has.
  for (const [index, expected] of [
    [8, 0],
    [8, 8],
  ].entries()) {
    await happensAt(sites[index] ?? 0, 1);
    await vi.waitFor(() => expect(counts()).toEqual(expected), PATIENCE);
  }
  for (const siteId of otherSites) await happensAt(siteId, 2);
  await until('/takes/account', [2]);
  await until('/takes/organization', [2]);
  expect(counts()).toEqual([8, 8]);
  release();
  await vi.waitFor(() => expect(counts()).toEqual([9, 9]), PATIENCE);
});

it('a webhook that has more events after two seconds waits for its next turn until all that are due had theirs', async () => {
  const held: (() => void)[] = [];
  receiver.answer = async (path) => {
    if (!path.startsWith('/holds')) return 200;
    const { promise, resolve } = Promise.withResolvers<void>();
    held.push(resolve);
    await promise;
    return 200;
  };
  const hostile = await Promise.all(Array.from({ length: 8 }, () => cloud.make.user()));
  for (const { token } of hostile) for (let n = 1; n <= 8; n++) await as(token).make('/holds');
  const other = await cloud.make.user();
  await as(other.token).make('/takes');
  const sites = await Promise.all(hostile.map(({ id }) => cloud.make.site({ ownerId: id })));
  const { id: otherSite } = await cloud.make.site({ ownerId: other.id });
  await untilIdle();
  await appendEvents(
    cloud.db,
    sites.flatMap(({ id }) => [1, 2, 3].map((n) => eventOf(n, id))),
  );
  await vi.waitFor(() => expect(held).toHaveLength(64), PATIENCE);
  cloud.clock.advance(1);
  await raise(4, otherSite);
  await vi.waitFor(async () => {
    const waking = await cloud.db
      .selectFrom('webhooks')
      .select('next_at')
      .where('user_id', '=', other.id)
      .execute();
    expect(waking.map(({ next_at: at }) => at.getTime() <= cloud.clock.now())).toEqual([true]);
  }, PATIENCE);
  cloud.clock.advance(2_000);
  for (const answer of held) answer();
  await until('/takes', [4]);
  // Not after the second messages of all others.
  expect(receiver.received.findIndex(({ path }) => path === '/takes')).toBeLessThan(128);
  await cloud.db.deleteFrom('webhooks').execute();
  for (const answer of held) answer();
});
