import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { configJsonSchema } from '../../apps/device/src/config/json-schema.ts';
import { loadFamilies } from '../../apps/device/src/drivers/families/families.ts';
import { DriverProfile } from '../../apps/device/src/drivers/profiles/profile-schema.ts';
import { hardwarePage } from './hardware-table.ts';
import { filledPage, HARDWARE_FILE, PROFILE_SCHEMA_FILE, pageOf, SCHEMA_FILE } from './pages.ts';

const families = await loadFamilies();

describe('npm run drivers:pages', () => {
  it.each([...families.values()].map((family) => [family.name, family] as const))(
    'the page of %s has the tables of its map',
    (_name, family) => {
      const page = readFileSync(pageOf(family), 'utf8');
      expect(page).toBe(filledPage(page, family));
    },
  );

  it('the schema of the configuration file has the options of every driver', () => {
    const written: unknown = JSON.parse(readFileSync(SCHEMA_FILE, 'utf8'));
    expect(written).toEqual(JSON.parse(JSON.stringify(configJsonSchema(families))));
  });

  it('the schema of profiles is the one by which they are read', () => {
    const written: unknown = JSON.parse(readFileSync(PROFILE_SCHEMA_FILE, 'utf8'));
    expect(written).toEqual(JSON.parse(JSON.stringify(DriverProfile)));
  });

  it('the list of hardware has every driver with its recordings', () => {
    expect(readFileSync(HARDWARE_FILE, 'utf8')).toBe(hardwarePage(families));
  });
});

it('a page without a place for its tables is refused', () => {
  const [family] = families.values();
  if (family === undefined) throw new Error('there is no family');
  expect(() => filledPage('# A page\n', family)).toThrow(/lacks <!-- map --> and <!-- \/map -->/);
});
