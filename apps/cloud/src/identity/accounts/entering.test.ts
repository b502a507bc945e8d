import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PASSWORD, type TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** An account, an organization, and how one comes to be about the other. */
const RELATIONS: Readonly<Record<string, { may: boolean; make: () => Promise<[TestUser, number]> }>> = {
  'an operator': {
    may: true,
    make: async () => [await cloud.make.user({ staff: true }), await cloud.make.organization()],
  },
  'an employee': {
    may: true,
    make: async () => {
      const user = await cloud.make.user();
      return [user, await cloud.make.organization(user.id)];
    },
  },
  'a customer': {
    may: true,
    make: async () => {
      const organization = await cloud.make.organization();
      return [await cloud.make.user({ customerOf: organization }), organization];
    },
  },
  'the owner of a site in it': {
    may: true,
    make: async () => {
      const [user, organizationId] = [await cloud.make.user(), await cloud.make.organization()];
      await cloud.make.site({ ownerId: user.id, organizationId });
      return [user, organizationId];
    },
  },
  'a member of a site in it': {
    may: true,
    make: async () => {
      const [user, organizationId] = [await cloud.make.user(), await cloud.make.organization()];
      await cloud.make.member((await cloud.make.site({ organizationId })).id, user.id, 'member');
      return [user, organizationId];
    },
  },
  'an employee and customer of others': {
    may: false,
    make: async () => {
      const user = await cloud.make.user({ customerOf: await cloud.make.organization() });
      await cloud.make.organization(user.id);
      return [user, await cloud.make.organization()];
    },
  },
  'the owner of a site elsewhere': {
    may: false,
    make: async () => {
      const user = await cloud.make.user();
      await cloud.make.site({ ownerId: user.id, organizationId: await cloud.make.organization() });
      return [user, await cloud.make.organization()];
    },
  },
};

const NOT_OF_ACCOUNT = {
  errors: { organization_id: [expect.stringMatching(/^is not one that this account belongs to/)] },
};

const cases = Object.entries(RELATIONS).map(([who, { may, make }]) => [may, who, make] as const);

describe.each(cases)('access to an organization: %s for %s', (may, _who, make) => {
  it('a password opens a session where the account has access', async () => {
    const [user, organization_id] = await make();
    const body = { email: user.email, password: PASSWORD, organization_id };
    const answer = await cloud.call('POST /api/v1/sign_in', { body });
    expect(answer.status).toBe(may ? 200 : 422);
    if (may) expect(answer.body.user).toMatchObject({ id: user.id, organization: { id: organization_id } });
    else expect(answer.body).toEqual(NOT_OF_ACCOUNT);
    const wrong = await cloud.call('POST /api/v1/sign_in', { body: { ...body, password: 'wrong' } });
    expect(wrong).toMatchObject({ status: 401, body: { error: expect.any(String) } });
  });

  it('a mailed link opens a session where the account has access, and a refusal does not spend it', async () => {
    const [user, organization_id] = await make();
    const token = await cloud.make.oneTimeToken('reset', { userId: user.id });
    const set = (organization: number | 'none') =>
      cloud.call(`PUT /api/v1/password/reset/${token}`, {
        body: { password: 'Another-horse-7', organization_id: organization },
      });
    const answer = await set(organization_id);
    expect(answer.status).toBe(may ? 200 : 422);
    if (may) return;
    expect(answer.body).toEqual(NOT_OF_ACCOUNT);
    expect((await set('none')).status).toBe(200);
  });
});
