import type { EventType } from '@heliograph/contracts';
import { silentLogger } from '@heliograph/kit';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';
import { ProxyRepository } from '../proxies/repository.ts';
import { ProxyService } from '../proxies/service.ts';
import { PresenceWatch } from './presence-watch.ts';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 24 * 60;

let cloud: TestCloud;
let ownerId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());
beforeEach(async () => {
  await cloud.db.deleteFrom('sites').execute();
  await cloud.db.deleteFrom('outages').execute();
  await cloud.db.deleteFrom('events').execute();
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
  const proxies = new ProxyService(new ProxyRepository(db), clock);
  await new PresenceWatch({ db, proxies, clock, logger: silentLogger }).run();
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

it('a site without minutes has no alert, and one that asks for fewer has it earlier', async () => {
  const [never = 0, soon = 0] = await addSites(2, null);
  await cloud.db.updateTable('sites').set({ offline_minutes: null }).where('id', '=', never).execute();
  await cloud.db.updateTable('sites').set({ offline_minutes: 5 }).where('id', '=', soon).execute();
  await lose([never, soon]);
  await pass(5);
  await pass(60);
  expect(await cloud.db.selectFrom('alerts').select('site_id').execute()).toEqual([{ site_id: soon }]);
});

it('a site that asks for days has its alert after them, and one that was away for a day more has none', async () => {
  const [days = 0, old = 0] = await addSites(2, null);
  await cloud.db
    .updateTable('sites')
    .set({ offline_minutes: 3 * DAY_MINUTES })
    .where('id', '=', days)
    .execute();
  await lose([days, old]);
  await cloud.db.updateTable('sites').set({ offline_minutes: null }).where('id', '=', old).execute();
  await pass(2 * DAY_MINUTES);
  await cloud.db.updateTable('sites').set({ offline_minutes: 15 }).where('id', '=', old).execute();
  await pass(DAY_MINUTES - 1);
  expect(await openAlerts()).toBe(0);
  await pass(1);
  expect(await cloud.db.selectFrom('alerts').select(['site_id', 'cleared_at']).execute()).toEqual([
    { site_id: days, cleared_at: null },
  ]);
});

it('a lost proxy is one notice for each organization, within a minute, and none for each site', async () => {
  const [first, second] = [await cloud.make.organization(), await cloud.make.organization()];
  await addSites(12, first);
  await addSites(11, second);
  await pass(0.75, { isProxyGone: true });
  await pass(30, { isProxyGone: true });
  expect(await events()).toEqual(['outage.began', 'outage.began']);
  const began = await cloud.db
    .selectFrom('events')
    .select(['organization_id', 'data'])
    .where('type', '=', 'outage.began')
    .orderBy('organization_id')
    .execute();
  expect(began).toMatchObject([
    { organization_id: first, data: { sites: 12, proxies: ['eu-1'] } },
    { organization_id: second, data: { sites: 11, proxies: ['eu-1'] } },
  ]);
  expect(await openAlerts()).toBe(23);
  await pass(1);
  expect(await events()).toEqual(['outage.began', 'outage.began', 'outage.ended', 'outage.ended']);
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

it('a few sites of many that go offline by themselves are no outage', async () => {
  const sites = await addSites(9, await cloud.make.organization());
  await lose(sites);
  await pass(1);
  expect(await events()).toEqual([]);
  await pass(15);
  expect((await events()).every((type) => type === 'alert.raised')).toBe(true);
  expect(await openAlerts()).toBe(9);
});

it('hardware that is silent for a while is an alert, unless the device reports it itself', async () => {
  const sites = await addSites(1, null);
  await setDevices(sites, { hardware_silent_since: new Date(cloud.clock.now()) });
  await pass(14);
  expect(await events()).toEqual([]);
  await pass(1);
  expect(await events()).toEqual(['alert.raised']);
  await setDevices(sites, { hardware_silent_since: null });
  await pass(1);
  expect(await events()).toEqual(['alert.raised', 'alert.cleared']);
});
