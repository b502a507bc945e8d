import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Fixture } from './fixture.ts';

const HELIOGRAPH = join(import.meta.dirname, '../../../node_modules/.bin/heliograph');

/** Makes the catalogue of the operator's own shop that of a YAML file. */
export async function importCatalogue({ system }: Fixture, catalogue: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shop-'));
  const file = join(folder, 'catalogue.yaml');
  await writeFile(file, catalogue);
  const env = { ...process.env, DATABASE_URL: system.run.cloud.database_url };
  await promisify(execFile)(HELIOGRAPH, ['admin', 'products', 'import', file], { env });
  await rm(folder, { recursive: true });
}
