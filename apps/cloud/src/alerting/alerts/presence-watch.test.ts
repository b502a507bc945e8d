import type { EventType } from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { type Insertable, sql, type Updateable } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { tracingLogger } from '../../../test/tracing-logger.ts';
import type { Schema } from '../../db/schema.ts';
import { ProxyService } from '../../devices/proxies/service.ts';
import { PresenceWatch } from './presence-watch.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;
const SECOND = 1 / 60;

let cloud: TestCloud;
let ownerId: number;
beforeAll(async () => {
  // Its own watch, which looks by the time of day, is not to run besides.
  cloud = await startTestCloud({}, undefined, { presenceIntervalMs: DAY_MINUTES * MINUTE_MS });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await cloud.db.deleteFrom('sites').execute();
  await cloud.db.deleteFrom('outages').execute();
  await cloud.db.deleteFrom('events').execute();
  await cloud.db.deleteFrom('proxies').where('name', '<>', 'eu-1').execute();
  ownerId = (await cloud.make.user()).id;
  await cloud.announce('eu-1');
});

async function addSites(count: number, organizationId: number | null): Promise<number[]> {
  const ids: number[] = [];
  for (let i = 0; i < count; i++) ids.push((await cloud.make.site({ ownerId, organizationId })).id);
  await setDevices(ids, { online: true, proxy_name: 'eu-1' });
  return ids;
}

const setDevices = (siteIds: readonly number[], values: object) =>
  cloud.db.updateTable('devices').set(values).where('site_id', 'in', siteIds).execute();

/** The devices leave now. */
const lose = (siteIds: readonly number[]) =>
  setDevices(siteIds, { online: false, last_seen_at: new Date(cloud.clock.now()) });

const watch = async () => {
  const { db, clock } = cloud;
  const proxies = new ProxyService(db, clock);
  await new PresenceWatch({ db, proxies, clock, logger: silentLogger }).run();
  // No alert of a rule is raised twice at one moment.
  clock.advance(1);
};

/** Time passes, while the proxy announces itself or is gone. */
async function pass(minutes: number, { isProxyGone = false } = {}): Promise<void> {
  cloud.clock.advance(minutes * MINUTE_MS);
  if (!isProxyGone) {
    await cloud.db
      .updateTable('proxies')
      .set({ announced_at: new Date(cloud.clock.now()) })
      .execute();
  }
  await watch();
}

async function events(): Promise<EventType[]> {
  const rows = await cloud.db.selectFrom('events').select('type').orderBy('id').execute();
  return rows.map(({ type }) => type).filter((type) => !type.startsWith('site'));
}

const ago = (minutes: number) => new Date(cloud.clock.now() - minutes * MINUTE_MS);

/** A site of a table: its device, itself, and its alert, which is open. */
interface Row {
  readonly device?: Updateable<Schema['devices']>;
  readonly site?: Updateable<Schema['sites']>;
  readonly alert?: Partial<Insertable<Schema['alerts']>>;
}
type Rows = Readonly<Record<string, Row>>;

/** Makes a site for each row. @returns their ids by the names of the rows */
async function make(rows: Rows, organizationId: number | null = null): Promise<Map<string, number>> {
  const names = Object.keys(rows);
  const sites = await cloud.make.sites(names.length, { ownerId, organizationId });
  const ids = new Map(names.map((name, index) => [name, sites[index]?.id ?? 0]));
  for (const [name, { device, site, alert }] of Object.entries(rows)) {
    const id = ids.get(name) ?? 0;
    if (site !== undefined) await cloud.db.updateTable('sites').set(site).where('id', '=', id).execute();
    if (device !== undefined) await setDevices([id], device);
    if (alert !== undefined) await cloud.make.alert(id, { device_alert_id: null, ...alert });
  }
  return ids;
}

/** Names of the rows whose sites have an open alert of a rule. */
async function openOf(rule: string, ids: ReadonlyMap<string, number>): Promise<string[]> {
  const alerts = await cloud.db
    .selectFrom('alerts')
    .select('site_id')
    .where('rule', '=', rule)
    .where('cleared_at', 'is', null)
    .execute();
  const open = new Set(alerts.map(({ site_id }) => site_id));
  return [...ids].flatMap(([name, id]) => (open.has(id) ? [name] : []));
}

/** By default it went silent 40 seconds ago. */
async function addProxy(name: string, announced_at = ago(40 * SECOND)): Promise<void> {
  await cloud.announce(name);
  await cloud.db.updateTable('proxies').set({ announced_at }).where('name', '=', name).execute();
}

async function openAlerts(): Promise<number> {
  const rows = await cloud.db.selectFrom('alerts').select('id').where('cleared_at', 'is', null).execute();
  return rows.length;
}

it('a site is offline for an alert after its minutes, once, until its device is back', async () => {
  const sites = await addSites(1, null);
  await lose(sites);
  await pass(14);
  expect(await events()).toEqual([]);
  await pass(1);
  await pass(1);
  expect(await events()).toEqual(['alert.raised']);
  await setDevices(sites, { online: true, proxy_name: 'eu-1' });
  await pass(1);
  await pass(1);
  expect(await events()).toEqual(['alert.raised', 'alert.cleared']);
});

it('a lost proxy is one notice for each organization, within a minute, and none for each site', async () => {
  const [first, second] = [await cloud.make.organization(), await cloud.make.organization()];
  const sites = await addSites(12, first);
  const others = await addSites(11, second);
  await pass(0.75, { isProxyGone: true });
  await pass(30, { isProxyGone: true });
  expect(await events()).toEqual(['outage.began', 'outage.began']);
  const dataOf = (type: EventType) =>
    cloud.db
      .selectFrom('events')
      .select(['organization_id', 'data'])
      .where('type', '=', type)
      .orderBy('organization_id')
      .execute();
  expect(await dataOf('outage.began')).toMatchObject([
    { organization_id: first, data: { sites: 12, proxies: ['eu-1'] } },
    { organization_id: second, data: { sites: 11, proxies: ['eu-1'] } },
  ]);
  expect(await openAlerts()).toBe(23);
  // The sites of the second one stay away for longer, but one.
  await lose(others.slice(1));
  await setDevices([...sites, ...others.slice(0, 1)], { online: true });
  await pass(1);
  expect(await events()).toEqual(['outage.began', 'outage.began', 'outage.ended']);
  expect(await openAlerts()).toBe(10);
  await setDevices(others, { online: true });
  await pass(1);
  expect(await events()).toEqual(['outage.began', 'outage.began', 'outage.ended', 'outage.ended']);
  expect(await dataOf('outage.ended')).toMatchObject([
    { organization_id: first, data: { sites: 12, still_offline: 0 } },
    { organization_id: second, data: { sites: 11, still_offline: 0 } },
  ]);
  expect(await openAlerts()).toBe(0);
});

it('sites that an outage leaves behind have alerts of their own when it ends', async () => {
  const sites = await addSites(20, await cloud.make.organization());
  await lose(sites);
  await pass(1);
  expect(await events()).toEqual(['outage.began']);
  await setDevices(sites.slice(1), { online: true });
  await pass(5);
  expect(await events()).toEqual(['outage.began', 'outage.ended', 'alert.raised']);
  await setDevices(sites, { online: true });
  await pass(1);
  expect(await events()).toEqual(['outage.began', 'outage.ended', 'alert.raised', 'alert.cleared']);
});

describe('an offline alert', () => {
  it('an offline alert is raised for exactly the sites that are lost for their minutes, want one, and have none', async () => {
    await addProxy('gone');
    await addProxy('gone-for-long', ago(15));
    await addProxy('gone-for-days', ago(15 + DAY_MINUTES));
    await cloud.announce('eu-1');
    const away = { online: false, last_seen_at: ago(15) };
    const behind = { online: true, proxy_name: 'gone-for-long' };
    const right: Rows = {
      'away for its minutes': { device: away },
      'away for almost a day more': { device: { ...away, last_seen_at: ago(15 + DAY_MINUTES - SECOND) } },
      'away for the five minutes that it asks for': {
        device: { ...away, last_seen_at: ago(5) },
        site: { offline_minutes: 5 },
      },
      'away for the week that it asks for': {
        device: { ...away, last_seen_at: ago(7 * DAY_MINUTES) },
        site: { offline_minutes: 7 * DAY_MINUTES },
      },
      'listed at a proxy that is gone for its minutes': { device: behind },
      'offline before, too': { device: away, alert: { rule: 'offline', cleared_at: ago(60) } },
      'with an alert about something else': { device: away, alert: { rule: 'fault', kind: 'complaint' } },
    };
    const wrong: Rows = {
      online: { device: { ...away, online: true, proxy_name: 'eu-1' } },
      revoked: { device: { ...away, revoked_at: ago(0) } },
      'without a device': { device: { ...away, site_id: null } },
      'never seen': { device: { ...away, last_seen_at: null } },
      'away for less': { device: { ...away, last_seen_at: ago(15 - SECOND) } },
      'away for a day more': { device: { ...away, last_seen_at: ago(15 + DAY_MINUTES) } },
      'away for less than the day that it asks for': { device: away, site: { offline_minutes: DAY_MINUTES } },
      'without minutes': { device: away, site: { offline_minutes: null } },
      'listed at a proxy that went a minute ago': { device: { ...behind, proxy_name: 'gone' } },
      'away for less, from a proxy that went later': {
        device: { online: false, last_seen_at: ago(1), proxy_name: 'gone-for-long' },
      },
      'listed at a proxy that is gone for days': { device: { ...behind, proxy_name: 'gone-for-days' } },
      'behind a lost proxy, and revoked': { device: { ...behind, revoked_at: ago(0) } },
      'behind a lost proxy, without a device': { device: { ...behind, site_id: null } },
      'behind a lost proxy, without minutes': { device: behind, site: { offline_minutes: null } },
    };
    const known: Rows = { 'with an open one': { device: away, alert: { rule: 'offline', kind: 'offline' } } };
    const ids = await make({ ...right, ...wrong, ...known });
    await watch();
    expect(await openOf('offline', ids)).toEqual([...Object.keys(right), ...Object.keys(known)]);
    const raised = Object.keys(right).map(() => 'alert.raised');
    expect(await events()).toEqual(raised);
    await watch();
    expect(await events()).toEqual(raised);
  });

  it('an offline alert has the moment at which the device or its proxy was lost, and so has its event', async () => {
    const [lostAt, goneAt] = [ago(17), ago(20)];
    await addProxy('gone', goneAt);
    const rows = {
      itself: { device: { online: false, last_seen_at: lostAt } },
      proxy: { device: { online: true, proxy_name: 'gone', last_seen_at: ago(3) } },
    };
    const ids = await make(rows, await cloud.make.organization());
    await watch();
    const stored = await cloud.db
      .selectFrom('events')
      .innerJoin('sites', 'sites.id', 'events.site_id')
      .select(['site_id', 'type', sql<string>`data ->> 'since'`.as('since')])
      .whereRef('events.organization_id', '=', 'sites.organization_id')
      .orderBy('site_id')
      .orderBy('type')
      .execute();
    const expected = (name: string, at: Date) =>
      ['alert.raised', 'site.offline'].map((type) => [ids.get(name), type, at.toISOString()]);
    expect(stored.map(({ site_id, type, since }) => [site_id, type, since])).toEqual([
      ...expected('itself', lostAt),
      ...expected('proxy', goneAt),
    ]);
  });
});

describe('an outage', () => {
  const lost = { online: false, last_seen_at: new Date(0) };
  const times = (count: number, row: Row, name = 'site'): Rows =>
    Object.fromEntries(Array.from({ length: count }, (_, nth) => [`${name} ${nth}`, row]));

  it('an outage begins for exactly the organizations that lost ten sites and a twentieth together, or ten with a proxy', async () => {
    await addProxy('gone');
    await addProxy('gone-just-now', ago(25 * SECOND));
    await addProxy('gone-for-an-hour', ago(60));
    await cloud.announce('eu-1');
    const itself: Row = { device: { ...lost, last_seen_at: ago(SECOND * 30) } };
    const behind: Row = { device: { online: true, proxy_name: 'gone' } };
    const online: Row = { device: { online: true, proxy_name: 'eu-1' } };
    const nine = times(9, itself);
    const groups: [string, boolean, Rows, number?][] = [
      ['ten by themselves', true, times(10, itself)],
      ['ten of 200', true, times(10, itself), 190],
      ['ten of 201', false, times(10, itself), 191],
      ['ten of 201, with their proxy', true, times(10, behind), 191],
      [
        'ten, whose proxy went an hour ago',
        true,
        times(10, { device: { online: true, proxy_name: 'gone-for-an-hour' } }),
      ],
      ['nine', false, nine],
      ['nine, with their proxy', false, times(9, behind)],
      ['nine with their proxy and one besides', true, { ...times(9, behind), besides: itself }],
      [
        'nine, and one lost for 15 minutes',
        false,
        { ...nine, former: { device: { ...lost, last_seen_at: ago(15) } } },
      ],
      [
        'nine, and one lost just now',
        false,
        { ...nine, late: { device: { ...lost, last_seen_at: ago(SECOND * 29) } } },
      ],
      [
        'nine, and one revoked',
        false,
        { ...nine, revoked: { device: { ...itself.device, revoked_at: ago(0) } } },
      ],
      [
        'nine, and one that wants no alert',
        false,
        { ...nine, quiet: { ...itself, site: { offline_minutes: null } } },
      ],
      ['nine, and one online', false, { ...nine, online }],
      [
        'nine, and one known to be offline',
        false,
        { ...nine, known: { ...itself, alert: { rule: 'offline', kind: 'offline' } } },
      ],
      [
        'ten, whose proxy went just now',
        false,
        times(10, { device: { online: true, proxy_name: 'gone-just-now' } }),
      ],
    ];
    const names = new Map<number | null, string>();
    for (const [name, , rows, others = 0] of groups) {
      const organizationId = await cloud.make.organization();
      names.set(organizationId, name);
      await make(rows, organizationId);
      if (others > 0) await cloud.make.sites(others, { ownerId, organizationId });
    }
    await watch();
    const begun = async () => {
      const outages = await cloud.db
        .selectFrom('outages')
        .select(['organization_id', 'sites'])
        .orderBy('id')
        .execute();
      return outages
        .map(({ organization_id, sites }) => `${names.get(organization_id)}: ${sites}`)
        .toSorted();
    };
    const expected = groups.flatMap(([name, begins]) => (begins ? [`${name}: 10`] : [])).toSorted();
    expect(await begun()).toEqual(expected);
    await watch();
    expect(await begun()).toEqual(expected);
    // No site has a notice of its own, but the one that was lost early.
    expect(await events()).toEqual([...expected.map(() => 'outage.began'), 'alert.raised']);
    const { data } = await cloud.db
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'outage.began')
      .limit(1)
      .executeTakeFirstOrThrow();
    expect(data).toMatchObject({ proxies: ['gone', 'gone-for-an-hour', 'gone-just-now'] });
  });

  it('an outage of sites without an organization begins with their proxy alone', async () => {
    await addProxy('gone');
    await make(times(10, { device: { ...lost, last_seen_at: ago(1) } }, 'itself'));
    await make(times(9, { device: { online: true, proxy_name: 'gone' } }, 'behind'));
    await watch();
    expect(await cloud.db.selectFrom('outages').select('id').execute()).toEqual([]);
    await make({ tenth: { device: { online: true, proxy_name: 'gone' } } });
    await watch();
    expect(await cloud.db.selectFrom('outages').select(['organization_id', 'sites']).execute()).toEqual([
      { organization_id: null, sites: 20 },
    ]);
  });

  it('an outage has exactly the sites of its organization that are lost at its time; others have alerts of their own', async () => {
    const organizationId = await cloud.make.organization();
    const other = await cloud.make.organization();
    const itself: Row = { device: { ...lost, last_seen_at: ago(1) } };
    const ids = await make(times(20, itself), organizationId);
    await watch();
    expect(await events()).toEqual(['outage.began']);
    const later = await make(
      { later: itself, former: { device: { ...lost, last_seen_at: ago(15) } } },
      organizationId,
    );
    const foreign = await make({ foreign: itself }, other);
    const homeless = await make({ homeless: itself });
    await watch();
    const joined = await cloud.db
      .selectFrom('alerts')
      .select('site_id')
      .where('outage_id', 'is not', null)
      .execute();
    expect(joined.map(({ site_id }) => site_id).toSorted((a, b) => a - b)).toEqual([
      ...ids.values(),
      later.get('later'),
    ]);
    expect(await events()).toEqual(['outage.began', 'alert.raised']);
    expect(await openOf('offline', new Map([...later, ...foreign, ...homeless]))).toEqual([
      'later',
      'former',
    ]);
    expect(await cloud.db.selectFrom('outages').select('sites').execute()).toEqual([{ sites: 21 }]);

    // A site that comes back and is lost again counts once.
    await setDevices([later.get('later') ?? 0], { online: true, proxy_name: 'eu-1' });
    await watch();
    await setDevices([later.get('later') ?? 0], { online: false });
    await watch();
    expect(await cloud.db.selectFrom('outages').select('sites').execute()).toEqual([{ sites: 21 }]);

    // It ends when at most a tenth of the most that it had is left; what is left is offline by itself.
    const all = [...ids.values(), later.get('later') ?? 0];
    await setDevices(all.slice(3), { online: true, proxy_name: 'eu-1' });
    await watch();
    expect(await events()).toEqual(['outage.began', 'alert.raised']);
    await setDevices(all.slice(2, 3), { online: true, proxy_name: 'eu-1' });
    await watch();
    expect((await events()).slice(2)).toEqual(['outage.ended', 'alert.raised', 'alert.raised']);
    const ended = await cloud.db
      .selectFrom('events')
      .select('data')
      .where('type', '=', 'outage.ended')
      .execute();
    expect(ended).toMatchObject([{ data: { sites: 21, still_offline: 2 } }]);

    // An outage that is over takes no more sites.
    await setDevices(all.slice(3, 4), { online: false, last_seen_at: ago(1) });
    await watch();
    expect(await openOf('offline', new Map([...ids, ...later]))).toHaveLength(3);
    expect(await events()).toHaveLength(5);
  });
});

describe('an alert about silent hardware', () => {
  it('an alert about silent hardware is raised for exactly the sites whose devices are there and have reported it for 15 minutes', async () => {
    await addProxy('gone');
    await cloud.announce('eu-1');
    const silent = { online: true, proxy_name: 'eu-1', hardware_silent_since: ago(15) };
    const open = { rule: 'silent', kind: 'silent' } as const;
    const right: Rows = {
      'silent for 15 minutes': { device: silent },
      'silent for days': { device: { ...silent, hardware_silent_since: ago(9 * DAY_MINUTES) } },
      'without minutes of being offline': { device: silent, site: { offline_minutes: null } },
      'whose own alert is cleared': { device: silent, alert: { ...open, cleared_at: ago(1) } },
      'with an alert about something else': { device: silent, alert: { rule: 'fault', kind: 'complaint' } },
    };
    const wrong: Rows = {
      answering: { device: { ...silent, hardware_silent_since: null } },
      'silent for less': { device: { ...silent, hardware_silent_since: ago(15 - SECOND) } },
      offline: { device: { ...silent, online: false } },
      'listed at a proxy that is gone': { device: { ...silent, proxy_name: 'gone' } },
      'whose device reports it itself': { device: silent, alert: { ...open, device_alert_id: 1 } },
      'without a device': { device: { ...silent, site_id: null } },
    };
    const ids = await make({ ...right, ...wrong });
    await watch();
    expect(await openOf('no_data', ids)).toEqual(Object.keys(right));
    await watch();
    expect(await events()).toEqual(Object.keys(right).map(() => 'alert.raised'));
  });

  it('an alert about silent hardware stays for exactly the sites whose device still reports it', async () => {
    const silent = { online: true, proxy_name: 'eu-1', hardware_silent_since: ago(60) };
    const alert = { rule: 'no_data', kind: 'no_data' } as const;
    const stays: Rows = {
      'still silent': { device: silent, alert },
      'still silent when last seen': { device: { ...silent, online: false }, alert },
    };
    const tooMany = { rule: 'too_many_alerts', kind: 'too_many_alerts' } as const;
    const flooded = await make({
      'with a device': { device: { ...silent, online: false }, alert: tooMany },
      'without a device': { device: { ...silent, site_id: null }, alert: tooMany },
    });
    const goes: Rows = {
      answering: { device: { ...silent, hardware_silent_since: null }, alert },
      revoked: { device: { ...silent, online: false, revoked_at: ago(1) }, alert },
      'without a device': { device: { ...silent, site_id: null }, alert },
    };
    const other = await make({ other: { alert: { rule: 'fault', kind: 'complaint' } } });
    const ids = await make({ ...stays, ...goes });
    await watch();
    expect(await openOf('no_data', ids)).toEqual(Object.keys(stays));
    expect(await openOf('fault', other)).toEqual(['other']);
    expect(await openOf('too_many_alerts', flooded)).toEqual(['with a device']);
    expect(await events()).toEqual([...Object.keys(goes), 'flooded'].map(() => 'alert.cleared'));
  });
});

it('an offline alert stays for exactly the sites that are still lost, and an event names those that are back', async () => {
  await addProxy('gone');
  await cloud.announce('eu-1');
  const device = { online: false, last_seen_at: ago(60) };
  const alert = { rule: 'offline', kind: 'offline' } as const;
  const online = { ...device, online: true, proxy_name: 'eu-1' };
  const { id: outageId } = await cloud.db
    .insertInto('outages')
    .values({ organization_id: null, began_at: ago(60), sites: 3 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const stays: Rows = {
    'still away': { device, alert },
    'listed at a proxy that is gone': { device: { ...online, proxy_name: 'gone' }, alert },
    'of an outage': { device, alert: { ...alert, outage_id: outageId } },
  };
  const isBack: Rows = {
    back: { device: online, alert },
    'back from an outage': { device: online, alert: { ...alert, outage_id: outageId } },
  };
  const isLeft: Rows = {
    revoked: { device: { ...device, revoked_at: ago(1) }, alert },
    'without a device': { device: { ...device, site_id: null }, alert },
    'without minutes': { device, site: { offline_minutes: null }, alert },
    'of an outage, and revoked': {
      device: { ...device, revoked_at: ago(1) },
      alert: { ...alert, outage_id: outageId },
    },
  };
  const ids = await make({ ...stays, ...isBack, ...isLeft });
  await watch();
  expect(await openOf('offline', ids)).toEqual(Object.keys(stays));
  const names = new Map([...ids].map(([name, id]) => [id, name]));
  const stored = await cloud.db
    .selectFrom('events')
    .select(['site_id', 'type'])
    .where('site_id', 'is not', null)
    .orderBy('site_id')
    .orderBy('type')
    .execute();
  expect(stored.map(({ site_id, type }) => `${names.get(site_id ?? 0)}: ${type}`)).toEqual([
    'back: alert.cleared',
    'back: site.online',
    'back from an outage: site.online',
    'revoked: alert.cleared',
    'without a device: alert.cleared',
    'without minutes: alert.cleared',
  ]);
});

it('sites beyond one transaction are looked at in the same run, and none by a second process meanwhile', async () => {
  const count = 2_001;
  // Kept up row by row, the words of the sites would take most of the time.
  for (const table of ['sites', 'devices'])
    await sql`alter table ${sql.ref(table)} disable trigger user`.execute(cloud.db);
  await cloud.make.sites(count, { ownerId });
  await cloud.db
    .updateTable('devices')
    .set({ online: false, last_seen_at: ago(15) })
    .where('site_id', 'is not', null)
    .execute();
  for (const table of ['sites', 'devices'])
    await sql`alter table ${sql.ref(table)} enable trigger user`.execute(cloud.db);
  await cloud.db.transaction().execute(async (other) => {
    await sql`select pg_advisory_xact_lock(4871205)`.execute(other);
    await watch();
  });
  expect(await openAlerts()).toBe(0);
  await watch();
  expect(await openAlerts()).toBe(count);
  await cloud.db.updateTable('devices').set({ online: true, proxy_name: 'eu-1' }).execute();
  await watch();
  expect(await openAlerts()).toBe(0);
});

it('the watch looks again and again until it is stopped, also after the database was away', async () => {
  const { db, clock } = cloud;
  let looks = 0;
  const proxies = {
    async directory() {
      looks++;
      if (looks === 1) throw new Error('away');
      return new ProxyService(db, clock).directory();
    },
  } as ProxyService;
  const { logger, lines } = tracingLogger();
  const presence = new PresenceWatch({ db, proxies, clock, logger, intervalMs: 1 });
  const sites = await addSites(1, null);
  await lose(sites);
  clock.advance(15 * MINUTE_MS);
  presence.start();
  await expect.poll(openAlerts, { interval: 5 }).toBe(1);
  await presence.stop();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 40, reason: 'away' }]);
});
