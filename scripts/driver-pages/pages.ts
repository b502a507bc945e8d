import { join } from 'node:path';
import type { DriverFamily } from '../../apps/device/src/drivers/driver.ts';
import { familyTables } from './tables.ts';

const DEVICE = join(import.meta.dirname, '../../apps/device');

/** The schema of the configuration file, for editors. */
export const SCHEMA_FILE = join(DEVICE, 'device.schema.json');

/** The page that lists every driver. */
export const HARDWARE_FILE = join(import.meta.dirname, '../../docs/hardware.md');

/** The schema of profiles, for editors. */
export const PROFILE_SCHEMA_FILE = join(DEVICE, 'src/drivers/profiles/profile.schema.json');

const MARKS = ['<!-- map -->', '<!-- /map -->'] as const;

export function pageOf({ name }: DriverFamily): string {
  return join(DEVICE, 'src/drivers', name, 'README.md');
}

/**
 * A family's page with its tables between the marks.
 *
 * @throws Error when the page has no place for them
 */
export function filledPage(page: string, family: DriverFamily): string {
  const [begin, end] = MARKS.map((mark) => page.indexOf(mark));
  if (begin === undefined || end === undefined || begin < 0 || end < begin) {
    throw new Error(`${pageOf(family)} lacks ${MARKS.join(' and ')}, between which its tables go`);
  }
  const before = page.slice(0, begin + MARKS[0].length);
  return `${before}\n\n${familyTables(family).join('\n')}\n\n${page.slice(end)}`;
}
