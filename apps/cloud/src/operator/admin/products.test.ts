import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TestDatabase, testProgram } from '@heliograph/dev/testing';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Operator } from '../../../test/operator/admin/operator.ts';
import { cloudDatabase } from '../../../test/test-cloud.ts';

let database: TestDatabase;
let operator: Operator;
let folder: string;
beforeAll(async () => {
  database = await cloudDatabase();
  operator = new Operator(database.url);
  folder = await mkdtemp(join(tmpdir(), 'catalogue-'));
});
afterAll(async () => {
  await database?.drop();
  await rm(folder, { recursive: true });
});

async function catalogueFile(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

it('the catalogue of the documentation is imported, listed, exported, and imported again', async () => {
  const page = await readFile(new URL('../../../../../docs/business.md', import.meta.url), 'utf8');
  const [, example = ''] = /```yaml\n(.*?)```/s.exec(page) ?? [];
  const first = await operator.run(['products', 'import', await catalogueFile('first.yaml', example)]);
  expect(first).toMatchObject({ code: 0, out: expect.stringMatching(/created +2\n/) });

  const { out } = await operator.run('products list');
  expect(out).toContain('EUR 219.90, USD 229.00');
  expect((await operator.run('products list kind:licence')).out).not.toContain('device_rpi5');

  const { out: exported } = await operator.run('products export');
  const again = await operator.run(['products', 'import', await catalogueFile('again.yaml', exported)]);
  expect(again).toMatchObject({
    code: 0,
    out: expect.stringMatching(/changed +0\narchived +0\nunchanged +2\n/),
  });
  const { out: log } = await operator.run('audit --action product.created');
  expect(log.match(/product\.created/g)).toHaveLength(2);
});

it('the delivered program imports and exports a catalogue', async () => {
  const program = await testProgram('apps/cloud/src/operator/admin/main');
  const run = async (...args: readonly string[]) => {
    const env = { ...process.env, DATABASE_URL: database.url };
    const { stdout } = await promisify(execFile)(process.execPath, [program, 'products', ...args], { env });
    return stdout;
  };
  const file = await catalogueFile(
    'delivered.yaml',
    'products: [{ sku: box, name: Box, kind: device, prices: { EUR: 119 } }]',
  );
  expect(await run('import', file)).toMatch(/created +1\n/);
  expect(await run('export')).toContain('sku: box');
});

it('a catalogue with mistakes changes nothing, and each is named', async () => {
  const path = await catalogueFile(
    'wrong.yaml',
    'products: [{ sku: a, kind: device, prices: {} }, { sku: B }]',
  );
  const { code, err } = await operator.run(['products', 'import', path]);
  expect([code, err]).toEqual([1, expect.stringMatching(/products\[0\].*; products\[1\]/)]);
  expect(await operator.run(['products', 'import', join(folder, 'none.yaml')])).toMatchObject({
    code: 1,
    err: expect.stringContaining('cannot be read: ENOENT'),
  });
});
