import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestCloud, type TestCloud } from '../../../test/test-cloud.ts';

const PEOPLE = 25;

let cloud: TestCloud;
beforeAll(async () => {
  cloud = await startTestCloud();
});
afterAll(() => cloud?.[Symbol.asyncDispose]());

async function listIds(path: string, token: string): Promise<number[]> {
  const { body } = await cloud.call<{ id: number }[]>(`GET ${path}`, { token });
  return body.map(({ id }) => id);
}

it('the members of a site come in pages of twenty, the owner first', async () => {
  const owner = await cloud.make.user();
  const { id: siteId } = await cloud.make.site({ ownerId: owner.id });
  const ids = [owner.id];
  for (let made = 0; made < PEOPLE; made++) {
    const { id } = await cloud.make.user();
    await cloud.make.member(siteId, id, 'member');
    ids.push(id);
  }
  const path = `/api/v1/sites/${siteId}/users`;
  expect(await listIds(path, owner.token)).toEqual(ids.slice(0, 20));
  expect(await listIds(`${path}?offset=20`, owner.token)).toEqual(ids.slice(20));
  expect(await listIds(`${path}?limit=1000`, owner.token)).toEqual(ids);
  expect(await listIds(`${path}?offset=3&limit=2`, owner.token)).toEqual(ids.slice(3, 5));
  expect(await listIds(`${path}?limit=0`, owner.token)).toEqual([]);
});
