/**
 * `npm run drivers:pages`: puts the tables made from each family's map into its page, and writes the schema of the
 * configuration file, in which the drivers' options stand, that of profiles, and the
 * list of all drivers.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf } from '@heliograph/kit';
import { configJsonSchema } from '../apps/device/src/config/json-schema.ts';
import { loadFamilies } from '../apps/device/src/drivers/families/families.ts';
import { DriverProfile } from '../apps/device/src/drivers/profiles/profile-schema.ts';
import { hardwarePage } from './driver-pages/hardware-table.ts';
import { filledPage, HARDWARE_FILE, PROFILE_SCHEMA_FILE, pageOf, SCHEMA_FILE } from './driver-pages/pages.ts';

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
writeFileSync(HARDWARE_FILE, hardwarePage(families));
for (const [file, schema] of [
  [SCHEMA_FILE, configJsonSchema(families)],
  [PROFILE_SCHEMA_FILE, DriverProfile],
] as const) {
  writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
  execFileSync('biome', ['format', '--write', file], { stdio: 'ignore' });
}
