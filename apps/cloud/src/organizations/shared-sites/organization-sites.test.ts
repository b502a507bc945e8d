import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let owner: TestUser;
let employee: TestUser;
let operator: TestUser;
let organizationId: number;
let siteId: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.make.user();
  employee = await cloud.make.user();
  operator = await cloud.make.user({ staff: true });
  await cloud.announce('us-1');
});
beforeEach(async () => {
  organizationId = await cloud.make.organization(employee.id);
  siteId = (await cloud.make.site({ ownerId: owner.id })).id;
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const oauthToken = (userId = owner.id, site = siteId, application: number | null = organizationId) =>
  cloud.make.token(userId, {
    kind: 'oauth',
    scopes: ['openid', 'sites:read_single'],
    siteId: site,
    applicationOrganizationId: application,
  });

const share = (token: string, body: unknown = { site_id: siteId }) =>
  cloud.call('POST /api/v1/organization_sites', { token, body });

const unshare = (token: string, site = siteId) =>
  cloud.call(`DELETE /api/v1/organization_sites/${organizationId}/${site}`, { token });

const seenByEmployee = async () =>
  (await cloud.call(`GET /api/v1/sites/${siteId}`, { token: employee.token })).status === 200;

const recorded = async () => {
  const rows = await cloud.db
    .selectFrom('audit_events')
    .select(['action', 'actor_id', 'organization_id'])
    .where('site_id', '=', siteId)
    .orderBy('id')
    .execute();
  return rows.map(({ action, actor_id, organization_id }) => [action, actor_id, organization_id]);
};

describe('POST and DELETE /organization_sites', () => {
  it('employees can read a shared site until an operator removes the share', async () => {
    expect(await seenByEmployee()).toBe(false);
    const token = await oauthToken();
    for (let i = 0; i < 2; i++) {
      expect(await share(token)).toMatchObject({
        status: 200,
        body: { organization_id: organizationId, site_id: siteId, access: 'read' },
      });
    }
    expect(await seenByEmployee()).toBe(true);

    expect((await unshare(owner.token)).status).toBe(403);
    expect((await unshare(employee.token)).status).toBe(403);
    expect((await unshare(operator.token)).status).toBe(204);
    expect((await unshare(operator.token)).status).toBe(404);
    expect(await seenByEmployee()).toBe(false);
    expect(await recorded()).toEqual([
      ['organization_site.added', owner.id, organizationId],
      ['organization_site.removed', operator.id, organizationId],
    ]);
  });

  it('removing a share leaves the other shares of its site and of its organization', async () => {
    const { id: otherSite } = await cloud.make.site({ ownerId: owner.id });
    const otherOrganization = await cloud.make.organization();
    const shares = [
      [organizationId, siteId],
      [organizationId, otherSite],
      [otherOrganization, siteId],
    ] as const;
    for (const [organization, site] of shares) await cloud.make.share(organization, site);
    expect((await unshare(operator.token)).status).toBe(204);
    const left = await cloud.db
      .selectFrom('organization_sites')
      .select(['organization_id', 'site_id'])
      .where('site_id', 'in', [siteId, otherSite])
      .orderBy('organization_id')
      .execute();
    expect(left.map((row) => [row.organization_id, row.site_id])).toEqual(shares.slice(1));
  });

  it('removing a share ends site tokens of employees who see the site no other way', async () => {
    const others = await cloud.make.organization();
    const [guest, hired] = [await cloud.make.employee(organizationId), await cloud.make.employee(others)];
    await cloud.make.member(siteId, guest.id, 'member');
    await cloud.make.share(others, siteId);
    await cloud.db
      .insertInto('organization_members')
      .values({ organization_id: organizationId, user_id: hired.id, role: 'member' })
      .execute();
    await share(await oauthToken());
    await unshare(operator.token);
    const { body } = await cloud.announce('us-1');
    const revocations = body.revocations as { site_id: number; user_id: number }[];
    expect(revocations.filter(({ site_id }) => site_id === siteId)).toEqual([
      {
        site_id: siteId,
        subject: `user:${employee.id}`,
        user_id: employee.id,
        revoked_at: new Date(cloud.clock.now()).toISOString(),
      },
    ]);
  });

  it("removing a share ends site tokens issued for tokens of the organization, and not the members' own", async () => {
    await share(await oauthToken());
    await cloud.announce('us-1');
    const token = await cloud.make.token(owner.id, { kind: 'session', organizationId });
    for (const bearer of [token, owner.token]) {
      const path = `POST /api/v1/sites/${siteId}/authorize`;
      expect((await cloud.call(path, { token: bearer })).status).toBe(200);
    }
    await unshare(operator.token);
    const { body } = await cloud.announce('us-1');
    const subjects = (body.revocations as { site_id: number; subject: string; user_id: number }[])
      .filter(({ site_id, user_id }) => site_id === siteId && user_id === owner.id)
      .map(({ subject }) => subject);
    expect(subjects).toEqual([expect.stringMatching(/^token:/)]);
    await share(await oauthToken());
  });

  it.each<[string, () => Promise<string>, number]>([
    ['an API token', async () => owner.token, 403],
    ['a session', () => cloud.make.token(owner.id, { kind: 'session', organizationId }), 403],
    [
      'a token of one site that no application has',
      () => cloud.make.token(owner.id, { scopes: ['sites:read_single'], siteId }),
      403,
    ],
    ['an application of no organization', () => oauthToken(owner.id, siteId, null), 403],
    [
      'a token for another site',
      async () => oauthToken(owner.id, (await cloud.make.site({ ownerId: owner.id })).id),
      404,
    ],
    ['a user who lost the site', async () => oauthToken((await cloud.make.user()).id), 404],
    [
      'a user who only reads the site',
      async () => {
        const guest = await cloud.make.user();
        await cloud.make.member(siteId, guest.id, 'member');
        return oauthToken(guest.id);
      },
      403,
    ],
  ])('a share by %s is refused', async (_what, token, status) => {
    expect(await share(await token())).toMatchObject({
      status,
      body: { error: { message: expect.any(String) } },
    });
    expect(await recorded()).toEqual([]);
  });

  it.each([
    [{}, 400],
    [{ site_id: '7' }, 400],
    [{ site_id: -1 }, 404],
    [{ site_id: 99_999_999_999 }, 404],
    [[], 400],
  ])('the body %j is refused', async (body, status) => {
    expect((await share(await oauthToken(), body)).status).toBe(status);
  });
});
