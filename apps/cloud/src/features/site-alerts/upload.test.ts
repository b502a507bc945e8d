import type { DeviceAlert, DeviceAlertsAnswer, DeviceAlertsBody, SiteAlert } from '@heliograph/contracts';
import { signDeviceProof } from '@heliograph/wire';
import { type SqlBool, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect, newDevice, type TestDevice } from '../../testing/device-calls.ts';
import type { TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

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

it('open alerts come first, and of these the worst', async () => {
  await send({
    alerts: [
      alert({ id: 1, rule: 'grid_lost', severity: 'critical', cleared_at: ago(1) }),
      alert({ id: 2, rule: 'battery_low', severity: 'information' }),
      alert({ id: 3, rule: 'fault', severity: 'critical', raised_at: ago(100) }),
    ],
  });
  const rules = async (query: string) => (await alerts(query)).map(({ rule }) => rule);
  expect(await rules('')).toEqual(['fault', 'battery_low', 'grid_lost']);
  expect(await rules('?severity=critical')).toEqual(['fault', 'grid_lost']);
  expect(await rules('?open=1&severity=information')).toEqual(['battery_low']);
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
  expect(answer).toEqual({ acknowledged: [{ id: 1, raised_at: listed?.raised_at, by: 'Ada Example' }] });
  expect(await alerts()).toMatchObject([{ state: 'acknowledged', value: 7 }]);

  const stranger = await cloud.make.user();
  expect((await change({ acknowledged: false }, stranger.token)).status).toBe(404);
  expect((await change({ assignee_id: stranger.id })).status).toBe(422);
  expect((await change({ snoozed_until: ago(1) })).status).toBe(422);
});

it('alerts that a replaced device left open are over once the new one has sent all of its own', async () => {
  await send({ alerts: [alert({ id: 1 }), alert({ id: 2, rule: 'grid_lost' })] });
  const kept = alert({ id: 2, rule: 'grid_lost', raised_at: (await alerts())[0]?.raised_at ?? '' });
  await send({ open: [{ id: 2, raised_at: kept.raised_at }] });
  expect((await alerts('?open=1')).map(({ rule }) => rule)).toEqual(['grid_lost']);
  expect(await eventTypes()).toEqual(['alert.raised', 'alert.raised', 'alert.cleared']);
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
