import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestUser } from '../../../test/factory.ts';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

let ada: TestUser;
beforeEach(async () => {
  ada = await cloud.make.user();
});

const SOUTH = { name: 'South', search: 'q=tag%3Asouth&view=table' };
const VISITS = { name: 'Visits', search: 'show=offline&view=table&sort=customer' };

const views = async (token = ada.token) =>
  (await cloud.call('GET /api/v1/user/site_views', { token })).body.views;
const save = (list: readonly unknown[]) =>
  cloud.call('PUT /api/v1/user/site_views', { token: ada.token, body: { views: list } });

it('an account keeps its views in their order, and no other account sees them', async () => {
  expect(await views()).toEqual([]);
  expect(await save([VISITS, SOUTH])).toMatchObject({ status: 200, body: { views: [VISITS, SOUTH] } });
  expect(await views()).toEqual([VISITS, SOUTH]);
  expect(await views((await cloud.make.user()).token)).toEqual([]);
});

it('a view that is saved under a name again replaces the former one', async () => {
  expect((await save([SOUTH, { ...VISITS, name: ' South ' }])).body.views).toEqual([
    { ...VISITS, name: 'South' },
  ]);
});

it.each([
  ['no name', { ...SOUTH, name: ' ' }],
  ['a name too long', { ...SOUTH, name: 'x'.repeat(61) }],
  ['a search with spaces', { ...SOUTH, search: 'q=a b' }],
])('a view with %s is refused', async (_fault, view) => {
  expect((await save([view])).status).toBe(422);
  expect(await views()).toEqual([]);
});

it('more than 50 views are refused', async () => {
  const list = Array.from({ length: 51 }, (_, nth) => ({ ...SOUTH, name: `South ${nth}` }));
  expect((await save(list)).status).toBe(422);
  expect((await save(list.slice(1))).body.views).toHaveLength(50);
});

it('a change of the views is recorded with their names, and none where they are the same', async () => {
  await save([SOUTH]);
  await save([SOUTH]);
  await save([]);
  const events = await cloud.db
    .selectFrom('audit_events')
    .select('details')
    .where('user_id', '=', ada.id)
    .where('action', '=', 'account.changed')
    .orderBy('id')
    .execute();
  expect(events.map(({ details }) => details)).toEqual([
    { site_views: { from: '', to: 'South' } },
    { site_views: { from: 'South', to: '' } },
  ]);
});
