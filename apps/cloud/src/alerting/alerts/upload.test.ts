import { readFile } from 'node:fs/promises';
import type { DeviceAlert, DeviceAlertsAnswer, DeviceAlertsBody, SiteAlert } from '@heliograph/contracts';
import { signDeviceProof } from '@heliograph/wire';
import { type SqlBool, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect, newDevice, type TestDevice } from '../../../test/device-calls.ts';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { type AlertFacts, alertEventTypes } from './alert-events.ts';

const MINUTE_MS = 60_000;

let cloud: TestCloud;
let owner: TestUser;
let device: TestDevice;
let siteId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await cloud.make.user({ firstName: 'Ada', lastName: 'Example' });
  device = await newDevice();
  await connect(cloud, device);
  const body = { uid: device.uid };
  siteId = Number((await cloud.call('POST /api/v1/sites/register', { token: owner.token, body })).body.id);
});

const ago = (minutes: number) => new Date(cloud.clock.now() - minutes * MINUTE_MS).toISOString();

const alert = (values: Partial<DeviceAlert> = {}): DeviceAlert => ({
  id: 1,
  rule: 'battery_low',
  kind: 'below',
  severity: 'warning',
  topic: 'battery_1/state_of_charge',
  name: 'State of charge',
  detail: null,
  value: 8,
  limit: 10,
  unit: '%',
  since: ago(12),
  raised_at: ago(10),
  last_at: ago(1),
  cleared_at: null,
  acknowledged_at: null,
  acknowledged_by: null,
  times: 1,
  text: 'Battery 1: State of charge is 8 %, below 10 %',
  ...values,
});

async function send(body: Partial<DeviceAlertsBody>, by = device) {
  const proof = await signDeviceProof(by.key, by.uid, cloud.url, cloud.clock.now());
  // A proof is valid once.
  cloud.clock.advance(1_000);
  return cloud.call<DeviceAlertsAnswer>(`PUT /api/v1/devices/alerts?uid=${by.uid}`, {
    token: proof,
    body: { alerts: [], open: null, ...body },
  });
}

async function alerts(query = '', { token } = owner, path = `/sites/${siteId}/alerts`) {
  const { status, body } = await cloud.call<SiteAlert[]>(`GET /api/v1${path}${query}`, { token });
  expect(status).toBe(200);
  return body;
}

async function eventTypes(): Promise<string[]> {
  const rows = await cloud.db
    .selectFrom('events')
    .select('type')
    .where('site_id', '=', siteId)
    .where(sql<SqlBool>`type like 'alert.%'`)
    .orderBy('id')
    .execute();
  return rows.map(({ type }) => type);
}

it('an alert that a device sends is listed for the people of its site, and is an event', async () => {
  expect(await send({ alerts: [alert()] })).toMatchObject({ status: 200, body: { acknowledged: [] } });
  const { id: _id, ...sent } = alert();
  const listed = {
    ...sent,
    id: expect.any(Number),
    site_id: siteId,
    site_name: null,
    state: 'raised',
    since: expect.any(String),
    raised_at: expect.any(String),
    last_at: expect.any(String),
    snoozed_until: null,
    assignee: null,
    note: null,
    may_change: true,
  };
  expect(await alerts()).toEqual([listed]);
  expect(await alerts('', owner, '/alerts')).toEqual([listed]);
  expect(await eventTypes()).toEqual(['alert.raised']);
  const stranger = await cloud.make.user();
  expect(await alerts('', stranger, '/alerts')).toEqual([]);
});

it('an alert of a kind and severity that a newer device alone knows is listed, an event and a mail by its own text', async () => {
  const text = 'Inverter 1: Arc on string 2';
  const future = { kind: 'arc', severity: 'emergency', rule: 'arc', topic: 'inverter_1/arc', text };
  expect((await send({ alerts: [alert({ cleared_at: ago(0) }), alert({ ...future, id: 2 })] })).status).toBe(
    200,
  );
  expect(await alerts('?open=1&severity=critical')).toMatchObject([{ ...future, severity: 'critical' }]);
  // The feed shows an event once no earlier transaction is under way.
  const lastEvent = async () => {
    const { body } = await cloud.call<{ data: object }[]>('GET /api/v1/events?type=alert', {
      token: owner.token,
    });
    return body.at(-1)?.data;
  };
  await expect.poll(lastEvent).toMatchObject({ ...future, severity: 'critical' });
  expect((await cloud.mail(owner.email)).text).toContain(text);
});

it('alerts that differ only in unseen characters become one, the open and most severe of them', async () => {
  const same = { topic: 'inverter_1/fault', detail: 'Fan' };
  const answer = await send({
    alerts: [
      alert({ ...same, id: 1, severity: 'critical', cleared_at: ago(0) }),
      alert({ ...same, id: 2, severity: 'critical', detail: 'Fan\u200B' }),
      alert({ ...same, id: 3, detail: '\u202EFan', severity: 'warning' }),
    ],
    open: [
      { id: 2, raised_at: ago(10) },
      { id: 3, raised_at: ago(10) },
    ],
  });
  expect(answer.status).toBe(200);
  expect(await alerts()).toMatchObject([{ detail: 'Fan', severity: 'critical', state: 'raised' }]);
  expect(await eventTypes()).toEqual(['alert.raised']);
});

const CLEARED = { cleared_at: '2026-01-01T00:00:00Z' };

it.each<[string, Partial<DeviceAlert>, Partial<DeviceAlert>, 'first' | 'second']>([
  ['an open one, though one that is over is worse', {}, { severity: 'critical', ...CLEARED }, 'first'],
  ['an open one that comes later', { severity: 'critical', ...CLEARED }, {}, 'second'],
  ['the more severe of two open ones', { severity: 'critical' }, {}, 'first'],
  ['the more severe of two that are over', { ...CLEARED }, { severity: 'critical', ...CLEARED }, 'second'],
  ['the last of two that are alike', {}, {}, 'second'],
])('of two alerts that read the same stays %s', async (_which, first, second, kept) => {
  const same = { topic: 'inverter_1/fault', text: 'first' };
  await send({
    alerts: [
      alert({ ...same, ...first, id: 1, detail: 'Fan' }),
      alert({ ...same, ...second, id: 2, detail: 'Fan\u200B', text: 'second' }),
    ],
  });
  expect((await alerts()).map(({ text }) => text)).toEqual([kept]);
});

it('alerts that were stored before their texts were cleaned are clean, and each is there once', async () => {
  const stored = (id: number, detail: string, values: Partial<DeviceAlert> = {}) =>
    alert({ id, detail, topic: 'inverter_1/fault', value: 'x', ...values });
  const sent = [stored(1, 'Fan'), stored(2, 'Pump'), stored(3, 'Grid'), stored(4, 'سلامم')];
  await send({ alerts: sent });
  const write = (id: number, detail: string) =>
    cloud.db
      .updateTable('alerts')
      .set({ detail, text: 'a\u2028b\u200B', value: JSON.stringify('\u2066x\u2069') })
      .where('site_id', '=', siteId)
      .where('device_alert_id', '=', String(id))
      .execute();
  await write(2, 'Fan\u200B');
  await write(3, '\u202E Grid\t1');
  await write(4, 'سلام\u200cم');
  const file = new URL('../../db/migrations/0058-clean-alerts.sql', import.meta.url);
  await sql.raw(`begin; ${await readFile(file, 'utf8')} commit`).execute(cloud.db);
  const found = (await alerts()).map(({ detail, text, value }) => [detail, text, value]).toSorted();
  const clean = ['a b', 'x'];
  expect(found).toEqual([
    ['Fan', alert().text, 'x'],
    ['Grid 1', ...clean],
    ['سلام\u200cم', ...clean],
  ]);
});

it('a text of a device has no direction change nor control character, and makes no link in a mail', async () => {
  const hostile = {
    kind: 'complaint',
    severity: 'critical',
    topic: 'evil.example',
    name: 'a\u202Eb\u0007c',
    detail: 'Sign in at https://evil.example/verify\r\nBcc: @all',
    value: '\u2066x\u2069',
    text: 'www.evil.example\u200B',
  };
  expect((await send({ alerts: [alert(hostile)] })).status).toBe(200);
  expect(await alerts()).toMatchObject([
    {
      name: 'abc',
      detail: 'Sign in at https://evil.example/verify Bcc: @all',
      value: 'x',
      text: 'www.evil.example',
    },
  ]);
  const { subject, text, html } = await cloud.mail(owner.email);
  expect(subject).toContain('Sign in at https: / /evil. example/verify');
  expect(subject + text + html).not.toMatch(/evil\.example|@all/);
});

it('an upload that is sent again counts once, and each change of an alert is one event', async () => {
  const first = alert();
  await send({ alerts: [first] });
  await send({ alerts: [first] });
  expect(await eventTypes()).toEqual(['alert.raised']);
  const cleared = { ...first, value: 14, cleared_at: ago(0) };
  await send({ alerts: [cleared] });
  await send({ alerts: [cleared] });
  await send({ alerts: [{ ...first, times: 2 }] });
  expect(await eventTypes()).toEqual(['alert.raised', 'alert.cleared', 'alert.raised']);
  expect(await alerts()).toMatchObject([{ state: 'raised', times: 2 }]);
});

it('an alert that came and went during an outage of days is raised and cleared in that order', async () => {
  await send({ alerts: [alert({ since: ago(5_000), raised_at: ago(4_990), cleared_at: ago(3_000) })] });
  expect(await eventTypes()).toEqual(['alert.raised', 'alert.cleared']);
  expect(await alerts('?open=1')).toEqual([]);
  expect(await alerts()).toMatchObject([{ state: 'cleared' }]);
});

it('an open alert that becomes critical is a message to those who want critical ones alone, once', async () => {
  const open = alert({ severity: 'warning' });
  await send({ alerts: [open] });
  await send({ alerts: [{ ...open, severity: 'critical' }] });
  await send({ alerts: [{ ...open, severity: 'critical', last_at: ago(0) }] });
  expect(await eventTypes()).toEqual(['alert.raised', 'alert.raised']);
  await cloud.mail(owner.email);
  const messages = await cloud.db
    .selectFrom('notifications')
    .select(['kind', 'urgency'])
    .where('user_id', '=', owner.id)
    .execute();
  expect(messages).toEqual([{ kind: 'raised', urgency: 3 }]);
});

it('a value that flaps for an hour, of which a device sends every change, gives its people at most two mails', async () => {
  const first = alert({ severity: 'critical' });
  for (let times = 1; times <= 10; times++) {
    await send({ alerts: [{ ...first, times, last_at: ago(0) }] });
    if (times === 1) await cloud.mail(owner.email);
    cloud.clock.advance(6 * MINUTE_MS);
    await send({ alerts: [{ ...first, times, last_at: ago(0), cleared_at: ago(0) }] });
  }
  expect(await eventTypes()).toHaveLength(20);
  await cloud.mail(owner.email);
  // The feed is taken in its order: nothing before this alert is left.
  await send({ alerts: [alert({ id: 2, rule: 'fault', detail: 'Fan locked', severity: 'critical' })] });
  await cloud.mail(owner.email);
  const messages = await cloud.db
    .selectFrom('notifications')
    .innerJoin('alerts', 'alerts.id', 'notifications.alert_id')
    .select(['rule', 'notifications.kind'])
    .where('user_id', '=', owner.id)
    .orderBy('notifications.id')
    .execute();
  expect(messages.map(({ rule, kind }) => `${rule} ${kind}`)).toEqual([
    'battery_low raised',
    'battery_low cleared',
    'fault raised',
  ]);
});

it('open alerts come first, of these the worst, then the last; the others follow by their moment alone', async () => {
  const rows: [string, Partial<DeviceAlert>][] = [
    ['over', { severity: 'critical', raised_at: ago(10), cleared_at: ago(1) }],
    ['information', { severity: 'information' }],
    ['of long ago', { severity: 'critical', raised_at: ago(100) }],
    ['critical', { severity: 'critical', raised_at: ago(50) }],
    ['over last', { severity: 'information', raised_at: ago(5), cleared_at: ago(4) }],
    ['information of the same moment', { severity: 'information' }],
  ];
  const raised_at = ago(20);
  const sent = rows.map(([detail, values], nth) => alert({ raised_at, ...values, id: nth + 1, detail }));
  await send({ alerts: sent });
  const listed = async (query: string) => (await alerts(query)).map(({ detail }) => detail);
  const open = ['critical', 'of long ago', 'information of the same moment', 'information'];
  expect(await listed('')).toEqual([...open, 'over last', 'over']);
  expect(await listed('?open=1')).toEqual(open);
  expect(await listed('?severity=critical')).toEqual(['critical', 'of long ago', 'over']);
  expect(await listed('?open=1&severity=information')).toEqual(open.slice(2));
});

it('an alert that is sent again has what it has now, and the kind, the topic and the moment that it began with', async () => {
  const first = alert({ detail: 'Cell 1' });
  await send({ alerts: [first] });
  const now = {
    ...{ severity: 'critical', name: 'Charge', value: 3, limit: 5, unit: '% of all', since: ago(11) },
    ...{ last_at: ago(0), cleared_at: ago(0), times: 2, text: 'Battery 1 is empty' },
  };
  await send({ alerts: [{ ...first, ...now, id: 9, kind: 'above' }] });
  const { id: _, ...sent } = first;
  expect(await alerts()).toEqual([expect.objectContaining({ ...sent, ...now, id: expect.any(Number) })]);
  const stored = cloud.db.selectFrom('alerts').select('device_alert_id').where('site_id', '=', siteId);
  expect(await stored.execute()).toEqual([{ device_alert_id: '9' }]);
});

it('a person acknowledges, snoozes, assigns and notes an alert, and the device learns of the acknowledgement', async () => {
  await send({ alerts: [alert()] });
  const [listed] = await alerts();
  const change = (body: object, token = owner.token) =>
    cloud.call(`PATCH /api/v1/sites/${siteId}/alerts/${listed?.id}`, { token, body });
  const until = new Date(cloud.clock.now() + 60 * MINUTE_MS).toISOString();
  const body = {
    acknowledged: true,
    snoozed_until: until,
    assignee_id: owner.id,
    note: 'New battery ordered',
  };
  expect(await change(body)).toMatchObject({
    status: 200,
    body: {
      state: 'acknowledged',
      acknowledged_by: 'Ada Example',
      snoozed_until: until,
      assignee: { id: owner.id, name: 'Ada Example' },
      note: 'New battery ordered',
    },
  });
  expect(await eventTypes()).toEqual(['alert.raised', 'alert.acknowledged']);
  const { body: answer } = await send({ alerts: [alert({ value: 7, raised_at: listed?.raised_at ?? '' })] });
  expect(answer).toMatchObject({
    acknowledged: [{ id: 1, raised_at: listed?.raised_at, by: 'Ada Example' }],
  });
  expect(await alerts()).toMatchObject([{ state: 'acknowledged', value: 7 }]);

  const stranger = await cloud.make.user();
  expect((await change({ acknowledged: false }, stranger.token)).status).toBe(404);
  expect((await change({ assignee_id: stranger.id })).status).toBe(422);
  expect((await change({ snoozed_until: ago(1) })).status).toBe(422);
});

it('the same alert of two sites at one moment is raised at both', async () => {
  const neighbour = await newDevice();
  await connect(cloud, neighbour);
  const body = { uid: neighbour.uid };
  const { id } = (await cloud.call('POST /api/v1/sites/register', { token: owner.token, body })).body;
  const raised = alert();
  await send({ alerts: [raised] });
  await send({ alerts: [raised] }, neighbour);
  const rows = await cloud.db
    .selectFrom('events')
    .select('site_id')
    .where('type', '=', 'alert.raised')
    .where('site_id', 'in', [siteId, Number(id)])
    .orderBy('id')
    .execute();
  expect(rows.map(({ site_id }) => site_id)).toEqual([siteId, id]);
});

it('an acknowledgement at the device is shown, and goes when the device takes it back', async () => {
  const raised = alert();
  const acknowledged = { ...raised, acknowledged_at: ago(0), acknowledged_by: 'the display' };
  await send({ alerts: [acknowledged] });
  expect(await alerts()).toMatchObject([{ state: 'acknowledged', acknowledged_by: 'the display' }]);
  await send({ alerts: [raised] });
  expect(await alerts()).toMatchObject([{ state: 'raised', acknowledged_by: null }]);
  await send({ alerts: [acknowledged] });
  expect(await eventTypes()).toEqual(['alert.raised', 'alert.acknowledged', 'alert.acknowledged']);
});

it('a full report of a device clears exactly the open alerts of its site that it lists no more', async () => {
  const raised_at = new Date(cloud.clock.now() - 20 * MINUTE_MS);
  const { id: otherSite } = await cloud.make.site({ ownerId: owner.id });
  const row = async (rule: string, fields: object = {}, site = siteId) =>
    cloud.make.alert(site, { rule, device_alert_id: 7, raised_at, ...fields });
  await row('listed');
  await row('raised at another moment', { raised_at: new Date(cloud.clock.now() - 21 * MINUTE_MS) });
  await row('with another id', { device_alert_id: 8 });
  await row('of the cloud', { device_alert_id: null });
  await row('cleared before', { cleared_at: raised_at });
  await row('of another site', {}, otherSite);
  await send({ open: null });
  expect(await eventTypes()).toEqual([]);
  await send({ open: [{ id: 7, raised_at: raised_at.toISOString() }] });
  const stored = await cloud.db
    .selectFrom('alerts')
    .select(['rule', 'cleared_at'])
    .where('site_id', 'in', [siteId, otherSite])
    .orderBy('id')
    .execute();
  const now = new Date(cloud.clock.now());
  expect(stored.map(({ rule, cleared_at }) => [rule, cleared_at])).toEqual([
    ['listed', null],
    ['raised at another moment', now],
    ['with another id', now],
    ['of the cloud', null],
    ['cleared before', raised_at],
    ['of another site', null],
  ]);
  expect(await eventTypes()).toEqual(['alert.cleared', 'alert.cleared']);
});

it('a full report leaves alone exactly what it sends along: the same rule about the same thing at the same moment', async () => {
  const raised_at = new Date(cloud.clock.now() - 20 * MINUTE_MS);
  const full = { rule: 'fault', topic: 'inverter_1/fault', detail: 'Fan', raised_at };
  const bare = { rule: 'clock', topic: null, detail: null, raised_at };
  const rows = {
    'sent along': full,
    'sent along, about the home': bare,
    'of another rule': { ...full, rule: 'warning' },
    'about another topic': { ...full, topic: 'inverter_2/fault' },
    'about no topic': { ...full, topic: null },
    'with another detail': { ...full, detail: 'Pump' },
    'without a detail': { ...full, detail: null },
    'raised at another moment': { ...full, raised_at: new Date(raised_at.getTime() - 1) },
  };
  const names = new Map<number, string>();
  for (const [name, row] of Object.entries(rows))
    names.set(await cloud.make.alert(siteId, { ...row, device_alert_id: 7 }), name);
  const sent = [full, bare].map((row, n) =>
    alert({ ...row, id: 20 + n, raised_at: raised_at.toISOString() }),
  );
  await send({ alerts: sent, open: sent.map(({ id, raised_at: at }) => ({ id, raised_at: at })) });
  const open = await alerts('?open=1');
  expect(open.map(({ id }) => names.get(id)).toSorted()).toEqual([
    'sent along',
    'sent along, about the home',
  ]);
  expect(await eventTypes()).toEqual(Array.from({ length: 6 }, () => 'alert.cleared'));
});

it('an alert that a device lists is missing unless it is stored with its id and its moment', async () => {
  await send({ alerts: [alert({ id: 1 })] });
  const [stored] = await alerts();
  const known = { id: 1, raised_at: stored?.raised_at ?? '' };
  const unknown = [
    { id: 2, raised_at: known.raised_at },
    { id: 1, raised_at: new Date(Date.parse(known.raised_at) + 1).toISOString() },
  ];
  expect((await send({ open: [known, ...unknown] })).body.missing).toEqual(unknown);
});

it('a device receives the acknowledgements of exactly the open alerts of its own that a person acknowledged', async () => {
  const { id: otherSite } = await cloud.make.site({ ownerId: owner.id });
  const at = new Date(cloud.clock.now());
  const here = { acknowledged_at: at, acknowledged_by: 'Ada', acknowledged_by_id: owner.id };
  await cloud.make.alert(siteId, { device_alert_id: 1, ...here });
  await cloud.make.alert(siteId, {
    device_alert_id: 2,
    acknowledged_at: at,
    acknowledged_by: 'at the device',
  });
  await cloud.make.alert(siteId, { device_alert_id: 3, ...here, cleared_at: at });
  await cloud.make.alert(siteId, { device_alert_id: null, ...here });
  await cloud.make.alert(siteId, { device_alert_id: 4 });
  await cloud.make.alert(otherSite, { device_alert_id: 5, ...here });
  const { body } = await send({});
  expect(body.acknowledged.map(({ id }) => id)).toEqual([1]);
});

it('the oldest cleared alerts of a site alone make room for new ones', async () => {
  const { id: otherSite } = await cloud.make.site({ ownerId: owner.id });
  await sql`insert into alerts (site_id, rule, kind, severity, unit, since, raised_at, last_at, times, text, cleared_at)
    select site.id, 'old', 'below', 2, '', at, at, at, 1, '', case when nth > 2 then at end
    from unnest(${[siteId, otherSite]}::integer[]) as site (id), generate_series(1, 2000) as nth,
      lateral (select ${new Date(cloud.clock.now())}::timestamptz - (3000 - nth) * interval '1 minute') as moment (at)`.execute(
    cloud.db,
  );
  const counts = async () => {
    const { rows } = await sql`select count(*) filter (where cleared_at is null)::int as open,
      count(*) filter (where cleared_at is not null)::int as cleared
      from alerts where site_id in (${siteId}, ${otherSite}) group by site_id order by site_id = ${otherSite}`.execute(
      cloud.db,
    );
    return rows;
  };
  const before = { open: 2, cleared: 1_998 };
  expect(await counts()).toEqual([before, before]);
  for (const id of [1, 2, 3, 4]) await send({ alerts: [alert({ id, raised_at: ago(10 + id) })] });
  // Two of the oldest four are open: these stay.
  expect(await counts()).toEqual([{ open: 6, cleared: 1_996 }, before]);
});

it.each(['is removed', 'moves to another site', 'is replaced by another one'])(
  'an upload that waits while its device %s stores nothing',
  async (how) => {
    const other = await cloud.make.site({ ownerId: owner.id });
    const { sent } = await cloud.db.transaction().execute(async (tx) => {
      await tx.selectFrom('sites').select('id').where('id', '=', siteId).forUpdate().execute();
      const running = send({ alerts: [alert()], open: [] });
      await expect.poll(() => cloud.waitingForLocks(), { interval: 5 }).toBe(1);
      const move = (uid: string, site_id: number | null) =>
        tx.updateTable('devices').set({ site_id }).where('uid', '=', uid).execute();
      await move(device.uid, null);
      await move(other.uid, how === 'is replaced by another one' ? siteId : null);
      if (how === 'moves to another site') await move(device.uid, other.id);
      return { sent: running };
    });
    expect(await sent).toMatchObject({ status: 200, body: { acknowledged: [] } });
    expect(await alerts()).toEqual([]);
  },
);

it.each<[string, Partial<AlertFacts> | undefined, Partial<AlertFacts>, string]>([
  ['new', undefined, {}, 'raised'],
  ['new and acknowledged', undefined, { acknowledgedAt: new Date(2) }, 'raised acknowledged'],
  ['new and cleared', undefined, { clearedAt: new Date(2) }, 'raised cleared'],
  ['as it was', {}, {}, ''],
  ['acknowledged now', {}, { acknowledgedAt: new Date(2) }, 'acknowledged'],
  ['acknowledged before', { acknowledgedAt: new Date(1) }, { acknowledgedAt: new Date(2) }, ''],
  ['acknowledged no more', { acknowledgedAt: new Date(1) }, {}, ''],
  ['cleared now', {}, { clearedAt: new Date(2) }, 'cleared'],
  ['cleared before', { clearedAt: new Date(1) }, { clearedAt: new Date(2) }, ''],
  ['more severe now', {}, { severity: 3 }, 'raised'],
  ['less severe now', { severity: 3 }, {}, ''],
  ['over, and more severe', { clearedAt: new Date(1) }, { clearedAt: new Date(1), severity: 3 }, ''],
  ['raised again', { clearedAt: new Date(1) }, { times: 2 }, 'raised'],
  [
    'raised and cleared again',
    { clearedAt: new Date(1) },
    { times: 2, clearedAt: new Date(2) },
    'raised cleared',
  ],
])('an alert that is %s has the events of that', (_what, before, after, types) => {
  const facts = { clearedAt: null, acknowledgedAt: null, severity: 1, times: 1 };
  const given = before && { ...facts, ...before };
  expect(alertEventTypes(given, { ...facts, ...after })).toEqual(
    types.split(' ').flatMap((type) => (type === '' ? [] : [`alert.${type}`])),
  );
});

it('an upload is refused with the reason', async () => {
  const outcomeOf = async (by: TestDevice, offMs = 0) => {
    const proof = await signDeviceProof(by.key, by.uid, cloud.url, cloud.clock.now() + offMs);
    const path = `PUT /api/v1/devices/alerts?uid=${by.uid}` as const;
    const { status, body } = await cloud.call(path, {
      token: proof,
      body: { alerts: [alert()], open: null },
    });
    return [status, (body as { error?: string }).error];
  };
  const stranger = await newDevice();
  const provisioned = await newDevice();
  await cloud.db.insertInto('devices').values({ uid: provisioned.uid }).execute();
  const waiting = await newDevice();
  await connect(cloud, waiting);
  expect({
    unknown: await outcomeOf(stranger),
    provisioned: await outcomeOf(provisioned),
    forged: await outcomeOf({ ...stranger, uid: device.uid }),
    slowClock: await outcomeOf(device, -3_600_000),
    fastClock: await outcomeOf(device, 3_600_000),
    waiting: await outcomeOf(waiting),
  }).toEqual({
    unknown: [401, 'This device is not known yet'],
    provisioned: [401, 'This device is not known yet'],
    forged: [401, 'The proof is not valid'],
    slowClock: [401, 'The proof was made at another time: is the clock right?'],
    fastClock: [401, 'The proof was made at another time: is the clock right?'],
    waiting: [403, 'The device is not registered to an account'],
  });
  expect(await alerts()).toEqual([]);
});

it('an upload with an alert twice is refused', async () => {
  const twice = alert();
  expect((await send({ alerts: [twice, twice] })).status).toBe(422);
  expect(await alerts()).toEqual([]);
});

it('a site stores 500 open alerts, the last hundred critical, and an alert informs its people of refused ones', async () => {
  const open = new Map<number, DeviceAlert>();
  let id = 0;
  const sendMany = async (count: number, severity: string) => {
    let refused = 0;
    for (let left = count; left > 0; left -= 100) {
      const sent = Array.from({ length: Math.min(left, 100) }, () =>
        alert({ id: ++id, rule: `rule_${id}`, severity }),
      );
      const { status, body } = await send({ alerts: sent });
      expect(status).toBe(200);
      const turnedDown = new Set(body.refused?.map((one) => one.id));
      for (const one of sent) if (!turnedDown.has(one.id)) open.set(one.id, one);
      refused += turnedDown.size;
    }
    return refused;
  };
  const tooMany = async () => {
    const rows = await cloud.db
      .selectFrom('alerts')
      .select(['cleared_at as clearedAt', 'severity'])
      .where('site_id', '=', siteId)
      .where('rule', '=', 'too_many_alerts')
      .execute();
    return rows.map(({ clearedAt }) => clearedAt === null);
  };
  expect(await sendMany(400, 'warning')).toBe(0);
  expect(await tooMany()).toEqual([]);
  expect(await sendMany(101, 'critical')).toBe(1);
  expect(await tooMany()).toEqual([true]);
  expect(await sendMany(1, 'warning')).toBe(1);
  expect(open.size).toBe(500);
  expect(await eventTypes()).toHaveLength(501);
  // A change of one that is stored is taken, and its end makes room.
  const [first] = open.values();
  const over = { ...(first as DeviceAlert), times: 2, cleared_at: ago(0) };
  expect((await send({ alerts: [over] })).body.refused).toEqual([]);
  expect(await sendMany(2, 'critical')).toBe(1);
  await send({ open: [...open.values()].slice(200).map(({ id, raised_at }) => ({ id, raised_at })) });
  expect(await tooMany()).toEqual([false]);
  expect(await sendMany(1, 'information')).toBe(0);
});

it('the alert about refused ones is that of its site alone, is raised again with the next ones, and ends once', async () => {
  const { id: otherSite } = await cloud.make.site({ ownerId: owner.id });
  const report = { device_alert_id: null, rule: 'too_many_alerts', kind: 'too_many_alerts' };
  await cloud.make.alert(otherSite, report);
  const at = new Date(cloud.clock.now());
  const fill = () =>
    sql`insert into alerts (site_id, device_alert_id, rule, kind, severity, unit, since, raised_at, last_at, times, text)
      select ${siteId}, nth, 'many_' || nth, 'below', 2, '', ${at}, ${at}, ${at}, 1, '' from generate_series(1, 400) as nth
      on conflict (site_id, rule, coalesce(topic, ''), coalesce(detail, ''), raised_at)
        do update set cleared_at = null`.execute(cloud.db);
  const refuse = async (id: number) => {
    await fill();
    expect((await send({ alerts: [alert({ id, rule: `rule_${id}` })] })).body.refused).toHaveLength(1);
  };
  await refuse(501);
  await refuse(502);
  expect(await eventTypes()).toEqual(['alert.raised']);
  const [listed] = await alerts('?open=1&severity=critical');
  expect(listed).toMatchObject({ rule: 'too_many_alerts', times: 1 });
  await send({ open: [] });
  const cleared = Array.from({ length: 401 }, () => 'alert.cleared');
  expect(await eventTypes()).toEqual(['alert.raised', ...cleared]);
  await send({ open: [] });
  expect(await eventTypes()).toEqual(['alert.raised', ...cleared]);
  await refuse(503);
  expect((await eventTypes()).slice(402)).toEqual(['alert.raised']);
  const reports = await cloud.db
    .selectFrom('alerts')
    .select(['site_id', sql<boolean>`cleared_at is null`.as('open')])
    .where('rule', '=', 'too_many_alerts')
    .where('site_id', 'in', [siteId, otherSite])
    .orderBy('id')
    .execute();
  expect(reports).toEqual([
    { site_id: otherSite, open: true },
    { site_id: siteId, open: false },
    { site_id: siteId, open: true },
  ]);
});

it('a refused alert is missing until it is stored, and the alert about refused ones is open until then', async () => {
  const placeOf = ({ id, raised_at }: DeviceAlert) => ({ id, raised_at });
  const all = Array.from({ length: 501 }, (_, n) =>
    alert({ id: n + 1, rule: `rule_${n + 1}`, severity: 'critical' }),
  );
  for (let n = 0; n < 500; n += 100) await send({ alerts: all.slice(n, n + 100) });
  const last = all.slice(500);
  const isReported = async () => (await alerts('?open=1')).some(({ rule }) => rule === 'too_many_alerts');
  const refused = await send({ alerts: last, open: all.map(placeOf) });
  // Without room nothing is to be sent again.
  expect(refused.body).toMatchObject({ refused: last.map(placeOf), missing: [] });
  // An upload that lists no open ones knows nothing of missing ones.
  const open = all.slice(200).map(placeOf);
  expect((await send({ open })).body).toMatchObject({ refused: [], missing: last.map(placeOf) });
  expect((await send({})).body).not.toHaveProperty('missing');
  expect(await isReported()).toBe(true);
  expect((await send({ alerts: last, open })).body).toMatchObject({ refused: [], missing: [] });
  expect(await isReported()).toBe(false);
  expect(await alerts('?open=1')).toContainEqual(expect.objectContaining({ rule: 'rule_501' }));
});

it('alerts that a device lists no more make room for those of the same upload', async () => {
  const all = Array.from({ length: 500 }, (_, n) =>
    alert({ id: n + 1, rule: `rule_${n + 1}`, severity: 'critical' }),
  );
  for (let n = 0; n < 500; n += 100) await send({ alerts: all.slice(n, n + 100) });
  const restored = { ...(all[499] as DeviceAlert), id: 901 };
  const added = alert({ id: 902, rule: 'new', severity: 'critical' });
  const open = [restored, added].map(({ id, raised_at }) => ({ id, raised_at }));
  expect((await send({ alerts: [added, restored], open })).body).toMatchObject({ refused: [], missing: [] });
  const listed = await alerts('?open=1');
  expect(listed.map(({ rule }) => rule).sort()).toEqual(['new', 'rule_500']);
  // One that has another id since goes on.
  const ended = await cloud.db
    .selectFrom('events')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('site_id', '=', siteId)
    .where('type', '=', 'alert.cleared')
    .executeTakeFirstOrThrow();
  expect(Number(ended.count)).toBe(499);
});

it('a device makes 240 uploads an hour, and another one is not counted with it', async () => {
  const other = await newDevice();
  await connect(cloud, other);
  await cloud.call('POST /api/v1/sites/register', { token: owner.token, body: { uid: other.uid } });
  expect((await send({})).status).toBe(200);
  await cloud.multiplyCounts(239);
  expect((await send({})).status).toBe(200);
  expect((await send({})).status).toBe(429);
  expect((await send({}, other)).status).toBe(200);
});

it('a device sends 3,000 alerts an hour, whatever process of the cloud it calls', async () => {
  const cleared = (n: number) => alert({ id: n, rule: `rule_${n}`, cleared_at: ago(0) });
  const batch = Array.from({ length: 100 }, (_, n) => cleared(n + 1));
  expect((await send({ alerts: batch })).status).toBe(200);
  await cloud.multiplyCounts(30);
  expect(await send({ alerts: batch.slice(1) })).toMatchObject({ status: 429 });
  expect((await send({})).status).toBe(200);
});
