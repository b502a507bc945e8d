/**
 * `npm run drivers:pages`: puts the tables made from each family's map into its page, and writes the schema of the
 * configuration file, in which the drivers' options stand.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf } from '@heliograph/kit';
import { configJsonSchema } from '../apps/device/src/config/json-schema.ts';
import { loadFamilies } from '../apps/device/src/families/families.ts';
import { filledPage, pageOf, SCHEMA_FILE } from './driver-pages/pages.ts';

const families = await loadFamilies();
for (const family of families.values()) {
  const page = pageOf(family);
  try {
    writeFileSync(page, filledPage(readFileSync(page, 'utf8'), family));
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}
writeFileSync(SCHEMA_FILE, `${JSON.stringify(configJsonSchema(families), null, 2)}\n`);
execFileSync('biome', ['format', '--write', SCHEMA_FILE], { stdio: 'ignore' });
