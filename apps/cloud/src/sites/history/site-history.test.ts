import type {
  DeviceHistoryAnswer,
  DeviceHistoryBody,
  DeviceHistoryDay,
  EnergyAnswer,
  HistoryAnswer,
  SiteHistoryConsent,
  SiteNewestValues,
  SiteSummary,
} from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { signDeviceProof } from '@heliograph/wire';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { connect, newDevice, type TestDevice } from '../../../test/device-calls.ts';
import type { TestUser } from '../../../test/factory.ts';
import { type Answer, startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { Housekeeping } from '../../operator/housekeeping/housekeeping.ts';

const YEAR_MS = 365.25 * 24 * 60 * 60 * 1000;
const ZONE = 'Europe/Berlin';

let cloud: TestCloud;
let owner: TestUser;
let device: TestDevice;
let siteId: number;
/** The date at the site. */
let today: string;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  owner = await cloud.make.user();
  device = await newDevice();
  await connect(cloud, device);
  const body = { uid: device.uid };
  siteId = Number((await cloud.call('POST /api/v1/sites/register', { token: owner.token, body })).body.id);
  today = new Intl.DateTimeFormat('sv', { timeZone: ZONE }).format(cloud.clock.now());
});

const day = (date: string, values: Partial<DeviceHistoryDay> = {}): DeviceHistoryDay => ({
  date,
  time_zone: ZONE,
  first_quarter: 0,
  means: { pv_power: [100, 200], battery_state_of_charge: [55.5] },
  first_hour: 0,
  energy: { pv: [1.25, 0.5], load: [1], grid_to_load: [0.25], covered_s: [3600, 3600] },
  ...values,
});

const newest = (): SiteNewestValues => ({
  at: new Date(cloud.clock.now()).toISOString(),
  date: today,
  pv_power: 1200,
  load_power: 300,
  grid_power: -900,
  battery_power: null,
  state_of_charge: 80.5,
  pv: 4.25,
  load: 2,
  battery_in: null,
  battery_out: null,
  grid_in: 0,
  grid_out: 2.25,
});

async function send(
  body: DeviceHistoryBody,
  by: TestDevice = device,
): Promise<{ status: number; body: DeviceHistoryAnswer }> {
  const answer = await fetch(`${cloud.url}/api/v1/devices/history?uid=${device.uid}`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${await signDeviceProof(by.key, device.uid, cloud.url, cloud.clock.now())}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as DeviceHistoryAnswer };
}

const decide = (agreed: boolean, token = owner.token): Promise<Answer<SiteHistoryConsent>> =>
  cloud.call(`PUT /api/v1/sites/${siteId}/history_consent`, { token, body: { agreed } });

const energy = (query = '', token = owner.token): Promise<Answer<EnergyAnswer>> =>
  cloud.call(`GET /api/v1/sites/${siteId}/energy${query}`, { token });

const summary = async (): Promise<SiteSummary | undefined> => {
  const q = `uid:${device.uid}`;
  return (await cloud.call<SiteSummary[]>(`GET /api/v1/sites?q=${q}`, { token: owner.token })).body[0];
};

async function stored(): Promise<number> {
  const rows = await cloud.db
    .selectFrom('site_history_days')
    .select('site_id')
    .where('site_id', '=', siteId)
    .execute();
  return rows.length;
}

it('nothing is kept until the owner agrees, and then energy, means and the newest values are answered', async () => {
  const body = { days: [day(today)], newest: newest() };
  expect(await send(body)).toEqual({ status: 200, body: { agreed_at: null } });
  expect([await stored(), (await energy()).status, (await summary())?.newest_values]).toEqual([0, 409, null]);

  const agreed = await decide(true);
  expect(agreed.body).toEqual({ agreed: true, decided_at: new Date(cloud.clock.now()).toISOString() });
  expect((await energy()).status).toBe(409);
  expect((await send({ days: [], newest: null })).body.agreed_at).toBe(agreed.body.decided_at);
  expect((await send(body)).body.agreed_at).toBe(agreed.body.decided_at);
  expect((await summary())?.newest_values).toEqual(newest());

  const { body: answer } = await energy(`?from=${today}&step=day`);
  expect(answer).toMatchObject({
    time_zone: ZONE,
    step: 'day',
    total: { pv: 1.75, load: 1, battery_in: null, self_sufficiency: 0.75 },
    steps: [{ pv: 1.75 }],
  });
  const { body: hours } = await energy(`?from=${today}&step=hour`);
  expect(hours.steps.slice(0, 3).map(({ pv }) => pv)).toEqual([1.25, 0.5, null]);
  const history = await cloud.call<HistoryAnswer>(`GET /api/v1/sites/${siteId}/history?from=${today}`, {
    token: owner.token,
  });
  expect(history.body).toMatchObject({
    step: 900,
    series: [
      { topic: 'total/pv_power', unit: 'W', mean: [100, 200] },
      { topic: 'total/battery_state_of_charge', mean: [55.5] },
    ],
  });
});

it('parts of a day that are sent again, late or in another order make neither gaps nor doubles', async () => {
  await decide(true);
  const late = day(today, {
    first_quarter: 1,
    means: { pv_power: [250, 300] },
    first_hour: 1,
    energy: { pv: [0.75] },
  });
  for (const part of [late, day(today, { means: { pv_power: [100] }, energy: { pv: [1.25] } }), late, late])
    expect((await send({ days: [part], newest: null })).status).toBe(200);
  expect((await energy(`?from=${today}`)).body.total.pv).toBe(2);
  const { body } = await cloud.call<HistoryAnswer>(`GET /api/v1/sites/${siteId}/history?from=${today}`, {
    token: owner.token,
  });
  expect(body.series[0]?.mean).toEqual([100, 250, 300]);
  const older = { ...newest(), at: new Date(cloud.clock.now() - 1000).toISOString(), pv_power: 1 };
  await send({ days: [], newest: newest() });
  await send({ days: [], newest: older });
  expect((await summary())?.newest_values?.pv_power).toBe(1200);
});

it('a day in which the clock changes has its 23 or 25 hours', async () => {
  await decide(true);
  const year = new Date(cloud.clock.now()).getUTCFullYear() - 1;
  // The last Sundays of March and October.
  const sundayOf = (month: number) => 31 - new Date(Date.UTC(year, month, 31)).getUTCDay();
  for (const [month, count] of [
    [2, 23],
    [9, 25],
  ] as const) {
    const date = `${year}-${String(month + 1).padStart(2, '0')}-${sundayOf(month)}`;
    const pv = new Array<number>(count).fill(1);
    expect((await send({ days: [day(date, { energy: { pv } })], newest: null })).status).toBe(200);
    expect((await send({ days: [day(date, { energy: { pv: [...pv, 1] } })], newest: null })).status).toBe(
      422,
    );
    const { body } = await energy(`?from=${date}&to=${date}T23:59:59Z&step=day`);
    expect([body.steps[0]?.pv, body.steps[0]?.from.slice(0, 10)]).toEqual([count, date]);
  }
});

it('a day is one event with its energy once the next one begins, and days before the consent are none', async () => {
  await decide(true);
  const dateAfter = (days: number) =>
    new Date(Date.parse(today) + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
  const completed = () =>
    cloud.db
      .selectFrom('events')
      .select(['site_id', 'data'])
      .where('site_id', '=', siteId)
      .where('type', '=', 'energy.day')
      .orderBy('id')
      .execute();
  await send({ days: [day(dateAfter(-2)), day(dateAfter(-1))], newest: null });
  await send({ days: [day(today)], newest: null });
  expect(await completed()).toEqual([]);

  const end = day(today, { first_hour: 2, energy: { pv: [0.25] } });
  const begin = { days: [end, day(dateAfter(1))], newest: null };
  // A device whose answer was lost sends again.
  await Promise.all([send(begin), send(begin)]);
  await send({ days: [day(dateAfter(-1)), end], newest: null });
  const sums = { pv: 2, load: 1, grid_to_load: 0.25, covered_s: 7200 };
  expect(await completed()).toEqual([{ site_id: siteId, data: { date: today, time_zone: ZONE, ...sums } }]);
});

it.each([
  { way: 'leaves nothing of the date after', zone: 'America/Los_Angeles', isImmediate: false },
  // Its midnight is an hour after that of the former zone's date after.
  { way: 'leaves an hour of the date after', zone: 'Pacific/Pago_Pago', isImmediate: false },
  { way: 'reaches the cloud days later', zone: 'Pacific/Pago_Pago', isImmediate: true },
])(
  'the day on which a site comes back from a date ahead is an event where that $way',
  async ({ zone, isImmediate }) => {
    await decide(true);
    cloud.clock.advance(4 * 24 * 60 * 60 * 1000);
    const dateAfter = (days: number) =>
      new Date(Date.parse(today) + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
    const events = async () => {
      const rows = await cloud.db
        .selectFrom('events')
        .select('data')
        .where('site_id', '=', siteId)
        .where('type', '=', 'energy.day')
        .orderBy('id')
        .execute();
      return rows.map(({ data: { date, time_zone, pv } }) => [date, time_zone, pv]);
    };
    const ahead = 'Pacific/Kiritimati';
    const hours = (pv: number, count: number) => ({
      means: {},
      energy: { pv: new Array<number>(count).fill(pv) },
    });
    await send({ days: [day(dateAfter(1), { time_zone: ahead, ...hours(1, 24) })], newest: null });
    await send({ days: [day(dateAfter(2), { time_zone: ahead, ...hours(1, 3) })], newest: null });
    const before = [[dateAfter(1), ahead, 24]];
    expect(await events()).toEqual(before);

    // A day has 23 hours at least.
    const back = [1, 2, 3].map((nth) => day(dateAfter(nth), { time_zone: zone, ...hours(2, 23) }));
    if (!isImmediate) {
      await send({ days: back.slice(0, 1), newest: null });
      expect(await events()).toEqual(before);
      await send({ days: back.slice(0, 1), newest: null });
      await send({ days: back.slice(1, 2), newest: null });
      expect(await events()).toEqual([...before, [dateAfter(1), zone, 46]]);
    }
    await send({ days: back, newest: null });
    await send({ days: back, newest: null });
    expect(await events()).toEqual([...before, [dateAfter(1), zone, 46], [dateAfter(2), zone, 46]]);
  },
);

it('withdrawing deletes all that is kept, and agreeing again begins with nothing', async () => {
  await decide(true);
  await send({ days: [day(today)], newest: newest() });
  cloud.clock.advance(1000);
  expect((await decide(false)).body.agreed).toBe(false);
  expect([await stored(), (await summary())?.newest_values]).toEqual([0, null]);
  expect((await send({ days: [day(today)], newest: newest() })).body.agreed_at).toBeNull();
  await decide(true);
  expect([await stored(), (await energy()).status]).toEqual([0, 409]);
  const { body: log } = await cloud.call<{ action: string }[]>(`GET /api/v1/sites/${siteId}/audit`, {
    token: owner.token,
  });
  expect(log.map(({ action }) => action).filter((action) => action.includes('history'))).toEqual([
    'site.history_agreed',
    'site.history_withdrawn',
    'site.history_agreed',
  ]);
});

it('neither an admin of the site nor an operator decides for the owner, and another owner is asked again', async () => {
  const [admin, operator] = [await cloud.make.user(), await cloud.make.user({ staff: true })];
  await cloud.make.member(siteId, admin.id, 'admin');
  for (const { token } of [admin, operator]) expect((await decide(true, token)).status).toBe(403);
  await decide(true);
  await send({ days: [day(today)], newest: newest() });
  const body = { role: 'owner' };
  const session = await cloud.make.token(owner.id, { kind: 'session' });
  const moved = await cloud.call(`PATCH /api/v1/sites/${siteId}/users/${admin.id}`, {
    token: session,
    body,
  });
  expect(moved.status).toBeLessThan(300);
  expect(await stored()).toBe(0);
  const consent = await cloud.call(`GET /api/v1/sites/${siteId}/history_consent`, { token: admin.token });
  expect(consent.body).toEqual({ agreed: false, decided_at: null });
});

it('an upload with another key, a day of no calendar or too many values is refused', async () => {
  await decide(true);
  const other = await newDevice();
  expect((await send({ days: [], newest: null }, other)).status).toBe(401);
  const nextYear = `${Number(today.slice(0, 4)) + 1}-01-09`;
  for (const bad of [
    day('2026-02-30'),
    day(nextYear),
    day('1999-01-01'),
    day(today, { time_zone: 'Mars/Olympus' }),
    day(today, { first_quarter: 96 }),
  ])
    expect((await send({ days: [bad], newest: null })).status).toBe(422);
  expect((await send({ days: [day(today), day(today)], newest: null })).status).toBe(422);
  expect((await send({ days: new Array(8).fill(day(today)), newest: null })).status).toBe(400);
  expect(await stored()).toBe(0);
});

it('the history goes with its site, and after five years', async () => {
  await decide(true);
  await send({ days: [day(today)], newest: newest() });
  const [first] = await cloud.db.selectFrom('sites').select('id').where('id', '=', siteId).execute();
  expect([first?.id, await stored()]).toEqual([siteId, 1]);
  cloud.clock.advance(5 * YEAR_MS - 3 * 24 * 60 * 60 * 1000);
  const clean = () => new Housekeeping(cloud.db, cloud.clock, silentLogger).run();
  await clean();
  expect(await stored()).toBe(1);
  cloud.clock.advance(5 * 24 * 60 * 60 * 1000);
  await clean();
  expect(await stored()).toBe(0);
  await cloud.make.siteHistory(siteId);
  expect(await stored()).toBe(1);
  await cloud.db.deleteFrom('sites').where('id', '=', siteId).execute();
  expect(await stored()).toBe(0);
});

it.each([
  // Its midnight is at 18:30 UTC: 21 hours of the day before begin by then in Berlin.
  { zone: 'Asia/Kolkata', ofBerlin: 21, rests: [[], [], []] },
  // At 02:30 UTC: all of them, and five of the day itself.
  { zone: 'America/St_Johns', ofBerlin: 24 + 5, rests: [[], [ZONE], []] },
])('the energy of the day on which a site comes to the zone $zone is kept once', async (move) => {
  const { zone, ofBerlin, rests } = move;
  await decide(true);
  const dateOf = (nth: number) => `${Number(today.slice(0, 4)) - 1}-06-${10 + nth}`;
  const ofEachHour = (pv: number) => ({ means: {}, energy: { pv: new Array<number>(24).fill(pv) } });
  await send({ days: [day(dateOf(0), ofEachHour(1)), day(dateOf(1), ofEachHour(1))], newest: null });
  const byNewClock = (nth: number) => day(dateOf(nth), { time_zone: zone, ...ofEachHour(2) });
  await send({ days: [byNewClock(1), byNewClock(2)], newest: null });
  const { body } = await energy('?step=year');
  expect([body.time_zone, body.total.pv]).toEqual([zone, ofBerlin + 2 * 48]);
  const kept = await cloud.db
    .selectFrom('site_history_days')
    .select('rest_time_zones as zones')
    .where('site_id', '=', siteId)
    .orderBy('day')
    .execute();
  expect(kept.map(({ zones }) => zones)).toEqual(rests);
});

it('the energy of a date on which a site comes to two zones in turn is kept once, and read with each part', async () => {
  await decide(true);
  const dateOf = (nth: number) => `${Number(today.slice(0, 4)) - 1}-06-${10 + nth}`;
  const by = (nth: number, time_zone: string, pv: number, count: number) =>
    day(dateOf(nth), { time_zone, means: {}, energy: { pv: new Array<number>(count).fill(pv) } });
  await send({ days: [by(0, 'UTC', 1, 24), by(1, 'UTC', 1, 9)], newest: null });
  // Its midnight is at 04:00 UTC, and that of Los Angeles at 07:00.
  await send({ days: [by(1, 'America/New_York', 2, 8)], newest: null });
  await send({
    days: [by(1, 'America/Los_Angeles', 4, 24), by(2, 'America/Los_Angeles', 4, 1)],
    newest: null,
  });
  const { body } = await energy('?step=year');
  expect([body.time_zone, body.total.pv]).toEqual(['America/Los_Angeles', 24 + 4 + 3 * 2 + 25 * 4]);
  const kept = await cloud.db
    .selectFrom('site_history_days')
    .select('rest_time_zones as zones')
    .where('site_id', '=', siteId)
    .orderBy('day')
    .execute();
  expect(kept.map(({ zones }) => zones)).toEqual([[], ['UTC', 'America/New_York'], []]);
});

it.each([
  { way: 'an hour', zone: 'Pacific/Pago_Pago' },
  { way: 'nothing', zone: 'Pacific/Honolulu' },
])(
  'answers have the zone of the latest values where a move leaves $way of a date ahead',
  async ({ zone }) => {
    await decide(true);
    const dateOf = (nth: number) => `${Number(today.slice(0, 4)) - 1}-06-${10 + nth}`;
    const by = (nth: number, time_zone: string, count: number) =>
      day(dateOf(nth), { time_zone, means: {}, energy: { pv: new Array<number>(count).fill(1) } });
    await send({ days: [by(1, 'Pacific/Kiritimati', 24), by(2, 'Pacific/Kiritimati', 3)], newest: null });
    await send({ days: [by(1, zone, 7)], newest: null });
    expect((await energy('?step=year')).body.time_zone).toBe(zone);
  },
);
