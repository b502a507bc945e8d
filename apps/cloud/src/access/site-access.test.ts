import type { Scope } from '@heliograph/contracts';
import {
  type AccessCase,
  EMPLOYMENTS,
  expectedPermissions,
  ROLES,
  TOKEN_ORGANIZATIONS,
} from '@heliograph/dev-env/testing/access-rules';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../testing/test-cloud.ts';
import { SiteAccess } from './site-access.ts';
import type { SiteCaller } from './site-permissions.ts';

type TokenCase = Pick<AccessCase, 'kind' | 'scopes' | 'onlySite'>;
type AccountCase = Pick<AccessCase, 'role' | 'employment' | 'operator'>;

const READ: Scope = 'sites:read_all';
const WRITE: Scope = 'sites:write_all';
const SINGLE: Scope = 'sites:read_single';

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
  { kind: 'console', scopes: [], onlySite: null },
];

let cloud: TestCloud;
let access: SiteAccess;
let site: number;
let otherSite: number;
let organizations: Readonly<Record<'home' | 'partner' | 'abroad', number>>;
beforeAll(async () => {
  cloud = await startTestCloud();
  access = new SiteAccess(cloud.db);
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
        const expected = expectedPermissions({ ...account, ...token, operator, tokenOrganization: of });
        const found = await access.find(caller, site);
        expect([token, [...(found?.permissions ?? [])]]).toEqual([token, expected]);
      }
    },
  );
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
  expect(await access.find(caller, site)).toBeUndefined();
  await expect(access.require(caller, site, 'read')).rejects.toMatchObject({ status: 404 });
  await cloud.make.member(site, stranger.id, 'member');
  await expect(access.require(caller, site, 'read')).resolves.toMatchObject({ id: site });
  await expect(access.require(caller, site, 'manage')).rejects.toMatchObject({ status: 403 });
});
