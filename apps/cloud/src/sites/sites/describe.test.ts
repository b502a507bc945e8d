import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
let owner: TestUser;
let id: number;
beforeAll(async () => {
  cloud = await startTestCloud();
  owner = await cloud.make.user();
  ({ id } = await cloud.make.site({ ownerId: owner.id, name: 'home', description: 'before' }));
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

const describeAs = (description: unknown, token = owner.token) =>
  cloud.call(`PATCH /api/v1/sites/${id}`, { token, body: { description } });
const described = async () =>
  (await cloud.call(`GET /api/v1/sites/${id}`, { token: owner.token })).body.description;

it('PATCH /sites/:id changes the description and records the one before', async () => {
  expect(await describeAs(' Barn \u{1f33b} ')).toMatchObject({
    status: 200,
    body: { id, name: 'home', description: 'Barn \u{1f33b}' },
  });
  expect(await described()).toBe('Barn \u{1f33b}');
  await describeAs('Barn \u{1f33b}');
  for (const nothing of [' ', null])
    expect((await describeAs(nothing)).body).toMatchObject({ description: null });
  expect(await described()).toBe(null);
  const { body } = await cloud.call<object[]>(`GET /api/v1/sites/${id}/audit`, { token: owner.token });
  expect(body).toMatchObject([
    { action: 'site.described', details: { from: 'Barn \u{1f33b}', to: null } },
    { action: 'site.described', actor: { id: owner.id }, details: { from: 'before', to: 'Barn \u{1f33b}' } },
  ]);
});

it.each([
  ['no text', 7, { description: ['must be a text or null, not a number'] }],
  ['too long', 'x'.repeat(1001), { description: ['must have at most 1000 characters, not 1001'] }],
  ['absent', undefined, { description: ["can't be blank"] }],
])('a description that is %s is refused with 422', async (_what, description, errors) => {
  expect(await describeAs(description)).toMatchObject({ status: 422, body: { errors } });
});
