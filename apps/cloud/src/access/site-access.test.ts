import { MAX_ID, type Scope, type SitePermission, type SiteRole } from '@heliograph/contracts';
import {
  type AccessCase,
  EMPLOYMENTS,
  expectedPermissions,
  ROLES,
  TOKEN_ORGANIZATIONS,
} from '@heliograph/dev/testing/access-rules';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';
import { consoleCaller } from './caller.ts';
import { findSite, requireSite } from './site-access.ts';
import { type SiteCaller, type SiteRelation, seesSite, sitePermissions } from './site-permissions.ts';
import { looksAfterSite, relationOf, visibleTo, withinOrganization } from './visible-sites.ts';

type TokenCase = Pick<AccessCase, 'kind' | 'scopes' | 'onlySite'>;
type AccountCase = Pick<AccessCase, 'role' | 'employment' | 'operator'>;

const READ: Scope = 'sites:read_all';
const WRITE: Scope = 'sites:write_all';
const SINGLE: Scope = 'sites:read_single';
const RECOVER: Scope = 'sites:recover_all';

const TOKENS: readonly TokenCase[] = [
  { kind: 'api', scopes: [READ], onlySite: null },
  { kind: 'api', scopes: [READ, WRITE], onlySite: null },
  { kind: 'api', scopes: [WRITE], onlySite: null },
  { kind: 'api', scopes: ['users:read_all'], onlySite: null },
  { kind: 'api', scopes: [SINGLE, WRITE], onlySite: 'this' },
  { kind: 'session', scopes: [READ, WRITE], onlySite: null },
  { kind: 'oauth', scopes: ['openid', SINGLE], onlySite: 'this' },
  { kind: 'oauth', scopes: ['openid', SINGLE], onlySite: 'other' },
  { kind: 'oauth', scopes: ['openid', READ, WRITE], onlySite: null },
  { kind: 'mcp', scopes: ['openid', READ], onlySite: null },
  { kind: 'mcp', scopes: ['openid', READ, WRITE], onlySite: null },
  { kind: 'api', scopes: [READ, RECOVER], onlySite: null },
  { kind: 'session', scopes: [RECOVER], onlySite: null },
  { kind: 'oauth', scopes: ['openid', READ, RECOVER], onlySite: null },
  { kind: 'mcp', scopes: ['openid', READ, RECOVER], onlySite: null },
  { kind: 'console', scopes: [], onlySite: null },
];

let cloud: TestCloud;
let site: number;
let otherSite: number;
let organizations: Readonly<Record<'home' | 'partner' | 'abroad', number>>;
beforeAll(async () => {
  cloud = await startTestCloud();
  const { make } = cloud;
  organizations = {
    home: await make.organization(),
    partner: await make.organization(),
    abroad: await make.organization(),
  };
  site = (await make.site({ organizationId: organizations.home })).id;
  otherSite = (await make.site({ organizationId: organizations.home })).id;
  await cloud.db
    .insertInto('organization_sites')
    .values({
      organization_id: organizations.partner,
      site_id: site,
      granted_by: null,
      created_at: new Date(cloud.clock.now()),
    })
    .execute();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

async function accountOf({ role, employment, operator }: AccountCase): Promise<number> {
  const { id } = await cloud.make.user({ staff: operator });
  if (role === 'owner') {
    await cloud.db.updateTable('sites').set({ owner_id: id }).where('id', '=', site).execute();
  } else if (role !== null) await cloud.make.member(site, id, role);
  if (employment !== null) {
    await cloud.db
      .insertInto('organization_members')
      .values({
        organization_id: organizations[employment === 'partner' ? 'partner' : 'home'],
        user_id: id,
        role: employment === 'clerk' ? 'member' : 'admin',
      })
      .execute();
  }
  return id;
}

/** The relation of a caller to a site, whether or not the site exists for the caller. */
const relationTo = (siteId: number, caller: SiteCaller) =>
  cloud.db
    .selectFrom('sites')
    .select(['sites.id', 'sites.organization_id as organizationId', ...relationOf(caller)])
    .where('sites.id', '=', siteId)
    .executeTakeFirstOrThrow();

const ACCOUNTS: readonly AccountCase[] = ROLES.flatMap((role) =>
  EMPLOYMENTS.flatMap((employment) => [false, true].map((operator) => ({ role, employment, operator }))),
);

const nameOf = ({ role, employment, operator }: AccountCase): string =>
  [role, employment, operator && 'operator'].filter(Boolean).join(', ') || 'a stranger';

describe.each(ACCOUNTS.map((account) => ({ ...account, name: nameOf(account) })))('$name', (account) => {
  it.each(TOKEN_ORGANIZATIONS)(
    'the permissions follow the rules with tokens of organization %s',
    async (of) => {
      const userId = await accountOf(account);
      for (const token of TOKENS) {
        const caller: SiteCaller = {
          userId,
          staff: account.operator || token.kind === 'console',
          kind: token.kind,
          scopes: new Set(token.scopes),
          organizationId: of === null ? null : organizations[of],
          siteId: token.onlySite === null ? null : { this: site, other: otherSite }[token.onlySite],
        };
        const operator = caller.staff;
        const given: AccessCase = { ...account, ...token, operator, tokenOrganization: of };
        const expected = expectedPermissions(given);
        // A site exists for every token of an account that may be allowed to read it.
        const exists = expectedPermissions({ ...given, scopes: [READ] }).length > 0;
        const found = await findSite(cloud.db, caller, site);
        const relation = await relationTo(site, caller);
        expect({
          token,
          found: found !== undefined,
          permissions: [...(found?.permissions ?? [])],
          seen: seesSite(caller, relation),
          ofRelation: [...sitePermissions(caller, relation)],
        }).toEqual({ token, found: exists, permissions: expected, seen: exists, ofRelation: expected });
      }
    },
  );
});

type OrganizationName = 'home' | 'partner' | 'abroad';

/** The organization of a site, and the one that it is shared with. */
const SITES = {
  plain: { of: 'home', sharedWith: null },
  shared: { of: 'home', sharedWith: 'partner' },
  ofPartner: { of: 'partner', sharedWith: null },
  free: { of: null, sharedWith: null },
  freeAndShared: { of: null, sharedWith: 'home' },
} as const satisfies Record<string, { of: OrganizationName | null; sharedWith: OrganizationName | null }>;
type SiteName = keyof typeof SITES;

type Relation =
  | { readonly site: SiteName; readonly role: SiteRole }
  | { readonly employer: OrganizationName; readonly role: SiteRole }
  | 'operator';

const RELATIONS: readonly Relation[] = [
  { site: 'plain', role: 'owner' },
  { site: 'freeAndShared', role: 'owner' },
  { site: 'shared', role: 'admin' },
  { site: 'free', role: 'admin' },
  { site: 'plain', role: 'member' },
  { employer: 'home', role: 'owner' },
  { employer: 'home', role: 'admin' },
  { employer: 'home', role: 'member' },
  { employer: 'partner', role: 'admin' },
  { employer: 'partner', role: 'member' },
  { employer: 'abroad', role: 'owner' },
  'operator',
];

/** Accounts with one relation, and with two that do not contradict each other. */
const RELATED: readonly (readonly Relation[])[] = RELATIONS.flatMap((one, index) => [
  [one],
  ...RELATIONS.slice(index + 1)
    .filter((two) => placeOf(one) !== placeOf(two))
    .map((two) => [one, two]),
]);

function placeOf(relation: Relation): string {
  if (relation === 'operator') return relation;
  return 'site' in relation ? relation.site : relation.employer;
}

/** The columns of `relationOf`, from what the account was given. */
function expectedRelation(
  relations: readonly Relation[],
  name: SiteName,
  tokenOf: OrganizationName | null,
): Omit<SiteRelation, 'id' | 'organizationId'> {
  const { of, sharedWith } = SITES[name];
  const given = relations.filter((relation) => relation !== 'operator');
  const employers = given.filter(
    (relation) => 'employer' in relation && (tokenOf === null || relation.employer === tokenOf),
  );
  const roleAt = (place: string | null) =>
    employers.find((relation) => placeOf(relation) === place)?.role ?? null;
  return {
    role: given.find((relation) => 'site' in relation && relation.site === name)?.role ?? null,
    employeeRole: roleAt(of),
    isSharedWithToken: sharedWith !== null && sharedWith === tokenOf,
    isSharedWithEmployer: roleAt(sharedWith) !== null,
  };
}

it('the conditions in SQL show callers the sites, and let them look after those, that the permissions do', async () => {
  const { db, make } = cloud;
  const siteIds = Object.fromEntries(
    await Promise.all(
      Object.entries(SITES).map(async ([name, { of, sharedWith }]) => {
        const { id } = await make.site({ organizationId: of && organizations[of] });
        if (sharedWith !== null) await make.share(organizations[sharedWith], id);
        return [name, id];
      }),
    ),
  ) as Record<SiteName, number>;
  const relate = async (userId: number, relation: Relation): Promise<unknown> => {
    if (relation === 'operator')
      return db.updateTable('users').set({ staff: true }).where('id', '=', userId).execute();
    const { role } = relation;
    if ('employer' in relation) {
      const values = { organization_id: organizations[relation.employer], user_id: userId, role };
      return db.insertInto('organization_members').values(values).execute();
    }
    const siteId = siteIds[relation.site];
    if (role !== 'owner') return make.member(siteId, userId, role);
    return db.updateTable('sites').set({ owner_id: userId }).where('id', '=', siteId).execute();
  };
  const limits: readonly {
    tokenOf: OrganizationName | null;
    only: SiteName | null;
    kind: SiteCaller['kind'];
  }[] = [
    ...TOKEN_ORGANIZATIONS.map((tokenOf) => ({ tokenOf, only: null, kind: 'api' }) as const),
    { tokenOf: null, only: 'shared', kind: 'api' },
    ...(['session', 'console', 'oauth', 'mcp'] as const).map((kind) => ({ tokenOf: null, only: null, kind })),
  ];
  const userIds = await make.users(RELATED.length);
  const outcomes = { visible: 0, hidden: 0, managed: 0, shown: 0 };
  for (const [index, relations] of RELATED.entries()) {
    const userId = userIds[index] ?? 0;
    for (const relation of relations) await relate(userId, relation);
    await Promise.all(
      limits.map(async ({ tokenOf, only, kind }) => {
        const caller: SiteCaller = {
          ...{ userId, kind, scopes: new Set([READ]), staff: relations.includes('operator') },
          organizationId: tokenOf && organizations[tokenOf],
          siteId: only && siteIds[only],
        };
        const rows = await db
          .selectFrom('sites')
          .select(['sites.id', 'sites.organization_id as organizationId', ...relationOf(caller)])
          .select(sql<boolean>`coalesce(${visibleTo(caller)}, false)`.as('isVisible'))
          .select(
            sql<boolean>`coalesce(${visibleTo(caller)} and ${looksAfterSite(caller)}, false)`.as('isManaged'),
          )
          .where('sites.id', 'in', Object.values(siteIds))
          .execute();
        for (const name of Object.keys(SITES) as SiteName[]) {
          const { of } = SITES[name];
          const relation = {
            ...{ id: siteIds[name], organizationId: of && organizations[of] },
            ...expectedRelation(relations, name, tokenOf),
          };
          const isVisible = seesSite(caller, relation);
          const isManaged = sitePermissions(caller, relation).has('audit');
          const subject = JSON.stringify({ relations, tokenOf, only, kind, site: name });
          const row = rows.find(({ id }) => id === siteIds[name]);
          expect(row, subject).toEqual({ ...relation, isVisible, isManaged });
          outcomes[isVisible ? 'visible' : 'hidden']++;
          outcomes[isManaged ? 'managed' : 'shown']++;
        }
      }),
    );
  }
  // Comparisons of which nearly all have one outcome would prove little.
  expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(200);
});

it('a hidden site is not found, an act beyond the role is forbidden', async () => {
  const stranger = await cloud.make.user();
  const caller: SiteCaller = {
    userId: stranger.id,
    staff: false,
    kind: 'session',
    scopes: new Set([READ, WRITE]),
    organizationId: null,
    siteId: null,
  };
  expect(await findSite(cloud.db, caller, site)).toBeUndefined();
  await expect(requireSite(cloud.db, caller, site, 'read')).rejects.toMatchObject({ status: 404 });
  await cloud.make.member(site, stranger.id, 'member');
  await expect(requireSite(cloud.db, caller, site, 'read')).resolves.toMatchObject({ id: site });
  await expect(requireSite(cloud.db, caller, site, 'manage')).rejects.toMatchObject({ status: 403 });
});

describe('the one site of a token', () => {
  it.each<[string, readonly Scope[], 'this' | 'other' | null, boolean]>([
    ['sites:read_single and no site sees no site', [SINGLE], null, false],
    ['sites:read_single, sites:read_all and no site sees a site', [SINGLE, READ], null, true],
    ['sites:read_single, sites:read_all and one site sees it', [SINGLE, READ], 'this', true],
    ['sites:read_single, sites:read_all and one site sees no other', [SINGLE, READ], 'other', false],
    ['sites:read_all and one site sees no other', [READ], 'other', false],
  ])('a token with %s', async (_what, scopes, only, exists) => {
    const { id: userId } = await cloud.make.user({ staff: true });
    const caller: SiteCaller = {
      userId,
      staff: true,
      kind: 'oauth',
      scopes: new Set(scopes),
      organizationId: null,
      siteId: only === null ? null : { this: site, other: otherSite }[only],
    };
    const found = await findSite(cloud.db, caller, site);
    const isSeen = seesSite(caller, await relationTo(site, caller));
    expect([found !== undefined, isSeen]).toEqual([exists, exists]);
  });
});

it.each([
  ['no organization', null, 7, 7],
  ['that organization', 7, 7, 7],
  ['another organization', 8, 7, undefined],
  ['no organization, within none', null, null, null],
  ['an organization, within its own by default', 7, undefined, 7],
  ['no organization, by default', null, undefined, null],
])('a caller that is limited to %s', (_what, organizationId, within, expected) => {
  const caller = { ...consoleCaller(3), organizationId };
  const limited = expected === undefined ? undefined : { ...caller, organizationId: expected };
  expect(withinOrganization(caller, within)).toEqual(limited);
});

it("the operator's console may do everything to a site but what is for applications and households", async () => {
  const found = await findSite(cloud.db, consoleCaller(), site);
  expect([...(found?.permissions ?? [])].toSorted()).toEqual([
    'audit',
    'connections',
    'grant',
    'leave',
    'manage',
    'own',
    'read',
    'support',
  ]);
});

it.each([-(2 ** 31) - 1, -1, 0, MAX_ID + 1])('no site has the id %d', async (id) => {
  expect(await findSite(cloud.db, consoleCaller(), id)).toBeUndefined();
});

it.each([1, MAX_ID])('a site can have the id %d', async (id) => {
  const { id: ownerId } = await cloud.make.user();
  await sql`insert into sites (id, name, region, owner_id) overriding system value
    values (${id}, ${`site-of-id-${id}`}, 'us', ${ownerId}) on conflict (id) do nothing`.execute(cloud.db);
  expect(await findSite(cloud.db, consoleCaller(), id)).toMatchObject({ id });
});

it.each<[SitePermission, string]>([
  ['read', 'The token may not read sites'],
  ['audit', 'Only owners and admins of the site may do this'],
  ['connections', 'Only owners and admins of the site may do this'],
  ['share', 'Only owners and admins of the site may share it with an organization'],
  ['write', 'Only owners and admins of the site may change its settings'],
  ['configure', 'Only owners and admins of the site may configure its device'],
  ['manage', 'Only owners and admins of the site may do this'],
  [
    'grant',
    'Only people with the role of an owner or admin on the site itself may give or take roles that write',
  ],
  ['own', 'Only the owner of the site may hand it over'],
  ['leave', 'The token may not change who has a role on the site'],
])('a token without scopes is told why it lacks the permission "%s"', async (permission, reason) => {
  const { id: userId } = await cloud.make.user();
  const { id } = await cloud.make.site({ ownerId: userId });
  const caller: SiteCaller = {
    userId,
    staff: false,
    kind: 'api',
    scopes: new Set(),
    organizationId: null,
    siteId: null,
  };
  await expect(requireSite(cloud.db, caller, id, permission)).rejects.toMatchObject({
    status: 403,
    message: reason,
  });
});
