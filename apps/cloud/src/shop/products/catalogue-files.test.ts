import { expect, it } from 'vitest';
import { CatalogueFiles } from './catalogue-files.ts';

const FILE = 'products: [{ sku: box, name: Box, kind: device, prices: { EUR: 119 } }]\n';

it('a catalogue is read and written in a thread, and its problems arrive', async () => {
  const files = new CatalogueFiles();
  const catalogue = await files.read(FILE);
  expect(catalogue.entries).toMatchObject([{ sku: 'box', prices: [{ amount: 11_900, currency: 'EUR' }] }]);
  expect(await files.read(await files.write(catalogue))).toEqual(catalogue);
  await expect(files.read('products: [{ sku: box }]')).rejects.toMatchObject({
    status: 422,
    problems: [expect.stringMatching(/^products\[0\]/)],
  });
});

it('a file that takes too long is refused, and so is one that would wait behind eight', async () => {
  const files = new CatalogueFiles({ deadlineMs: 0 });
  const answers = await Promise.allSettled(Array.from({ length: 9 }, () => files.read(FILE)));
  const reasons = answers.map((answer) => (answer.status === 'rejected' ? answer.reason : answer));
  expect(reasons).toEqual([
    ...Array.from({ length: 8 }, () =>
      expect.objectContaining({ status: 422, problems: ['The file takes too long to read'] }),
    ),
    expect.objectContaining({ status: 503, retryAfterS: 5 }),
  ]);
});

it('the file after one that took too long is read', async () => {
  const limits = { deadlineMs: 0 };
  const files = new CatalogueFiles(limits);
  await expect(files.read(FILE)).rejects.toMatchObject({ status: 422 });
  limits.deadlineMs = 90_000;
  expect(await files.read(FILE)).toMatchObject({ entries: [{ sku: 'box' }] });
});
