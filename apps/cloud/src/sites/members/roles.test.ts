import { SESSION_SCOPES } from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { type Scene, setScene } from '../../../test/sites/members/scene.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const NAMES = { first_name: 'Grace', last_name: 'Hopper' };

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const roles = async (siteId: number, owner: TestUser): Promise<Record<number, string>> => {
  const route = `GET /api/v1/sites/${siteId}/users`;
  const { body } = await cloud.call<{ id: number; role: string }[]>(route, { token: owner.token });
  return Object.fromEntries(body.map(({ id, role }) => [id, role]));
};

interface Attempt {
  readonly route: string;
  readonly body?: object;
}

/** The operations, each on an account of the scene. */
const ATTEMPTS = {
  list: ({ site }) => ({ route: `GET /api/v1/sites/${site}/users` }),
  invite: ({ site, stranger }) => ({
    route: `POST /api/v1/sites/${site}/users`,
    body: { email: stranger.email, role: 'member', ...NAMES },
  }),
  promote: ({ site, member }) => ({
    route: `PATCH /api/v1/sites/${site}/users/${member.id}`,
    body: { role: 'admin' },
  }),
  demote: ({ site, admin }) => ({
    route: `POST /api/v1/sites/${site}/users`,
    body: { email: admin.email, role: 'member' },
  }),
  'hand over': ({ site, member }) => ({
    route: `PATCH /api/v1/sites/${site}/users/${member.id}`,
    body: { role: 'owner' },
  }),
  'hand over by invitation': ({ site, stranger }) => ({
    route: `POST /api/v1/sites/${site}/users`,
    body: { email: stranger.email, role: 'owner', ...NAMES },
  }),
  'demote the owner': ({ site, owner }) => ({
    route: `PATCH /api/v1/sites/${site}/users/${owner.id}`,
    body: { role: 'admin' },
  }),
  'remove an admin': ({ site, admin }) => ({ route: `DELETE /api/v1/sites/${site}/users/${admin.id}` }),
  remove: ({ site, guest }) => ({ route: `DELETE /api/v1/sites/${site}/users/${guest.id}` }),
  'remove the owner': ({ site, owner }) => ({ route: `DELETE /api/v1/sites/${site}/users/${owner.id}` }),
} satisfies Record<string, (scene: Scene) => Attempt>;

const ADMINISTERS = {
  list: 200,
  invite: 200,
  promote: 200,
  demote: 200,
  'hand over': 403,
  'hand over by invitation': 403,
  'demote the owner': 403,
  'remove an admin': 204,
  remove: 204,
  'remove the owner': 403,
};
const OWNS = { ...ADMINISTERS, 'hand over': 200, 'hand over by invitation': 200 };
/** Only those who have a role on the site itself give one that writes. */
const LOOKS_AFTER = { ...ADMINISTERS, promote: 403, demote: 403, 'remove an admin': 403 };
const READS = { ...LOOKS_AFTER, invite: 403, remove: 403 };
const LOOKS_AFTER_BY_TOKEN = READS;
const SEES_NOTHING = Object.fromEntries(Object.keys(ADMINISTERS).map((attempt) => [attempt, 404]));

describe.each<[keyof Scene['tokens'], Partial<Record<keyof typeof ATTEMPTS, number>>]>([
  ['owner', OWNS],
  ['admin', ADMINISTERS],
  ['member', READS],
  ["organization's owner", LOOKS_AFTER_BY_TOKEN],
  ["organization's admin", LOOKS_AFTER_BY_TOKEN],
  ["organization's admin in person", LOOKS_AFTER],
  ["organization's admin who signed in long ago", LOOKS_AFTER_BY_TOKEN],
  ["organization's employee", READS],
  ["another organization's admin", SEES_NOTHING],
  ['customer', SEES_NOTHING],
  ['stranger', SEES_NOTHING],
  ['operator', LOOKS_AFTER_BY_TOKEN],
  ['operator in person', LOOKS_AFTER],
  ['operator for the organization', LOOKS_AFTER_BY_TOKEN],
  ['operator for another organization', SEES_NOTHING],
  ['owner for another organization', SEES_NOTHING],
])('member operations of the %s of a site', (who, expected) => {
  // A new scene is made only after a change: most attempts are refused.
  let unchanged: Scene | undefined;

  it.each(Object.keys(ATTEMPTS) as (keyof typeof ATTEMPTS)[])(
    'the role decides the answer to the attempt to %s',
    async (attempt) => {
      unchanged ??= await setScene(cloud);
      const scene = unchanged;
      const { route, body }: Attempt = ATTEMPTS[attempt](scene);
      const before = await roles(scene.site, scene.owner);
      const answer = await cloud.call(route, { token: scene.tokens[who], body });
      expect(answer.status).toBe(expected[attempt]);
      if (answer.status >= 400) {
        expect(answer.body).toMatchObject({ error: expect.any(String) });
        expect(await roles(scene.site, scene.owner)).toEqual(before);
      } else if (attempt !== 'list') {
        unchanged = undefined;
        expect(await roles(scene.site, scene.owner)).not.toEqual(before);
      }
    },
  );
});

it('a role in one organization gives no access with a token of another', async () => {
  const { site, organization, stranger } = await setScene(cloud);
  const [other, admin] = [await cloud.make.organization(), await cloud.make.user()];
  await cloud.db
    .insertInto('organization_members')
    .values([organization, other].map((id) => ({ organization_id: id, user_id: admin.id, role: 'admin' })))
    .execute();
  await cloud.make.share(other, site);
  const invite = async (organizationId: number) => {
    const token = await cloud.make.token(admin.id, {
      kind: 'session',
      scopes: SESSION_SCOPES,
      organizationId,
    });
    expect((await cloud.call(`GET /api/v1/sites/${site}/users`, { token })).status).toBe(200);
    const body = { email: stranger.email, role: 'member', ...NAMES };
    return cloud.call(`POST /api/v1/sites/${site}/users`, { token, body });
  };
  expect((await invite(other)).status).toBe(403);
  expect((await invite(organization)).status).toBe(200);
});

describe('DELETE /sites/:id/users/:user_id of the own account', () => {
  it.each(['admin', 'member'] as const)('every %s can leave a site', async (who) => {
    const scene = await setScene(cloud);
    const { id, token } = scene[who];
    const leave = () => cloud.call(`DELETE /api/v1/sites/${scene.site}/users/${id}`, { token });
    expect(await leave()).toMatchObject({ status: 204, body: {} });
    expect((await cloud.call(`GET /api/v1/sites/${scene.site}`, { token })).status).toBe(404);
    expect((await leave()).status).toBe(404);
  });

  it('leaving a site without a role is refused', async () => {
    const { site, operator } = await setScene(cloud);
    const route = `DELETE /api/v1/sites/${site}/users/${operator.id}`;
    expect((await cloud.call(route, { token: operator.token })).status).toBe(404);
  });
});

describe('a transfer of ownership', () => {
  it('the former owner becomes an admin, who cannot take the site back', async () => {
    const { site, owner, member } = await setScene(cloud);
    const make = (id: number, role: string, token: string) =>
      cloud.call(`PATCH /api/v1/sites/${site}/users/${id}`, { token, body: { role } });
    const given = await make(member.id, 'owner', owner.token);
    expect(given).toMatchObject({ status: 200, body: { id: member.id, role: 'owner' } });
    expect(await roles(site, owner)).toMatchObject({ [owner.id]: 'admin', [member.id]: 'owner' });
    expect((await make(owner.id, 'owner', owner.token)).status).toBe(403);
    expect((await make(owner.id, 'owner', member.token)).status).toBe(200);
    expect(await roles(site, owner)).toMatchObject({ [owner.id]: 'owner', [member.id]: 'admin' });
  });

  it('a transferred site stays with its organization', async () => {
    const { site, owner, stranger, organization } = await setScene(cloud);
    const body = { email: stranger.email, role: 'owner', ...NAMES };
    await cloud.call(`POST /api/v1/sites/${site}/users`, { token: owner.token, body });
    const shown = await cloud.call(`GET /api/v1/sites/${site}`, { token: stranger.token });
    expect(shown.body).toMatchObject({ owner: { id: stranger.id }, organization: { id: organization } });
  });

  it('a transfer to the present owner changes nothing', async () => {
    const { site, owner } = await setScene(cloud);
    const before = await roles(site, owner);
    const body = { email: owner.email, role: 'owner' };
    const { status } = await cloud.call(`POST /api/v1/sites/${site}/users`, { token: owner.token, body });
    expect(status).toBe(200);
    expect(await roles(site, owner)).toEqual(before);
  });
});

describe('PATCH /sites/:id/users/:user_id', () => {
  const change = async (userId: unknown, body: unknown) => {
    const { site, owner } = await setScene(cloud);
    return cloud.call(`PATCH /api/v1/sites/${site}/users/${userId}`, { token: owner.token, body });
  };

  it('the role viewer is stored as member', async () => {
    const { site, owner, admin } = await setScene(cloud);
    const route = `PATCH /api/v1/sites/${site}/users/${admin.id}`;
    const { status, body } = await cloud.call(route, { token: owner.token, body: { role: 'viewer' } });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: admin.id,
      email: admin.email,
      first_name: 'Ada',
      last_name: 'Example',
      role: 'member',
    });
  });

  it.each([[undefined], [{}], [[]], ['admin'], [{ role: null }], [{ role: 7 }], [{ role: ['admin'] }]])(
    'the body %j is refused with 400',
    async (body) => {
      expect(await change(1, body)).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    },
  );

  it.each(['Owner', 'root', '', 'admin '])('the role "%s" is refused with 400', async (role) => {
    expect((await change(1, { role })).status).toBe(400);
  });

  it.each([999_999, 2_147_483_648, '99999999999999999999', -1, 0, 'me', '1.5'])(
    'a change of account %s, which has no role on the site, is answered 404',
    async (userId) => {
      expect((await change(userId, { role: 'admin' })).status).toBe(404);
    },
  );
});
