import { createCloudClient } from '@heliograph/client';
import { expect, it } from 'vitest';
import { uploadFiles } from './upload-files.ts';

const files = (...names: string[]): File[] => names.map((name) => new File(['text'], name));

/** Uploads to a cloud that answers with these statuses in their order; null cuts the line. */
async function upload(
  chosen: readonly File[],
  capacity: number | (() => number),
  answers: readonly (number | null)[],
) {
  let requests = 0;
  const answer: typeof fetch = async (input) => {
    const name = new URL(input instanceof Request ? input.url : input).searchParams.get('name');
    const status = answers[requests];
    requests += 1;
    if (status == null) throw new TypeError('fetch failed');
    return Response.json({ id: requests, name, message: 'No.' }, { status });
  };
  const cloud = createCloudClient({ url: 'https://sun.example', retry: false, fetch: answer });
  return {
    ...(await uploadFiles(chosen, typeof capacity === 'number' ? () => capacity : capacity, cloud)),
    requests,
  };
}

it('each file has its answer', async () => {
  const done = await upload(files('a.csv', 'b.bin', 'c.zip', 'd.csv'), 10, [201, 422, 413, 201]);
  expect(done.uploaded.map(({ id }) => id)).toEqual([1, 4]);
  expect(done.refused).toEqual([
    { name: 'b.bin', reason: 'refused' },
    { name: 'c.zip', reason: 'tooLargeThere' },
  ]);
  expect(done.failure).toBeUndefined();
});

it('a name that is longer than the service takes is cut, and the file is taken', async () => {
  const done = await upload(files(`${'x'.repeat(260)}.txt`), 10, [201]);
  expect(done.uploaded.map(({ name }) => name)).toEqual([`${'x'.repeat(251)}.txt`]);
});

it.each([
  ['too many requests', 429],
  ['a cloud that is away', 503],
  ['a lost network', null],
])('the outcome before %s is kept, and no request follows it', async (_, answer) => {
  const done = await upload(files('a.csv', 'b.bin', 'c.csv', 'd.csv'), 10, [201, 422, answer, 201]);
  expect(done.uploaded.map(({ id }) => id)).toEqual([1]);
  expect(done.refused).toEqual([{ name: 'b.bin', reason: 'refused' }]);
  expect(done.failure).toBeInstanceOf(Error);
  if (answer !== null) expect(done.failure).toMatchObject({ status: answer });
  expect(done.requests).toBe(3);
});

it('files beyond the capacity of the message are named and not sent; a refused file does not count', async () => {
  const done = await upload(files('a.csv', 'b.bin', 'c.csv', 'd.csv', 'e.csv'), 2, [201, 422, 201, 201]);
  expect(done.uploaded.map(({ id }) => id)).toEqual([1, 3]);
  expect(done.refused).toEqual([
    { name: 'b.bin', reason: 'refused' },
    { name: 'd.csv', reason: 'tooMany' },
    { name: 'e.csv', reason: 'tooMany' },
  ]);
  expect(done.requests).toBe(3);
});

it('a file removed while others are sent leaves its place to one of them', async () => {
  const capacities = [1, 1, 2];
  const done = await upload(files('a.csv', 'b.csv', 'c.csv'), () => capacities.shift() ?? 2, [201, 201, 201]);
  expect(done.uploaded.map(({ name }) => name)).toEqual(['a.csv', 'c.csv']);
  expect(done.refused).toEqual([{ name: 'b.csv', reason: 'tooMany' }]);
});
