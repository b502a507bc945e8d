import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../test/test-cloud.ts';

let cloud: TestCloud;
let organization: number;
let elsewhere: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  organization = await cloud.make.organization();
  elsewhere = await cloud.make.organization();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

describe('who may hold tokens of an organization', () => {
  it.each<[string, boolean, () => Promise<TestUser>]>([
    ['An operator', true, () => cloud.make.user({ staff: true })],
    ['An employee', true, () => cloud.make.employee(organization)],
    ['An employee of another organization', false, () => cloud.make.employee(elsewhere)],
    ['A customer', true, () => cloud.make.user({ customerOf: organization })],
    ['A customer of another organization', false, () => cloud.make.user({ customerOf: elsewhere })],
    ['The owner of a site of it', true, () => ownerOfSite(organization)],
    ['The owner of a site elsewhere', false, () => ownerOfSite(elsewhere)],
    ['The member of a site of it', true, () => memberOfSite(organization)],
    ['The member of a site elsewhere', false, () => memberOfSite(elsewhere)],
    ['A stranger', false, () => cloud.make.user()],
  ])('%s may hold a token of the organization: %s', async (_who, may, make) => {
    const { id } = await make();
    const token = await cloud.make.token(id, { kind: 'session' });
    const body = { name: 'Grafana', scopes: ['sites:read_all'], organization_id: organization };
    const { status } = await cloud.call('POST /api/v1/user/tokens', { token, body });
    expect(status).toBe(may ? 201 : 422);
  });
});

async function ownerOfSite(organizationId: number): Promise<TestUser> {
  const owner = await cloud.make.user();
  await cloud.make.site({ ownerId: owner.id, organizationId });
  return owner;
}

async function memberOfSite(organizationId: number): Promise<TestUser> {
  const member = await cloud.make.user();
  const site = await cloud.make.site({ organizationId });
  await cloud.make.member(site.id, member.id, 'member');
  return member;
}

describe('an employer that requires a second factor', () => {
  it.each([
    ['of no organization', 401, null],
    ['of the employer that requires one', 401, 'strict'],
    ['of an employer that requires none', 200, 'lenient'],
  ] as const)('a session %s without a second factor gets the status %d', async (_what, status, of) => {
    const employers = { strict: await cloud.make.organization(), lenient: await cloud.make.organization() };
    const { id } = await cloud.make.employee(employers.strict);
    await cloud.db
      .insertInto('organization_members')
      .values({ organization_id: employers.lenient, user_id: id, role: 'member' })
      .execute();
    const organizationId = of === null ? null : employers[of];
    const session = await cloud.make.token(id, { kind: 'session', organizationId });
    const customer = await cloud.make.user({ customerOf: employers.strict });
    const sessionOfCustomer = await cloud.make.token(customer.id, { kind: 'session' });
    const use = async (token = session) => (await cloud.call('GET /api/v1/user', { token })).status;
    expect(await use()).toBe(200);
    await cloud.db
      .updateTable('organizations')
      .set({ requires_second_factor: true })
      .where('id', '=', employers.strict)
      .execute();
    expect(await use()).toBe(status);
    expect(await use(sessionOfCustomer)).toBe(200);
  });
});

describe('GET /sites with an organization', () => {
  it('the list has the sites of that organization, and none beyond the one that the token is limited to', async () => {
    const owner = await cloud.make.user();
    const here = await cloud.make.site({ ownerId: owner.id, organizationId: organization });
    const there = await cloud.make.site({ ownerId: owner.id, organizationId: elsewhere });
    const limited = await cloud.make.token(owner.id, { organizationId: organization });
    const list = async (token: string, query = '') => {
      const { body } = await cloud.call<{ id: number }[]>(`GET /api/v1/sites${query}`, { token });
      return body.map(({ id }) => id).toSorted((a, b) => a - b);
    };
    expect(await list(owner.token)).toEqual([here.id, there.id]);
    expect(await list(owner.token, `?organization_id=${organization}`)).toEqual([here.id]);
    expect(await list(limited)).toEqual([here.id]);
    expect(await list(limited, `?organization_id=${organization}`)).toEqual([here.id]);
    expect(await list(limited, `?organization_id=${elsewhere}`)).toEqual([]);
  });
});
