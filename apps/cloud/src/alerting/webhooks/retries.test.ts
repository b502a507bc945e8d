import type { Webhook, WebhookDelivery } from '@heliograph/contracts';
import { expect } from 'vitest';
import { eventually, it } from '../../../test/alerting/webhook-test.ts';
import { appendEvents } from '../../db/events.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

it('a receiver that fails gets all events later, in their order, and holds up no other', async ({
  cloud,
  scene,
  webhooks: { answerWith, as, raise, numbersAt, until, untilFailing },
}) => {
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
  await eventually(async () => expect((await as(owner.token).show(down.id)).state).toBe('active'));
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

it('an event is left out at its fourth refusal where the status concerns it alone, and those after it arrive', async ({
  cloud,
  scene,
  webhooks: { answerWith, put, raise, until, untilFailures },
}) => {
  const [ofEvent, ofReceiver] = [
    [400, 409, 413, 415, 422],
    [401, 403, 404, 408, 429, 500, 503],
  ];
  const statuses = [...ofEvent, ...ofReceiver];
  const ids = await Promise.all(statuses.map((status) => put({ userId: scene.owner.id }, `/${status}`)));
  const untilAll = async (failuresOf: (status: number) => number): Promise<void> => {
    for (const [index, id] of ids.entries()) await untilFailures(id, failuresOf(statuses[index] ?? 0));
  };
  answerWith(Object.fromEntries(statuses.map((status) => [`/${status}`, status])));
  await raise(1);
  for (const tries of [1, 2, 3]) {
    await untilAll(() => tries);
    cloud.clock.advance(HOUR_MS);
  }
  await untilAll((status) => (ofEvent.includes(status) ? 0 : 4));
  answerWith({});
  cloud.clock.advance(HOUR_MS);
  await raise(2);
  for (const status of ofEvent) await until(`/${status}`, [1, 1, 1, 1, 2]);
  for (const status of ofReceiver) await until(`/${status}`, [1, 1, 1, 1, 1, 2]);
  await untilAll(() => 0);
  const logged = await cloud.db
    .selectFrom('webhook_deliveries')
    .select(['webhook_id', 'outcome'])
    .where('webhook_id', 'in', ids)
    .orderBy('id')
    .execute();
  const outcomes = ids.map((id) => logged.flatMap((one) => (one.webhook_id === id ? [one.outcome] : [])));
  expect(outcomes).toEqual(
    statuses.map((status) => [
      ...['retried', 'retried', 'retried'],
      ...(ofEvent.includes(status) ? ['skipped'] : ['retried', 'delivered']),
      'delivered',
    ]),
  );
});

it('an event that was left out is tried as often again when it is sent again', async ({
  cloud,
  scene,
  webhooks: { answerWith, as, raise, until, untilIdle, untilFailures },
}) => {
  const { owner } = scene;
  // After the events of other tests.
  cloud.clock.advance(1);
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

it('outages of the receiver before and after its refusals of an event leave no event out', async ({
  cloud,
  scene,
  webhooks: { answerWith, as, raise, until, untilFailures },
}) => {
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

it('each event is tried four times at each receiver, whatever other events and receivers were refused', async ({
  cloud,
  receiver,
  scene,
  webhooks: { as, raise, numbersAt, untilFailures },
}) => {
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

it('refusals of an event that is no longer wanted count for no other', async ({
  cloud,
  scene,
  webhooks: { eventOf, answerWith, as, raise, numbersAt, untilFailures },
}) => {
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

it('the waits after failures in a row grow to four hours, and one success makes the next one short again', async ({
  cloud,
  scene,
  webhooks: { answerWith, as, raise, rowOf, untilIdle, untilFailures },
}) => {
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

it('a receiver that refuses for three days, or wants no more, ends its webhook with a mail', async ({
  cloud,
  scene,
  webhooks: { answerWith, as, raise, until, untilFailures, untilFailing },
}) => {
  const { owner } = scene;
  answerWith({ '/gone': 410, '/dead': 500 });
  const gone = await as(owner.token).make('/gone', { name: 'Gone' });
  await raise(1);
  await eventually(async () => expect((await as(owner.token).show(gone.id)).state).toBe('gone'));
  const dead = await as(owner.token).make('/dead', { name: 'Dead' });
  await raise(2);
  await untilFailing(owner.token, dead.id);
  cloud.clock.advance(72 * HOUR_MS - 1);
  await untilFailures(dead.id, 2);
  expect((await as(owner.token).show(dead.id)).state).toBe('failing');
  cloud.clock.advance(MINUTE_MS);
  await eventually(async () => expect((await as(owner.token).show(dead.id)).state).toBe('gave_up'));
  await eventually(async () => {
    const mails = await cloud.mails(owner.email);
    const ends = mails.map(({ subject }) => subject).filter((subject) => !subject.startsWith('New'));
    expect(ends).toEqual(['The webhook Gone is switched off', 'The webhook Dead is switched off']);
  });
  answerWith({});
  const body = { enabled: true };
  await cloud.call(`PATCH /api/v1/webhooks/${dead.id}`, { token: owner.token, body });
  await until('/dead', [2, 2, 2, 2]);
});

it('the start and the end of a webhook of an organization are mails to its owners and admins alone', async ({
  cloud,
  scene,
  webhooks: { answerWith, as, raise },
}) => {
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

it('a change of what makes it fail lets a webhook be tried immediately, and no other change does', async ({
  cloud,
  scene,
  webhooks: { as, rowOf, untilIdle },
}) => {
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
