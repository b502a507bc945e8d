import type { Scope } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const ORGANIZATIONS = ['sunny', 'rainy'] as const;
type Organization = (typeof ORGANIZATIONS)[number];

/** The owner of each site, its organization, and the one it is shared with. Ada is a member of some. */
const SITES = {
  'ada-free': { owner: 'ada' },
  'ada-of-sunny': { owner: 'ada', of: 'sunny' },
  'ada-shared-with-sunny': { owner: 'ada', sharedWith: 'sunny' },
  'ada-of-rainy-with-sunny': { owner: 'ada', of: 'rainy', sharedWith: 'sunny' },
  'member-free': { owner: 'bob', member: true },
  'member-of-rainy': { owner: 'bob', of: 'rainy', member: true },
  'bob-free': { owner: 'bob' },
  'bob-of-sunny': { owner: 'bob', of: 'sunny' },
  'bob-of-rainy': { owner: 'bob', of: 'rainy' },
  'bob-of-rainy-with-sunny': { owner: 'bob', of: 'rainy', sharedWith: 'sunny' },
} as const satisfies Record<
  string,
  { owner: 'ada' | 'bob'; of?: Organization; sharedWith?: Organization; member?: boolean }
>;
type SiteName = keyof typeof SITES;

const PEOPLE = ['ada', 'bob', 'employee', 'customer', 'of both', 'staff'] as const;
type Person = (typeof PEOPLE)[number];

const ADAS = [
  'ada-free',
  'ada-of-rainy-with-sunny',
  'ada-of-sunny',
  'ada-shared-with-sunny',
  'member-free',
  'member-of-rainy',
] as const;
const SUNNYS = [
  'ada-of-rainy-with-sunny',
  'ada-of-sunny',
  'ada-shared-with-sunny',
  'bob-of-rainy-with-sunny',
  'bob-of-sunny',
] as const;
const RAINYS = [
  'ada-of-rainy-with-sunny',
  'bob-of-rainy',
  'bob-of-rainy-with-sunny',
  'member-of-rainy',
] as const;

let cloud: TestCloud;
const siteIds = new Map<SiteName, number>();
const organizationIds = new Map<Organization, number>();
const userIds = new Map<Person, number>();

function id<Name>(ids: ReadonlyMap<Name, number>, name: Name): number {
  const found = ids.get(name);
  if (found === undefined) throw new Error(`No ${name}`);
  return found;
}

beforeAll(async () => {
  cloud = await startTestCloud();
  for (const person of PEOPLE) {
    userIds.set(person, (await cloud.make.user({ staff: person === 'staff' })).id);
  }
  const both = id(userIds, 'of both');
  organizationIds.set('sunny', await cloud.make.organization(id(userIds, 'employee'), both));
  organizationIds.set('rainy', await cloud.make.organization(both));
  await cloud.db
    .updateTable('users')
    .set({ organization_id: id(organizationIds, 'sunny') })
    .where('id', '=', id(userIds, 'customer'))
    .execute();
  for (const [name, { owner, ...more }] of Object.entries(SITES)) {
    const organizationId = 'of' in more ? id(organizationIds, more.of) : null;
    const site = await cloud.make.site({ name, ownerId: id(userIds, owner), organizationId });
    siteIds.set(name as SiteName, site.id);
    if ('member' in more) await cloud.make.member(site.id, id(userIds, 'ada'), 'member');
    if ('sharedWith' in more) await cloud.make.share(id(organizationIds, more.sharedWith), site.id);
  }
  await cloud.announce('us-1');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

async function listed(token: string, query = ''): Promise<string[]> {
  const { status, body } = await cloud.call<{ name: string }[]>(`GET /api/v1/sites${query}`, { token });
  expect(status).toBe(200);
  return body.map(({ name }) => name);
}

/** The site according to `GET /sites/:id` and to authorize, which must agree. */
async function shown(token: string): Promise<string[]> {
  const names: string[] = [];
  for (const [name, siteId] of siteIds) {
    const show = await cloud.call(`GET /api/v1/sites/${siteId}`, { token });
    const authorize = await cloud.call(`POST /api/v1/sites/${siteId}/authorize`, { token });
    expect([200, 404]).toContain(show.status);
    expect(authorize.status).toBe(show.status);
    if (show.status === 200) names.push(name);
  }
  return names;
}

const among = (some: readonly string[], others: readonly string[]) =>
  some.filter((name) => others.includes(name));
const every = Object.keys(SITES);
const bobs = every.filter((name) => !name.startsWith('ada'));

describe.each<[Person, Organization | null, readonly string[]]>([
  ['ada', null, ADAS],
  ['ada', 'sunny', among(ADAS, SUNNYS)],
  ['ada', 'rainy', among(ADAS, RAINYS)],
  ['bob', null, bobs],
  ['bob', 'sunny', among(bobs, SUNNYS)],
  ['employee', null, SUNNYS],
  ['employee', 'sunny', SUNNYS],
  ['employee', 'rainy', []],
  ['of both', null, [...new Set([...SUNNYS, ...RAINYS])]],
  ['of both', 'sunny', SUNNYS],
  ['of both', 'rainy', RAINYS],
  ['customer', null, []],
  ['customer', 'sunny', []],
  ['staff', null, every],
  ['staff', 'sunny', SUNNYS],
  ['staff', 'rainy', RAINYS],
])('sites visible to %s with a token of %s', (person, organization, expected) => {
  let token: string;
  beforeAll(async () => {
    const organizationId = organization && id(organizationIds, organization);
    token = await cloud.make.token(id(userIds, person), { organizationId });
  });

  it('the list and GET /sites/:id show the same sites', async () => {
    const names = await listed(token);
    expect(names.toSorted()).toEqual(expected.toSorted());
    expect((await shown(token)).toSorted()).toEqual(expected.toSorted());
    if (person !== 'staff') expect(names).toEqual(names.toSorted());
    else expect(names).toEqual(every.toReversed().filter((name) => names.includes(name)));
  });

  it('each site is on one page, with and without a search', async () => {
    for (const query of ['', '&q=of']) {
      const whole = await listed(token, `?limit=200${query}`);
      const paged: string[] = [];
      for (let offset = 0; offset <= whole.length; offset += 2) {
        paged.push(...(await listed(token, `?limit=2&offset=${offset}${query}`)));
      }
      expect(paged).toEqual(whole);
    }
  });
});

describe('a token of one site', () => {
  const single = (person: Person, site: SiteName | null, scopes: Scope[] = ['openid', 'sites:read_single']) =>
    cloud.make.token(id(userIds, person), {
      kind: 'oauth',
      scopes,
      siteId: site && id(siteIds, site),
    });

  it.each<[Person, SiteName | null, string[]]>([
    ['ada', 'ada-of-sunny', ['ada-of-sunny']],
    ['ada', 'member-free', ['member-free']],
    ['ada', 'bob-free', []],
    ['ada', null, []],
    ['staff', 'bob-free', ['bob-free']],
    ['employee', 'bob-of-sunny', ['bob-of-sunny']],
  ])('a token of %s for %s shows %j', async (person, site, expected) => {
    const token = await single(person, site);
    expect(await shown(token)).toEqual(expected);
    expect((await cloud.call('GET /api/v1/sites', { token })).status).toBe(403);
  });

  it('the list of a token of one site with the list scope has that site alone', async () => {
    const token = await single('ada', 'ada-free', ['sites:read_all']);
    expect(await listed(token)).toEqual(['ada-free']);
  });

  it('a token of one site shows nothing after the account lost the site', async () => {
    const guest = await cloud.make.user();
    const siteId = id(siteIds, 'bob-free');
    await cloud.make.member(siteId, guest.id, 'member');
    const token = await cloud.make.token(guest.id, { kind: 'oauth', scopes: ['sites:read_single'], siteId });
    expect(await shown(token)).toEqual(['bob-free']);
    await cloud.db.deleteFrom('site_members').where('user_id', '=', guest.id).execute();
    expect(await shown(token)).toEqual([]);
  });
});
