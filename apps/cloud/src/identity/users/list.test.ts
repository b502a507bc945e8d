import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';
import { requireEmail } from '../../common/require-email.ts';

let cloud: TestCloud;
let sun: number;
let moon: number;
const people: Record<string, TestUser> = {};
const names = new Map<number, string>();
beforeAll(async () => {
  cloud = await startTestCloud();
  sun = await cloud.make.organization();
  moon = await cloud.make.organization();
  const add = async (name: string, user: TestUser) => {
    people[name] = user;
    names.set(user.id, name);
  };
  await add('operator', await cloud.make.user({ staff: true }));
  await add('clerk', await cloud.make.employee(sun));
  await add('boss', await cloud.make.employee(sun, 'owner'));
  await add('customer', await cloud.make.user({ customerOf: sun }));
  await add('neighbour', await cloud.make.user({ customerOf: sun }));
  await add('moonClerk', await cloud.make.employee(moon, 'admin'));
  await add('moonCustomer', await cloud.make.user({ customerOf: moon }));
  await add('stranger', await cloud.make.user());
  await add('guest', await cloud.make.user());
  const site = await cloud.make.site({ ownerId: people.customer?.id ?? 0, organizationId: sun });
  await cloud.make.member(site.id, people.guest?.id ?? 0, 'admin');
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const list = async (token: string, query = ''): Promise<(string | undefined)[]> => {
  const { status, body } = await cloud.call<{ id: number }[]>(`GET /api/v1/users${query}`, { token });
  expect(status).toBe(200);
  return body.map(({ id }) => names.get(id));
};
const tokenOf = (name: string, organizationId: number | null = null) =>
  cloud.make.token(people[name]?.id ?? 0, { organizationId });

const EVERYONE = [
  'guest',
  'stranger',
  'moonCustomer',
  'moonClerk',
  'neighbour',
  'customer',
  'boss',
  'clerk',
  'operator',
];
const OF_SUN = ['neighbour', 'customer', 'boss', 'clerk'];

describe('GET /users', () => {
  it.each<[string, 'sun' | 'moon' | undefined, string[]]>([
    ['operator', undefined, EVERYONE],
    ['operator', 'sun', OF_SUN],
    ['operator', 'moon', ['moonCustomer', 'moonClerk']],
    ['clerk', undefined, OF_SUN],
    ['clerk', 'sun', OF_SUN],
    ['boss', 'sun', OF_SUN],
    ['clerk', 'moon', ['clerk']],
    ['customer', undefined, ['customer']],
    ['customer', 'sun', ['customer']],
    ['guest', 'sun', ['guest']],
    ['guest', undefined, ['guest']],
    ['stranger', undefined, ['stranger']],
  ])(
    'a list for %s with a token of %s holds the accounts that they see',
    async (name, organization, expected) => {
      const id = organization === undefined ? null : { sun, moon }[organization];
      const token = await tokenOf(name, id);
      expect(await list(token)).toEqual(expected);
      // The same people, however they are looked for.
      expect(await list(token, '?q=example.org')).toEqual(expected);
    },
  );

  it('an employee of two organizations sees the people of both', async () => {
    const both = await cloud.make.employee(sun);
    names.set(both.id, 'both');
    await cloud.db
      .insertInto('organization_members')
      .values({ organization_id: moon, user_id: both.id, role: 'member' })
      .execute();
    const ofBoth = ['both', 'moonCustomer', 'moonClerk', ...OF_SUN];
    expect(await list(both.token)).toEqual(ofBoth);
    expect(await list(both.token, '?q=ada')).toEqual(ofBoth);
    expect(await list(both.token, '?limit=2&offset=1')).toEqual(['moonCustomer', 'moonClerk']);
    await cloud.db.deleteFrom('users').where('id', '=', both.id).execute();
  });

  it('an employee who is also a customer is listed once', async () => {
    const twice = await cloud.make.user({ customerOf: moon });
    names.set(twice.id, 'twice');
    await cloud.db
      .insertInto('organization_members')
      .values({ organization_id: moon, user_id: twice.id, role: 'member' })
      .execute();
    expect(await list(twice.token)).toEqual(['twice', 'moonCustomer', 'moonClerk']);
    await cloud.db.deleteFrom('users').where('id', '=', twice.id).execute();
  });

  it('a former employee no longer sees the people', async () => {
    const gone = await cloud.make.employee(sun);
    names.set(gone.id, 'gone');
    const token = await cloud.make.token(gone.id, { organizationId: sun });
    expect(await list(token)).toEqual(['gone', ...OF_SUN]);
    await cloud.db.deleteFrom('organization_members').where('user_id', '=', gone.id).execute();
    expect(await list(token)).toEqual(['gone']);
    await cloud.db.deleteFrom('users').where('id', '=', gone.id).execute();
  });

  it('a listed account has every field and the organization of the token', async () => {
    const { body } = await cloud.call<object[]>('GET /api/v1/users?limit=1', {
      token: await tokenOf('boss', sun),
    });
    expect(body).toEqual([
      {
        id: people.neighbour?.id,
        email: people.neighbour?.email,
        first_name: 'Ada',
        last_name: 'Example',
        phone_number: null,
        locale: 'en',
        organization: { id: sun, name: expect.any(String) },
      },
    ]);
  });
});

describe('a page of GET /users', () => {
  it.each([
    ['?limit=2', EVERYONE.slice(0, 2)],
    ['?limit=3&offset=2', EVERYONE.slice(2, 5)],
    ['?limit=0', []],
    ['?offset=8', ['operator']],
    ['?offset=9', []],
    ['?offset=99999999999999999999', []],
    ['?limit=1&q=ada&offset=1', ['stranger']],
    ['?offset=99999999999999999999&q=ada', []],
  ])('the page %s holds its accounts', async (query, expected) => {
    expect(await list(people.operator?.token ?? '', query)).toEqual(expected);
  });

  it.each(['limit=-1', 'limit=x', 'offset=1.5', 'q=a&q=b', 'q=%00'])(
    'the query ?%s answers 400',
    async (query) => {
      const answer = await cloud.call(`GET /api/v1/users?${query}`, { token: people.operator?.token });
      expect(answer).toMatchObject({ status: 400, body: { error: expect.any(String) } });
    },
  );

  it('a page has 20 accounts by default and never more than 200', async () => {
    const crowd = await cloud.make.organization();
    const { token } = await cloud.make.employee(crowd);
    await cloud.db
      .insertInto('users')
      .values(
        Array.from({ length: 250 }, (_, i) => ({
          email: requireEmail(`crowd${i}@example.org`),
          phone_number: null,
          password_hash: null,
          confirmed_at: null,
          organization_id: crowd,
          terms_accepted_at: null,
        })),
      )
      .execute();
    expect(await list(token)).toHaveLength(20);
    expect(await list(token, '?limit=150')).toHaveLength(150);
    expect(await list(token, '?limit=1000')).toHaveLength(200);
    expect(await list(token, '?limit=1000&offset=200')).toHaveLength(51);
    expect(await list(token, '?limit=1000&offset=200&q=example')).toHaveLength(51);
  });
});
