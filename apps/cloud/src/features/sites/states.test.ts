import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestUser } from '../../testing/factory.ts';
import { startTestCloud, type TestCloud } from '../../testing/test-cloud.ts';

interface Listed {
  readonly name: string;
  readonly state: string;
}

const SILENT_SINCE = new Date('2026-11-20T11:00:00Z');
const SEEN_AT = new Date('2026-11-20T10:00:00Z');

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
  }
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

it('sites that need attention come first, and those in one state by name', async () => {
  expect(namesOf(await list('sort=attention'))).toEqual(['birch', 'cedar', 'elm', 'dogwood', 'alder']);
  expect(namesOf(await list('sort=attention', operator))).toEqual([
    'birch',
    'cedar',
    'elm',
    'dogwood',
    'alder',
  ]);
  expect(namesOf(await list('sort=attention&offset=1&limit=2'))).toEqual(['cedar', 'elm']);
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
  const all = { hardware_silent: 1, offline: 2, never_seen: 1, online: 1, complete: true };
  const none = { hardware_silent: 0, offline: 0, never_seen: 0, online: 0, complete: true };
  expect(await counts()).toEqual(all);
  expect(await counts('', operator)).toEqual(all);
  expect(await counts('', stranger)).toEqual(none);
  expect(await counts('?q=elm')).toEqual({ ...none, offline: 1 });
  const organization = await cloud.make.organization(owner.id);
  expect(await counts(`?organization_id=${organization}`)).toEqual(none);
});
