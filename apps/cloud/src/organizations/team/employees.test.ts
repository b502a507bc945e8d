import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
/** Shared by attempts that change nothing. */
let sharedScene: Scene;
beforeAll(async () => {
  cloud = await startTestCloud();
  sharedScene = await setScene();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

/** An organization, and one account of every role towards it. */
async function setScene() {
  const { make } = cloud;
  const organization = await make.organization();
  const [owner, admin, member, clerk, stranger, customer, operator] = await Promise.all([
    make.employee(organization, 'owner'),
    make.employee(organization, 'admin'),
    make.employee(organization),
    make.employee(organization),
    make.user(),
    make.user({ customerOf: organization }),
    make.user({ staff: true }),
  ]);
  const elsewhere = await make.organization(owner.id);
  return {
    organization,
    owner,
    admin,
    member,
    clerk,
    stranger,
    tokens: {
      owner: owner.token,
      admin: admin.token,
      member: member.token,
      customer: customer.token,
      stranger: stranger.token,
      operator: operator.token,
      "owner with the organization's token": await make.token(owner.id, { organizationId: organization }),
      "owner with another organization's token": await make.token(owner.id, { organizationId: elsewhere }),
      "operator with another organization's token": await make.token(operator.id, {
        organizationId: elsewhere,
      }),
    },
  };
}
type Scene = Awaited<ReturnType<typeof setScene>>;

const usersOf = (organization: number) => `/api/v1/organizations/${organization}/users`;

async function roles({ organization, owner }: Pick<Scene, 'organization' | 'owner'>) {
  const { body } = await cloud.call<{ id: number; role: string }[]>(`GET ${usersOf(organization)}`, {
    token: owner.token,
  });
  return Object.fromEntries(body.map(({ id, role }) => [id, role]));
}

/** The operations, each on an account of the scene. */
const ATTEMPTS = {
  list: ({ organization }) => ({ route: `GET ${usersOf(organization)}` }),
  add: ({ organization, stranger }) => ({
    route: `POST ${usersOf(organization)}`,
    body: { email: stranger.email, role: 'member' },
  }),
  'add an owner': ({ organization, stranger }) => ({
    route: `POST ${usersOf(organization)}`,
    body: { email: stranger.email, role: 'owner' },
  }),
  promote: ({ organization, clerk }) => ({
    route: `PATCH ${usersOf(organization)}/${clerk.id}`,
    body: { role: 'admin' },
  }),
  'make an owner': ({ organization, clerk }) => ({
    route: `PATCH ${usersOf(organization)}/${clerk.id}`,
    body: { role: 'owner' },
  }),
  'demote an admin': ({ organization, admin }) => ({
    route: `POST ${usersOf(organization)}`,
    body: { email: admin.email.toUpperCase(), role: 'member' },
  }),
  'demote the last owner': ({ organization, owner }) => ({
    route: `PATCH ${usersOf(organization)}/${owner.id}`,
    body: { role: 'admin' },
  }),
  remove: ({ organization, clerk }) => ({ route: `DELETE ${usersOf(organization)}/${clerk.id}` }),
  'remove the last owner': ({ organization, owner }) => ({
    route: `DELETE ${usersOf(organization)}/${owner.id}`,
  }),
} satisfies Record<string, (scene: Scene) => { route: string; body?: object }>;

const OWNS = {
  list: 200,
  add: 200,
  'add an owner': 200,
  promote: 200,
  'make an owner': 200,
  'demote an admin': 200,
  'demote the last owner': 403,
  remove: 204,
  'remove the last owner': 403,
};
const MANAGES = { ...OWNS, 'add an owner': 403, 'make an owner': 403 };
const REFUSED = Object.fromEntries(Object.keys(OWNS).map((attempt) => [attempt, 403]));

describe.each<[keyof Scene['tokens'], Partial<Record<keyof typeof ATTEMPTS, number>>]>([
  ['owner', OWNS],
  ['admin', MANAGES],
  ['member', { ...REFUSED, list: 200 }],
  ['customer', REFUSED],
  ['stranger', REFUSED],
  ['operator', OWNS],
  ["owner with the organization's token", OWNS],
  ["owner with another organization's token", REFUSED],
  ["operator with another organization's token", REFUSED],
])('employee operations of the %s', (who, expected) => {
  it.each(Object.keys(ATTEMPTS) as (keyof typeof ATTEMPTS)[])(
    'the role decides the answer to the attempt to %s',
    async (attempt) => {
      const refused = (expected[attempt] ?? 0) >= 400;
      const scene = refused ? sharedScene : await setScene();
      const { route, body }: { route: string; body?: object } = ATTEMPTS[attempt](scene);
      const before = await roles(scene);
      const answer = await cloud.call(route, { token: scene.tokens[who], body });
      expect(answer.status).toBe(expected[attempt]);
      if (refused) {
        expect(answer.body).toEqual({ error: expect.any(String) });
        expect(await roles(scene)).toEqual(before);
      } else if (attempt !== 'list') {
        expect(await roles(scene)).not.toEqual(before);
      }
    },
  );
});

describe('the owners of an organization', () => {
  const make = ({ organization, owner }: Scene, target: TestUser, role: string) =>
    cloud.call(`PATCH ${usersOf(organization)}/${target.id}`, { token: owner.token, body: { role } });

  it('every owner but the last can leave', async () => {
    const scene = await setScene();
    const { organization, owner, admin } = scene;
    expect((await make(scene, admin, 'owner')).status).toBe(200);
    const leave = ({ id, token }: TestUser) => cloud.call(`DELETE ${usersOf(organization)}/${id}`, { token });
    expect((await leave(owner)).status).toBe(204);
    expect((await leave(admin)).status).toBe(403);
  });

  it('an admin cannot demote or remove an owner', async () => {
    const scene = await setScene();
    await make(scene, scene.clerk, 'owner');
    const route = `${usersOf(scene.organization)}/${scene.clerk.id}`;
    const { token } = scene.admin;
    expect((await cloud.call(`DELETE ${route}`, { token })).status).toBe(403);
    expect((await cloud.call(`PATCH ${route}`, { token, body: { role: 'member' } })).status).toBe(403);
  });

  it('an operator can appoint the first owner', async () => {
    const organization = await cloud.make.organization();
    const [founder, operator] = [await cloud.make.user(), await cloud.make.user({ staff: true })];
    const body = { email: founder.email, role: 'owner' };
    const answer = await cloud.call(`POST ${usersOf(organization)}`, { token: operator.token, body });
    expect(answer).toMatchObject({ status: 200, body: { id: founder.id, role: 'owner' } });
  });
});

describe('the role of an employee', () => {
  it.each([[undefined], [{}], [{ role: 'viewer' }], [{ role: null }], [{ role: ['admin'] }]])(
    'a change by the body %j is refused with 400',
    async (body) => {
      const { organization, owner, clerk } = sharedScene;
      const route = `PATCH ${usersOf(organization)}/${clerk.id}`;
      expect((await cloud.call(route, { token: owner.token, body })).status).toBe(400);
    },
  );

  it.each([999_999, 2_147_483_648, -1, 'me'])(
    'a change of account %s, which is no employee, is answered 404',
    async (id) => {
      const { organization, owner } = sharedScene;
      const { token } = owner;
      const route = `${usersOf(organization)}/${id}`;
      expect((await cloud.call(`PATCH ${route}`, { token, body: { role: 'admin' } })).status).toBe(404);
      expect((await cloud.call(`DELETE ${route}`, { token })).status).toBe(404);
    },
  );

  it.each(['GET', 'POST', 'PATCH', 'DELETE'])(
    'a call for an unknown organization is answered 404: %s',
    async (method) => {
      const { token, id, email } = await cloud.make.user({ staff: true });
      const route = method === 'GET' || method === 'POST' ? usersOf(999_999) : `${usersOf(999_999)}/${id}`;
      const body = method === 'GET' || method === 'DELETE' ? undefined : { email, role: 'admin' };
      expect((await cloud.call(`${method} ${route}`, { token, body })).status).toBe(404);
    },
  );
});
