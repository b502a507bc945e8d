import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DriverFamily } from './driver.ts';

/**
 * The families there are, by name. Each folder beside this file is one, and exports it as `family` from its
 * `index.ts`: a new one is found without being listed anywhere.
 *
 * @param wanted only these, for a device that has no use for the maps of the others; when one of them is no family,
 *   all, so that it can be said which there are
 */
export async function loadFamilies(wanted?: readonly string[]): Promise<ReadonlyMap<string, DriverFamily>> {
  const all = readdirSync(import.meta.dirname)
    .filter((name) => existsSync(join(import.meta.dirname, name, 'index.ts')))
    .toSorted();
  const known = wanted?.every((name) => all.includes(name)) ?? false;
  const families = await Promise.all(all.filter((name) => !known || wanted?.includes(name)).map(loadFamily));
  return new Map(families.map((family) => [family.name, family]));
}

async function loadFamily(folder: string): Promise<DriverFamily> {
  const file = pathToFileURL(join(import.meta.dirname, folder, 'index.ts')).href;
  const { family }: { family: DriverFamily } = await import(file);
  return family;
}
