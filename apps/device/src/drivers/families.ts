import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DriverFamily } from './driver.ts';

/**
 * Every family there is, by name. Each folder beside this file is one, and exports it as `family` from its
 * `index.ts`: a new one is found without being listed anywhere.
 */
export async function loadFamilies(): Promise<ReadonlyMap<string, DriverFamily>> {
  const folders = readdirSync(import.meta.dirname)
    .filter((name) => existsSync(join(import.meta.dirname, name, 'index.ts')))
    .toSorted();
  const families = await Promise.all(folders.map(loadFamily));
  return new Map(families.map((family) => [family.name, family]));
}

async function loadFamily(folder: string): Promise<DriverFamily> {
  const file = pathToFileURL(join(import.meta.dirname, folder, 'index.ts')).href;
  const { family }: { family: DriverFamily } = await import(file);
  return family;
}
