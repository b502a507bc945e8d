import type { AlertSeverity } from '@heliograph/contracts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type HttpsReceiver,
  type ReceivedRequest,
  type ReceiverAnswer,
  startHttpsReceiver,
} from '../../../test/https-receiver.ts';
import { PushSubscriber } from '../../../test/push-subscriber.ts';
import { CLOUD_SECRET, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { appendEvents } from '../../db/events.ts';
import { browserLabel } from './browser-label.ts';
import { ntfyOf, pushOf, telegramOf } from './channels.ts';
import type { ShortMessage } from './messages.ts';
import { NotificationSecrets } from './secrets.ts';
import { generatePushKeys } from './web-push.ts';

const HOUR_MS = 60 * 60_000;

let receiver: HttpsReceiver;
let cloud: TestCloud;
let token: string;
let ownerId: number;
let siteId: number;

beforeAll(async () => {
  receiver = await startHttpsReceiver();
  cloud = await startTestCloud({}, undefined, { internet: receiver.internet, lookIntervalMs: 50 });
});
afterAll(async () => {
  await cloud?.[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});
beforeEach(async () => {
  receiver.reset();
  await cloud.db.deleteFrom('sites').execute();
  ownerId = (await cloud.make.user()).id;
  token = await cloud.make.token(ownerId, { kind: 'session' });
  siteId = (await cloud.make.site({ ownerId, name: 'Barn' })).id;
});

/** The next request gets this answer; those after it are taken. */
const answerOnce = (answer: ReceiverAnswer): void => {
  let isGiven = false;
  receiver.answer = () => {
    if (isGiven) return 201;
    isGiven = true;
    return answer;
  };
};

const change = (body: object) =>
  cloud.call('PATCH /api/v1/user/notification_settings', { token, body: { mail: false, ...body } });

const requestTest = (channel: string) =>
  cloud.call('POST /api/v1/user/notifications/test', { token, body: { channel } });

async function raise(): Promise<number> {
  const alertId = await cloud.make.alert(siteId, {
    ...{ rule: 'fault', kind: 'complaint', severity: 3 },
    ...{ topic: 'inverter_1/fault', detail: 'DC busbar' },
  });
  await report('alert.raised', alertId);
  return alertId;
}

const report = (type: 'alert.raised' | 'alert.cleared', alertId: number) =>
  appendEvents(cloud.db, [
    { type, at: new Date(cloud.clock.now()), siteId, data: { alert_id: alertId, times: 1 } },
  ]);

async function clear(alertId: number): Promise<void> {
  const cleared_at = new Date(cloud.clock.now());
  await cloud.db.updateTable('alerts').set({ cleared_at }).where('id', '=', String(alertId)).execute();
  await report('alert.cleared', alertId);
}

const messages = (count: number): Promise<void> =>
  expect.poll(() => receiver.received.length, { timeout: 30_000, interval: 20 }).toBe(count) as Promise<void>;

const log = async () => {
  const { body } = await cloud.call<
    { channel: string; kind: string; state: string; failure: string | null }[]
  >('GET /api/v1/user/notifications', { token });
  return body;
};

/** The state of the newest message, once it is as expected. */
const newest = (expected: object): Promise<void> =>
  expect
    .poll(async () => (await log())[0], { timeout: 30_000, interval: 20 })
    .toMatchObject(expected) as Promise<void>;

describe('a browser', () => {
  let browser: PushSubscriber;
  let key: string;
  let count = 0;
  beforeEach(async () => {
    browser = new PushSubscriber();
    key = (await cloud.call<{ key: string }>('GET /api/v1/push_key', { token })).body.key;
    await change({});
  });

  const subscribe = (host = 'localhost') =>
    cloud.call<{ id: number }>('POST /api/v1/user/push_subscriptions', {
      token,
      headers: { 'user-agent': 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0' },
      body: {
        endpoint: `https://${host}/push/${++count}`,
        keys: browser.keys,
      },
    });

  const decrypted = ({ body }: ReceivedRequest): unknown => JSON.parse(browser.decrypt(body));

  it('a browser that subscribed reads when an alert begins and ends, in the place of the first message', async () => {
    expect((await subscribe()).status).toBe(201);
    const id = await raise();
    await messages(1);
    await clear(id);
    await messages(2);
    const expected = {
      title: 'Barn',
      body: 'Inverter 1 reports: DC busbar',
      url: `/sites/${siteId}/alerts`,
      tag: `alert-${id}`,
      severity: 'critical',
      badge: 1,
    };
    expect(receiver.received.map(decrypted)).toEqual([
      expected,
      { ...expected, body: 'Over: Inverter 1 reports: DC busbar', badge: 0 },
    ]);
    expect(receiver.received[0]?.headers).toMatchObject({
      'content-encoding': 'aes128gcm',
      urgency: 'high',
      topic: expected.tag,
    });
    expect(receiver.received[0]?.headers.authorization).toContain(`k=${key}`);
    await newest({ channel: 'push', kind: 'cleared', state: 'sent' });
    expect((await log())[1]).toMatchObject({ channel: 'push', kind: 'raised', state: 'sent' });
  });

  it('a message has the count of all open alerts that the account sees', async () => {
    await subscribe();
    const elsewhere = (await cloud.make.site({ ownerId: (await cloud.make.user()).id })).id;
    await cloud.make.alert(elsewhere);
    await cloud.make.alert(siteId, { severity: 1 });
    await raise();
    await messages(1);
    expect(receiver.received.map(decrypted)).toMatchObject([{ badge: 2 }]);
  });

  it('a message whose answer was lost is sent again, as a repetition', async () => {
    await subscribe();
    answerOnce('lost');
    await raise();
    await messages(1);
    await newest({ state: 'waiting' });
    cloud.clock.advance(15_000);
    await messages(2);
    expect(receiver.received.map(decrypted)).toMatchObject([
      { body: 'Inverter 1 reports: DC busbar' },
      { body: 'Inverter 1 reports: DC busbar (sent again)' },
    ]);
  });

  it('a message that a process was sending when it died is sent again, as a repetition', async () => {
    await subscribe();
    await raise();
    await messages(1);
    await newest({ state: 'sent' });
    const lease = new Date(cloud.clock.now() + 60_000);
    const died = { state: 'sending', due_at: lease } as const;
    await cloud.db.updateTable('notifications').set(died).where('user_id', '=', ownerId).execute();
    const turn = { turn_at: lease };
    await cloud.db.updateTable('message_queues').set(turn).where('user_id', '=', ownerId).execute();
    cloud.clock.advance(61_000);
    await messages(2);
    expect(decrypted(receiver.received[1] as ReceivedRequest)).toMatchObject({
      body: expect.stringContaining('(sent again)'),
    });
  });

  it('a push service that is away gets the message later', async () => {
    await subscribe();
    answerOnce(503);
    await raise();
    await newest({ state: 'waiting', failure: 'answered 503' });
    cloud.clock.advance(15_000);
    await messages(2);
    expect(decrypted(receiver.received[1] as ReceivedRequest)).toMatchObject({
      body: 'Inverter 1 reports: DC busbar',
    });
  });

  it.each([404, 410])(
    'a browser whose push service answers %i is forgotten, and no other',
    async (status) => {
      const [{ body: gone }, { body: other }] = [await subscribe(), await subscribe()];
      receiver.answer = (path) => (path === `/push/${count - 1}` ? status : 201);
      await raise();
      await messages(2);
      await expect
        .poll(async () => (await cloud.call('GET /api/v1/user/push_subscriptions', { token })).body, {
          timeout: 30_000,
        })
        .toMatchObject([{ id: other.id }]);
      expect(other.id).not.toBe(gone.id);
    },
  );

  it('a test message goes to the browsers of the account alone', async () => {
    await subscribe();
    const { id } = await cloud.make.user();
    const theirs = await cloud.make.token(id, { kind: 'session' });
    const body = { channel: 'push' };
    const refused = await cloud.call('POST /api/v1/user/notifications/test', { token: theirs, body });
    expect(refused.status).toBe(422);
    await subscribe();
    expect((await requestTest('push')).status).toBe(204);
    await messages(2);
    await newest({ channel: 'push', kind: 'test', state: 'sent' });
  });

  it('a key that is no point of the curve is refused, and a browser without a name is one all the same', async () => {
    const subscribeWith = (keys: object) =>
      cloud.call('POST /api/v1/user/push_subscriptions', {
        token,
        headers: { 'user-agent': '' },
        body: { endpoint: `https://localhost/push/${++count}`, keys },
      });
    const wrong = { ...browser.keys, p256dh: Buffer.alloc(65, 4).toString('base64url') };
    expect(await subscribeWith(wrong)).toMatchObject({
      ...{ status: 422, body: { errors: { keys: ['have no point of the curve P-256'] } } },
    });
    expect(await subscribeWith(browser.keys)).toMatchObject({ status: 201, body: { label: 'Browser' } });
  });

  it('a browser that another account uses now gets the messages of that one alone', async () => {
    const formerToken = token;
    const bystander = await cloud.make.user();
    token = await cloud.make.token(bystander.id, { kind: 'session' });
    await subscribe();
    token = formerToken;
    await subscribe();
    const { body } = await cloud.call<{ label: string }[]>('GET /api/v1/user/push_subscriptions', { token });
    expect(body).toMatchObject([{ label: 'Firefox, Android' }]);
    const { email } = await cloud.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', ownerId)
      .executeTakeFirstOrThrow();
    const nowLocal = new Date(cloud.clock.now()).toISOString().slice(11, 16);
    const inAnHour = new Date(cloud.clock.now() + HOUR_MS).toISOString().slice(11, 16);
    await change({ quiet_hours: { from: nowLocal, until: inAnHour } });
    await raise();
    await newest({ channel: 'push', state: 'waiting' });
    const other = await cloud.make.user();
    token = await cloud.make.token(other.id, { kind: 'session' });
    count -= 1;
    await subscribe();
    // The same account again.
    count -= 1;
    await subscribe();
    expect((await cloud.mail(email)).text).toContain('Firefox, Android');
    const rows = await cloud.db.selectFrom('push_subscriptions').select('user_id').execute();
    expect(rows.filter(({ user_id }) => user_id === ownerId)).toEqual([]);
    // A message that waited for the former account is not for the one that uses the browser now.
    cloud.clock.advance(HOUR_MS);
    expect((await requestTest('push')).status).toBe(204);
    await messages(1);
    expect(receiver.received.map(decrypted)).toMatchObject([{ tag: 'test' }]);
    token = formerToken;
    await newest({ channel: 'push', kind: 'raised', state: 'skipped' });
    // That it moved concerns the account alone that lost it.
    expect(await cloud.mails(email)).toHaveLength(1);
    for (const one of [bystander, other]) expect(await cloud.mails(one.email)).toEqual([]);
  });

  it('an account has its twenty newest browsers, and removes none of another account', async () => {
    const other = await cloud.make.user();
    await sql`insert into push_subscriptions (user_id, endpoint, p256dh, auth, label, created_at)
      select id, 'https://push.example.org/' || id || '/' || n, '', '', n::text, now()
      from users cross join generate_series(1, 20) as numbers (n) where id in (${ownerId}, ${other.id})
      order by numbers.n`.execute(cloud.db);
    expect((await subscribe()).status).toBe(201);
    const listed = async (of: string) =>
      (
        await cloud.call<{ id: number; label: string }[]>('GET /api/v1/user/push_subscriptions', {
          token: of,
        })
      ).body;
    const newest = Array.from({ length: 19 }, (_, index) => String(20 - index));
    expect((await listed(token)).map(({ label }) => label)).toEqual(['Firefox, Android', ...newest]);
    const otherToken = await cloud.make.token(other.id, { kind: 'session' });
    const theirs = await listed(otherToken);
    expect(theirs).toHaveLength(20);
    const remove = (of: string) =>
      cloud.call(`DELETE /api/v1/user/push_subscriptions/${theirs[0]?.id}`, { token: of });
    expect((await remove(token)).status).toBe(404);
    expect((await remove(otherToken)).status).toBe(204);
    expect(await listed(otherToken)).toEqual(theirs.slice(1));
  });

  it('nothing is sent to an address inside, nor is one taken as an endpoint', async () => {
    expect((await subscribe('127.0.0.1')).status).toBe(422);
    await subscribe('inside.example.org');
    await raise();
    await newest({ state: 'waiting', failure: expect.stringContaining('not public') });
  });
});

it('a message that the cloud fails to prepare is no repetition when it leaves later', async () => {
  await change({ ntfy: { url: 'https://localhost/home' } });
  const rename = (from: string, to: string) =>
    sql`alter table alerts rename column ${sql.ref(from)} to ${sql.ref(to)}`.execute(cloud.db);
  await rename('detail', 'away');
  try {
    await requestTest('ntfy');
    await newest({ state: 'waiting', failure: 'the cloud could not send it' });
  } finally {
    await rename('away', 'detail');
  }
  cloud.clock.advance(15_000);
  await newest({ state: 'sent', failure: null });
  expect(JSON.parse(`${receiver.received[0]?.body}`).message).not.toContain('(sent again)');
});

it('a channel that was sealed with a secret of the past fails alone, and can be set up again', async () => {
  await change({ ntfy: { url: 'https://localhost/home' } });
  await cloud.db
    .updateTable('notification_settings')
    .set({ sealed_ntfy: Buffer.alloc(40) })
    .where('user_id', '=', ownerId)
    .execute();
  await raise();
  await newest({
    channel: 'ntfy',
    state: 'failed',
    failure: 'the channel cannot be read any more: set it up again',
  });
  expect(receiver.received).toEqual([]);
  const settings = await cloud.call('GET /api/v1/user/notification_settings', { token });
  expect([settings.status, settings.body.ntfy]).toEqual([200, null]);
  expect((await requestTest('ntfy')).status).toBe(422);
  await change({ ntfy: { url: 'https://localhost/home' } });
  expect((await requestTest('ntfy')).status).toBe(204);
  await messages(1);
});

it('a channel that is ended ends alone', async () => {
  const settings = {
    mail: false,
    ntfy: { url: 'https://localhost/home' },
    telegram: { bot_token: '123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc', chat_id: '-100123' },
  };
  const { id } = await cloud.make.user();
  const other = await cloud.make.token(id, { kind: 'session' });
  const tokens = [token, other];
  let browsers = 0;
  for (const of of tokens) {
    await cloud.call('PATCH /api/v1/user/notification_settings', { token: of, body: settings });
    for (let n = 1; n <= 2; n++) {
      const endpoint = `https://push.example.org/ended/${++browsers}`;
      const body = { endpoint, keys: new PushSubscriber().keys };
      await cloud.call('POST /api/v1/user/push_subscriptions', { token: of, body });
    }
  }
  const channelsOf = async (of: string) => {
    const [{ body: shown }, { body: subscriptions }] = [
      await cloud.call('GET /api/v1/user/notification_settings', { token: of }),
      await cloud.call<unknown[]>('GET /api/v1/user/push_subscriptions', { token: of }),
    ];
    return [shown.ntfy !== null, shown.telegram !== null, subscriptions.length];
  };
  const end = async (kind: string) => {
    const { body } = await cloud.call<{ id: number; kind: string }[]>('GET /api/v1/user/delegations', {
      token,
    });
    const delegation = body.find((one) => one.kind === kind);
    const { status } = await cloud.call(`DELETE /api/v1/user/delegations/${delegation?.id}`, { token });
    expect(status).toBe(204);
  };
  const left: unknown[] = [];
  for (const kind of ['ntfy', 'push', 'telegram']) {
    await end(kind);
    left.push(await channelsOf(token));
  }
  expect(left).toEqual([
    [false, true, 2],
    [false, true, 1],
    [false, false, 1],
  ]);
  expect(await channelsOf(other)).toEqual([true, true, 2]);
});

it('an ntfy topic gets the message with its priority and the way to its page', async () => {
  await change({ ntfy: { url: 'https://localhost/base/home', token: 'tk_secret' } });
  await raise();
  await messages(1);
  expect(receiver.received[0]).toMatchObject({
    path: '/base/',
    headers: { authorization: 'Bearer tk_secret' },
  });
  expect(JSON.parse(`${receiver.received[0]?.body}`)).toEqual({
    topic: 'home',
    title: 'Barn',
    message: 'Inverter 1 reports: DC busbar',
    click: `${cloud.url}/sites/${siteId}/alerts`,
    priority: 5,
    tags: ['rotating_light'],
  });
});

it('the answer of a receiver decides whether a message was sent, is tried again, or has failed', async () => {
  await change({ ntfy: { url: 'https://localhost/home' } });
  const outcomes: Readonly<Record<number, string>> = {
    ...{ 200: 'sent', 299: 'sent', 300: 'failed', 400: 'failed', 404: 'failed', 410: 'failed' },
    ...{ 429: 'waiting', 499: 'failed', 500: 'waiting', 503: 'waiting' },
  };
  const isFailing = async () =>
    (
      await cloud.db
        .selectFrom('message_queues')
        .select('failing')
        .where('user_id', '=', ownerId)
        .executeTakeFirstOrThrow()
    ).failing;
  let wasFailing = false;
  for (const status of [...Object.keys(outcomes).map(Number), 404, 200]) {
    receiver.answer = () => status;
    await requestTest('ntfy');
    const state = outcomes[status] ?? '';
    await newest({ state, failure: state === 'sent' ? null : `answered ${status}` });
    // A refusal leaves the channel among those that fail, or the others.
    if (state !== 'failed') wasFailing = state === 'waiting';
    await expect.poll(isFailing, { timeout: 30_000, interval: 20 }).toBe(wasFailing);
  }
});

describe('messages that are stored', () => {
  type State = 'waiting' | 'sending' | 'sent' | 'failed' | 'skipped';
  interface Stored {
    readonly channel?: 'mail' | 'ntfy' | 'telegram';
    readonly state: State;
    readonly dueInMs?: number;
    readonly attempts?: number;
    readonly ageMs?: number;
  }
  const put = async (rows: readonly Stored[]): Promise<string[]> => {
    const nowMs = cloud.clock.now();
    const stored = await cloud.db
      .insertInto('notifications')
      .values(
        rows.map(({ channel = 'ntfy', state, dueInMs = 0, attempts = 0, ageMs = 0 }) => ({
          ...{
            user_id: ownerId,
            channel,
            push_subscription_id: null,
            kind: 'test' as const,
            state,
            attempts,
          },
          ...{ alert_id: null, outage_id: null, sent_at: null, failure: null },
          due_at: new Date(nowMs + dueInMs),
          created_at: new Date(nowMs - ageMs),
        })),
      )
      .returning('id')
      .execute();
    return stored.map(({ id }) => id);
  };
  const rowsOf = (ids: readonly string[]) =>
    cloud.db
      .selectFrom('notifications')
      .select(['state', 'doubtful', 'attempts', 'due_at'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute();

  it('the due ones that wait leave, and those of a process that died; no other does', async () => {
    await change({ mail: true, ntfy: { url: 'https://localhost/home' } });
    const rows: readonly (Stored & { readonly after: State; readonly repeated?: boolean })[] = [
      { state: 'waiting', after: 'sent' },
      { state: 'waiting', dueInMs: 1, after: 'waiting' },
      { state: 'sending', after: 'sent', repeated: true },
      { channel: 'telegram', state: 'sending', dueInMs: 1, after: 'sending' },
      { state: 'failed', after: 'failed' },
      { state: 'skipped', after: 'skipped' },
      { state: 'sent', after: 'sent' },
      { channel: 'mail', state: 'waiting', after: 'sent' },
      { channel: 'mail', state: 'waiting', after: 'sent' },
      { channel: 'mail', state: 'waiting', dueInMs: 1, after: 'waiting' },
      { channel: 'mail', state: 'skipped', after: 'skipped' },
    ];
    const ids = await put(rows);
    const after = async () => (await rowsOf(ids)).map(({ state, doubtful }) => [state, doubtful]);
    await expect
      .poll(after, { timeout: 30_000, interval: 20 })
      .toEqual(rows.map((row) => [row.after, row.repeated === true]));
    expect(receiver.received).toHaveLength(2);
    const { email } = await cloud.db
      .selectFrom('users')
      .select('email')
      .where('id', '=', ownerId)
      .executeTakeFirstOrThrow();
    await cloud.mail(email);
    expect(await cloud.mails(email)).toHaveLength(1);
  });

  it('one that fails is tried after ten seconds, then after twice as long, to an hour, for three days', async () => {
    await change({ ntfy: { url: 'https://localhost/home' } });
    receiver.answer = () => 503;
    const DAYS_MS = 3 * 24 * HOUR_MS;
    const waits = [10_000, 20_000, 40_000, HOUR_MS, HOUR_MS];
    const ids = await put([
      ...[0, 1, 2, 9, 30].map((attempts): Stored => ({ state: 'waiting', attempts })),
      { state: 'waiting', ageMs: DAYS_MS - 1 },
      { state: 'waiting', ageMs: DAYS_MS },
    ]);
    const states = async () =>
      (await rowsOf(ids)).map(({ state, due_at }) => [state, due_at.getTime() > cloud.clock.now()]);
    await expect
      .poll(states, { timeout: 30_000, interval: 20 })
      .toEqual([...Array.from({ length: 6 }, () => ['waiting', true]), ['failed', expect.any(Boolean)]]);
    const due = (await rowsOf(ids)).map(({ due_at }) => due_at.getTime() - cloud.clock.now());
    for (const [index, waitMs] of waits.entries()) {
      expect(due[index]).toBeGreaterThanOrEqual(waitMs);
      expect(due[index]).toBeLessThanOrEqual(waitMs * 1.1);
    }
  });
});

const MESSAGE: ShortMessage = {
  ...{ title: 'Barn', body: 'Inverter 1 reports: DC busbar', path: '/sites/7/alerts', tag: 'alert-1' },
  ...{ severity: 'critical', hasEnded: false },
};

it('a chat of Telegram gets the message by the bot of the account', () => {
  const message = MESSAGE;
  const posted = telegramOf(message, { botToken: '123:abc', chatId: '-100123' }, 'https://cloud.example.org');
  expect(posted.address).toBe('https://api.telegram.org/bot123:abc/sendMessage');
  expect(JSON.parse(`${posted.body}`)).toEqual({
    chat_id: '-100123',
    text: 'Barn: Inverter 1 reports: DC busbar\nhttps://cloud.example.org/sites/7/alerts',
    disable_notification: false,
    link_preview_options: { is_disabled: true },
  });
});

it('a message is as loud at each channel as its severity, and quiet when it is over', () => {
  const rows: readonly (readonly [AlertSeverity, boolean, string, number, string, boolean])[] = [
    ['information', false, 'low', 2, 'information_source', true],
    ['warning', false, 'normal', 4, 'warning', false],
    ['critical', false, 'high', 5, 'rotating_light', false],
    ['information', true, 'low', 2, 'white_check_mark', true],
    ['critical', true, 'high', 2, 'white_check_mark', true],
  ];
  const portal = 'https://cloud.example.org';
  const target = new PushSubscriber();
  const service = { keys: generatePushKeys(), contact: portal, nowMs: 0 };
  const keys = {
    p256dh: Buffer.from(target.keys.p256dh, 'base64url'),
    auth: Buffer.from(target.keys.auth, 'base64url'),
  };
  for (const [severity, hasEnded, urgency, priority, tag, isSilent] of rows) {
    const message = { ...MESSAGE, severity, hasEnded, openAlerts: 0 };
    const ntfy = ntfyOf(message, { url: 'https://ntfy.example.org/home', token: null }, portal);
    const chat = telegramOf(message, { botToken: '1:a', chatId: '1' }, portal);
    const push = pushOf(message, { endpoint: 'https://push.example.org/1', ...keys }, service);
    const shown = [
      push.headers.urgency,
      JSON.parse(`${ntfy.body}`).priority,
      JSON.parse(`${ntfy.body}`).tags,
      JSON.parse(`${chat.body}`).disable_notification,
    ];
    expect([severity, hasEnded, shown]).toEqual([severity, hasEnded, [urgency, priority, [tag], isSilent]]);
    expect(ntfy).toMatchObject({
      address: 'https://ntfy.example.org/',
      headers: { 'content-type': 'application/json' },
    });
    expect(Object.keys(ntfy.headers)).not.toContain('authorization');
    expect(push.headers.ttl).toBe('259200');
  }
});

it.each([
  ['Edge, Windows', 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0'],
  ['Opera, macOS', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Chrome/139.0 Safari/537.36 OPR/124.0'],
  [
    'Samsung Internet, Android',
    'Mozilla/5.0 (Linux; Android 10; K) SamsungBrowser/28.0 Chrome/130.0 Safari/537.36',
  ],
  ['Firefox, Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
  [
    'Firefox, iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) FxiOS/140.0 Mobile/15E148 Safari/604.1',
  ],
  ['Chrome, ChromeOS', 'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) Chrome/140.0.0.0 Safari/537.36'],
  ['Chrome, iPad', 'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) CriOS/140.0 Mobile/15E148 Safari/604.1'],
  ['Safari, macOS', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.6 Safari/605.1.15'],
  ['Linux', 'Something (Linux)'],
  ['Browser', 'curl/8.14.1'],
])('%s is the label of a browser', (label, userAgent) => {
  expect(browserLabel(userAgent)).toBe(label);
});

it('twenty test messages an hour are sent to each account', async () => {
  for (let n = 1; n <= 20; n++) expect((await requestTest('telegram')).status).toBe(422);
  expect((await requestTest('telegram')).status).toBe(429);
  const { id } = await cloud.make.user();
  token = await cloud.make.token(id, { kind: 'session' });
  expect((await requestTest('telegram')).status).toBe(422);
});

it('channels are changed one by one, and a change is recorded by the names of its fields', async () => {
  const telegram = { bot_token: '123456789:AAEhBOweik6ad9r_QXMENQjcrGbqCr4K-bc', chat_id: '-100123' };
  const ntfy = { url: 'https://ntfy.example.org/home' };
  const changed = async (body: object) => {
    const answer = await cloud.call('PATCH /api/v1/user/notification_settings', { token, body });
    return [answer.body.ntfy, answer.body.telegram, answer.body.mail];
  };
  const chat = { chat_id: telegram.chat_id };
  expect(await changed({ telegram, mail: false })).toEqual([null, chat, false]);
  expect(await changed({ ntfy })).toEqual([ntfy, chat, false]);
  expect(await changed({ telegram: null })).toEqual([ntfy, null, false]);
  expect(await changed({ time_zone: 'Europe/Berlin' })).toEqual([ntfy, null, false]);
  expect(await changed({ ntfy: null, time_zone: 'UTC' })).toEqual([null, null, false]);
  const recorded = await cloud.db
    .selectFrom('audit_events')
    .select(['action', 'details'])
    .where('user_id', '=', ownerId)
    .orderBy('id')
    .execute();
  expect(recorded).toEqual(
    [['telegram', 'mail'], ['ntfy'], ['telegram'], ['ntfy']].map((notifications) => ({
      action: 'account.changed',
      details: { notifications },
    })),
  );
});

it('a secret that was replaced gives way to the new one in the channels of each account and the push keys, once', async () => {
  const used = 'another-secret-of-the-cloud-0123456789';
  const secrets = new NotificationSecrets(cloud.db, { used, accepted: CLOUD_SECRET });
  const former = new NotificationSecrets(cloud.db, { used: CLOUD_SECRET, accepted: undefined });
  const alone = new NotificationSecrets(cloud.db, { used, accepted: undefined });
  await former.pushKeys();
  const { publicKey } = (await former.pushKeys()) ?? {};
  await secrets.reseal();
  const ids = await cloud.make.users(2);
  for (const id of ids)
    await cloud.db
      .insertInto('notification_settings')
      .values({
        ...{ user_id: id, severity: 3, team_severity: null, team_tags: [], escalation_minutes: null },
        ...{ outages: true, mail: true, digest: 'at_once', quiet_from: null, quiet_until: null },
        time_zone: 'UTC',
        sealed_ntfy: former.sealChannel({ url: `https://localhost/${id}`, token: null }),
        sealed_telegram: former.sealChannel({ botToken: '1:a', chatId: String(id) }),
      })
      .execute();
  try {
    expect([await secrets.reseal(), await secrets.reseal()]).toEqual([4, 0]);
    const rows = await cloud.db
      .selectFrom('notification_settings')
      .select(['user_id', 'sealed_ntfy', 'sealed_telegram'])
      .where('user_id', 'in', ids)
      .execute();
    for (const { user_id: id, sealed_ntfy, sealed_telegram } of rows) {
      expect(alone.unsealNtfy(sealed_ntfy ?? Buffer.of())?.url).toBe(`https://localhost/${id}`);
      expect(alone.unsealTelegram(sealed_telegram ?? Buffer.of())?.chatId).toBe(String(id));
    }
    expect((await alone.pushKeys())?.publicKey).toEqual(publicKey);
  } finally {
    await new NotificationSecrets(cloud.db, { used: CLOUD_SECRET, accepted: used }).reseal();
  }
});

it('a test message leaves by the channel that is tested alone, and its outcome is in the log', async () => {
  await change({ ntfy: { url: 'https://localhost/home' } });
  expect((await requestTest('telegram')).status).toBe(422);
  answerOnce(403);
  expect((await requestTest('ntfy')).status).toBe(204);
  await newest({ channel: 'ntfy', kind: 'test', state: 'failed', failure: 'answered 403' });
  expect((await requestTest('ntfy')).status).toBe(204);
  await messages(2);
  expect((await requestTest('mail')).status).toBe(204);
  const { email } = await cloud.db
    .selectFrom('users')
    .select('email')
    .where('id', '=', ownerId)
    .executeTakeFirstOrThrow();
  expect((await cloud.mail(email)).subject).toContain('Messages about alerts reach you here');
});

it('settings are shown as they were changed, without tokens, and what is left out stays', async () => {
  const get = async () => (await cloud.call('GET /api/v1/user/notification_settings', { token })).body;
  expect(await get()).toEqual({
    ...{ is_default: true, team_tags: [], escalation_minutes: null },
    ...{ muted_rules: [], site_ids: [], cleared: true },
    ...{ severity: 'critical', team_severity: null, outages: true, mail: true, digest: 'at_once' },
    ...{ quiet_hours: null, time_zone: 'UTC', ntfy: null, telegram: null },
  });
  await change({
    ...{ team_tags: ['North'], escalation_minutes: 30 },
    ...{ muted_rules: ['battery_low', 'battery_low'], site_ids: [siteId], cleared: false },
    ...{ severity: null, team_severity: 'warning', quiet_hours: { from: '22:00', until: '07:30' } },
    ...{ time_zone: 'Europe/Berlin', ntfy: { url: 'https://ntfy.sh/home', token: 'tk_secret' } },
    outages: false,
  });
  await change({ digest: 'daily' });
  const changed = {
    ...{ severity: null, team_severity: 'warning', team_tags: ['North'], escalation_minutes: 30 },
    ...{ muted_rules: ['battery_low'], site_ids: [siteId], cleared: false },
    ...{ is_default: false, outages: false, mail: false, digest: 'daily' },
    ...{ quiet_hours: { from: '22:00', until: '07:30' }, time_zone: 'Europe/Berlin' },
    ...{ ntfy: { url: 'https://ntfy.sh/home' }, telegram: null },
  };
  expect(await get()).toEqual(changed);
  const back = { cleared: true, outages: true, mail: true, team_tags: [], muted_rules: [], site_ids: [] };
  await change({ ...back, escalation_minutes: null });
  expect(await get()).toEqual({ ...changed, ...back, escalation_minutes: null });
  expect((await change({ time_zone: 'Mars/Phobos' })).status).toBe(422);
  const foreign = await cloud.make.site({ ownerId: (await cloud.make.user()).id });
  expect(await change({ site_ids: [siteId, foreign.id] })).toMatchObject({
    status: 422,
    body: { errors: { site_ids: [expect.any(String)] } },
  });
  // A site that is another's since is left out, as the page sends it with all choices.
  const [shed, buyer] = [await cloud.make.site({ ownerId }), await cloud.make.user()];
  await change({ site_ids: [siteId, shed.id] });
  await cloud.db.updateTable('sites').set({ owner_id: buyer.id }).where('id', '=', shed.id).execute();
  expect(await change({ site_ids: [shed.id, siteId] })).toMatchObject({
    status: 200,
    body: { site_ids: [siteId] },
  });
});

it('quiet hours and severities are kept as they were chosen, and addresses without the name of a host are refused', async () => {
  const changed = async (body: object) => (await change(body)).body;
  const hours = { from: '00:01', until: '23:59' };
  for (const [given, kept] of [
    [hours, hours],
    [
      { from: '22:00', until: '06:05' },
      { from: '22:00', until: '06:05' },
    ],
    [{ from: '12:00', until: '12:00' }, null],
    [hours, hours],
    [null, null],
  ])
    expect(await changed({ quiet_hours: given })).toMatchObject({ quiet_hours: kept });
  for (const severity of ['information', 'warning', 'critical', null])
    expect(await changed({ severity, team_severity: severity })).toMatchObject({
      severity,
      team_severity: severity,
    });
  for (const host of [
    '10.0.0.1',
    '[2001:db8::1]',
    'user@localhost',
    'user:secret@localhost',
    ':secret@localhost',
  ])
    expect(await change({ ntfy: { url: `https://${host}/home` } }), host).toMatchObject({
      ...{ status: 422, body: { errors: { ntfy: ['must be an https address with the name of a host'] } } },
    });
});

it('a session of an organization chooses sites of it, and keeps those that the account chose elsewhere', async () => {
  const organizationId = await cloud.make.organization();
  const { id: here } = await cloud.make.site({ ownerId, organizationId });
  await change({ site_ids: [siteId] });
  token = await cloud.make.token(ownerId, { kind: 'session', organizationId });
  expect(await change({ site_ids: [siteId, here] })).toMatchObject({
    status: 200,
    body: { site_ids: [siteId, here] },
  });
  await change({ site_ids: [here] });
  expect((await change({ site_ids: [siteId, here] })).status).toBe(422);
});

it('the log has the newest messages of the account alone', async () => {
  const other = await cloud.make.user();
  await change({ ntfy: { url: 'https://localhost/home' } });
  for (let n = 1; n <= 2; n++) await requestTest('ntfy');
  await newest({ state: 'sent' });
  const otherToken = await cloud.make.token(other.id, { kind: 'session' });
  const idsFor = async (of: string, query = '') =>
    (await cloud.call<{ id: number }[]>(`GET /api/v1/user/notifications${query}`, { token: of })).body.map(
      ({ id }) => id,
    );
  expect(await idsFor(otherToken)).toEqual([]);
  const at = new Date(cloud.clock.now()).toISOString();
  const shown = { channel: 'ntfy', failure: null, created_at: at };
  const alertId = await raise();
  await newest({ ...shown, kind: 'raised', state: 'sent', sent_at: at, site_id: siteId, alert_id: alertId });
  expect((await log())[1]).toMatchObject({ ...shown, kind: 'test', site_id: null, alert_id: null });
  const [, last = 0, first = 0] = await idsFor(token);
  expect(last).toBeGreaterThan(first);
  expect((await idsFor(token, '?limit=2')).slice(1)).toEqual([last]);
});
