import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

interface Listed {
  readonly name: string;
  readonly open_alerts: unknown;
  readonly state: string;
}

const SILENT_SINCE = new Date('2026-11-20T11:00:00Z');
const SEEN_AT = new Date('2026-11-20T10:00:00Z');

const ids: Record<string, number> = {};
let cloud: TestCloud;
let owner: TestUser;
let stranger: TestUser;
let operator: TestUser;
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.make.user();
  stranger = await cloud.make.user();
  operator = await cloud.make.user({ staff: true });
  await cloud.announce('us-1');
  const held = { online: true, proxy_name: 'us-1', last_seen_at: SEEN_AT };
  const devices: Record<string, object> = {
    alder: held,
    birch: { ...held, hardware_silent_since: SILENT_SINCE },
    cedar: { online: false, last_seen_at: SEEN_AT, hardware_silent_since: SILENT_SINCE },
    dogwood: { online: false, last_seen_at: null },
    elm: { ...held, proxy_name: 'a-proxy-that-is-gone' },
  };
  for (const [name, device] of Object.entries(devices)) {
    const site = await cloud.make.site({ name, ownerId: owner.id });
    await cloud.db.updateTable('devices').set(device).where('site_id', '=', site.id).execute();
    ids[name] = site.id;
  }
  const { alder = 0, cedar = 0, elm = 0 } = ids;
  await cloud.make.alert(alder, { severity: 2 });
  await cloud.make.alert(alder, { severity: 3, cleared_at: SEEN_AT });
  await cloud.make.alert(cedar, { severity: 3, acknowledged_at: SEEN_AT });
  await cloud.make.alert(cedar, { severity: 1 });
  await cloud.make.alert(elm, { severity: 1 });
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

async function list(query: string, { token } = owner): Promise<Listed[]> {
  const { status, body } = await cloud.call<Listed[]>(`GET /api/v1/sites?${query}`, { token });
  expect(status).toBe(200);
  return body;
}

const namesOf = (sites: readonly Listed[]): string[] => sites.map(({ name }) => name);

async function counts(query = '', { token } = owner): Promise<unknown> {
  const { status, body } = await cloud.call(`GET /api/v1/sites/counts${query}`, { token });
  expect(status).toBe(200);
  return body;
}

it('sites have the state of their device and of its hardware', async () => {
  const sites = await list('');
  expect(Object.fromEntries(sites.map(({ name, state }) => [name, state]))).toEqual({
    alder: 'online',
    birch: 'hardware_silent',
    cedar: 'offline',
    dogwood: 'never_seen',
    elm: 'offline',
  });
});

it.each([
  ['online', ['alder']],
  ['hardware_silent', ['birch']],
  ['offline', ['cedar', 'elm']],
  ['NEVER_SEEN', ['dogwood']],
])('the search for state:%s finds the sites in that state', async (state, names) => {
  expect(namesOf(await list(`q=state:${state}`))).toEqual(names);
  expect(namesOf(await list(`q=state:${state}`, operator)).toSorted()).toEqual(names);
});

it('sites have the number of their open alerts and the severity of the worst one', async () => {
  const sites = await list('');
  expect(Object.fromEntries(sites.map(({ name, open_alerts: alerts }) => [name, alerts]))).toEqual({
    alder: { count: 1, severity: 'warning' },
    birch: { count: 0, severity: null },
    cedar: { count: 2, severity: 'critical' },
    dogwood: { count: 0, severity: null },
    elm: { count: 1, severity: 'information' },
  });
});

it.each([
  ['critical', ['cedar']],
  ['warning', ['alder']],
  ['information', ['elm']],
  ['any', ['alder', 'cedar', 'elm']],
  ['NONE', ['birch', 'dogwood']],
  ['none+state:hardware_silent', ['birch']],
  ['any+state:offline', ['cedar', 'elm']],
])('the search for alert:%s finds the sites whose worst open alert is such a one', async (search, names) => {
  expect(namesOf(await list(`q=alert:${search}`))).toEqual(names);
  expect(namesOf(await list(`q=alert:${search}`, operator)).toSorted()).toEqual(names);
});

it('sites with bad alerts come first, then those whose state needs attention, and equal ones by name', async () => {
  const names = ['cedar', 'alder', 'birch', 'elm', 'dogwood'];
  expect(namesOf(await list('sort=attention'))).toEqual(names);
  expect(namesOf(await list('sort=attention', operator))).toEqual(names);
  expect(namesOf(await list('sort=attention&offset=1&limit=2'))).toEqual(['alder', 'birch']);
  expect(namesOf(await list('sort=name&direction=descending&limit=2'))).toEqual(['elm', 'dogwood']);
  expect(namesOf(await list('sort=name&limit=0'))).toEqual([]);
});

it('a site that was never seen comes last in both directions', async () => {
  expect(namesOf(await list('sort=last_seen')).at(-1)).toBe('dogwood');
  expect(namesOf(await list('sort=last_seen&direction=descending')).at(-1)).toBe('dogwood');
});

it('sites are sorted by the names of their owners', async () => {
  expect(namesOf(await list('sort=customer&limit=2'))).toEqual(['alder', 'birch']);
});

it('the counts are those of the sites that the caller sees and that match', async () => {
  const alerts = { critical: 1, warning: 1, information: 1 };
  const noAlerts = { critical: 0, warning: 0, information: 0 };
  const all = { hardware_silent: 1, offline: 2, never_seen: 1, online: 1, alerts, complete: true };
  const none = {
    ...{ hardware_silent: 0, offline: 0, never_seen: 0, online: 0, complete: true },
    alerts: noAlerts,
  };
  expect(await counts()).toEqual(all);
  expect(await counts('', operator)).toEqual(all);
  expect(await counts('', stranger)).toEqual(none);
  expect(await counts('?q=elm')).toEqual({
    ...none,
    offline: 1,
    alerts: { ...noAlerts, information: 1 },
  });
  const organization = await cloud.make.organization(owner.id);
  expect(await counts(`?organization_id=${organization}`)).toEqual(none);
});

it('a site without a device was never seen, for the counts, its owner and operators', async () => {
  const keeper = await cloud.make.user();
  const site = await cloud.make.site({ name: 'fir', ownerId: keeper.id });
  await cloud.db.updateTable('devices').set({ site_id: null }).where('site_id', '=', site.id).execute();
  expect(await counts('?q=fir', operator)).toMatchObject({ never_seen: 1, offline: 0 });
  for (const caller of [keeper, operator])
    for (const q of ['state:never_seen', 'fir+state:never_seen', 'state:never_seen+region:us'])
      expect(namesOf(await list(`q=${q}`, caller))).toContain('fir');
});
