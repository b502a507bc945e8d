import { existsSync, readdirSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DriverFamily } from '../driver.ts';
import { BadProfile, loadProfile } from '../profiles/profile-family.ts';

const DRIVERS = join(import.meta.dirname, '..');

const PROFILE_ENDING = '.yaml';

/** Packages hold the code as JavaScript. */
const PROGRAM = `index${extname(import.meta.filename)}`;

/** The folder beside a configuration file in which its owner puts profiles. */
const OWN_FOLDER = 'profiles';

export interface FamilyChoice {
  /**
   * Only these, for a device that has no use for the maps of the others; when one of them is no family, all, so that
   * the message can list them.
   */
  readonly wanted?: readonly string[] | undefined;
  /** Path of the configuration file whose own profiles count, too. */
  readonly configFile?: string | undefined;
}

/**
 * The families there are, by name. Each folder of `drivers` with a program `index` is one, exported from there as `family`,
 * and so is each profile: `srne/srne.yaml` is the family `srne`. An owner's profile replaces a built-in family of its
 * name.
 *
 * @throws BadProfile when a wanted profile of the owner holds mistakes; others that do are left out
 */
export async function loadFamilies({
  wanted,
  configFile,
}: FamilyChoice = {}): Promise<ReadonlyMap<string, DriverFamily>> {
  const all = new Map([...builtInFiles(), ...ownFiles(configFile)]);
  const known = wanted?.every((name) => all.has(name)) ?? false;
  const chosen = [...all].filter(([name]) => !known || wanted?.includes(name));
  const families = await Promise.all(
    chosen.map(async ([name, file]) => {
      try {
        return await loadFamily(file);
      } catch (error) {
        if (error instanceof BadProfile && !wanted?.includes(name)) return undefined;
        throw error;
      }
    }),
  );
  return new Map(families.flatMap((family) => (family === undefined ? [] : [[family.name, family]])));
}

/** A file that a family is loaded from. */
interface FamilyFile {
  readonly path: string;
  readonly isOwn: boolean;
}

type NamedFile = readonly [name: string, file: FamilyFile];

function builtInFiles(): readonly NamedFile[] {
  const folders = readdirSync(DRIVERS, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found = folders.flatMap(({ name: folder }) =>
    readdirSync(join(DRIVERS, folder)).flatMap((file): readonly NamedFile[] => {
      const path = join(DRIVERS, folder, file);
      if (file === PROGRAM) return [[folder, { path, isOwn: false }]];
      return file.endsWith(PROFILE_ENDING) ? [[profileName(file), { path, isOwn: false }]] : [];
    }),
  );
  return found.toSorted(([one], [other]) => (one < other ? -1 : 1));
}

function ownFiles(configFile: string | undefined): readonly NamedFile[] {
  const folder = configFile === undefined ? '' : join(dirname(configFile), OWN_FOLDER);
  if (folder === '' || !existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(PROFILE_ENDING))
    .toSorted()
    .map((file) => [profileName(file), { path: join(folder, file), isOwn: true }]);
}

function profileName(file: string): string {
  return file.slice(0, -PROFILE_ENDING.length);
}

/** Built-in families, by path: their files do not change while a program runs. */
const builtIn = new Map<string, Promise<DriverFamily>>();

function loadFamily(file: FamilyFile): Promise<DriverFamily> {
  if (file.isOwn) return readFamily(file);
  const family = builtIn.get(file.path) ?? readFamily(file);
  builtIn.set(file.path, family);
  return family;
}

async function readFamily({ path, isOwn }: FamilyFile): Promise<DriverFamily> {
  if (path.endsWith(PROFILE_ENDING)) return loadProfile(path, { isOwn });
  const { family }: { family: DriverFamily } = await import(pathToFileURL(path).href);
  return family;
}
