import { expect, it } from 'vitest';
import { batched } from './batched.ts';

it('loads of the same moment are one request for each batch, with each id once', async () => {
  const requests: (readonly number[])[] = [];
  const load = batched(async (ids) => {
    requests.push(ids);
    return ids.filter((id) => id !== 3).map((id) => ({ id, name: `site ${id}` }));
  }, 3);
  const names = await Promise.all([1, 2, 2, 3, 4, 1].map(async (id) => (await load(id))?.name));
  expect(names).toEqual(['site 1', 'site 2', 'site 2', undefined, 'site 4', 'site 1']);
  expect(requests).toEqual([
    [1, 2, 3],
    [4, 1],
  ]);
  await load(1);
  expect(requests).toHaveLength(3);
});

it('a failed request fails its loads, and the next one is sent again', async () => {
  let fails = true;
  const load = batched(async (ids) => {
    if (fails) throw new Error('offline');
    return ids.map((id) => ({ id }));
  }, 3);
  const results = await Promise.allSettled([load(1), load(2)]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  fails = false;
  expect(await load(1)).toEqual({ id: 1 });
});
