import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/**
 * The licences of everything in a package that others wrote, which have to go with their code.
 *
 * @param folders of npm packages
 */
export async function licences(folders: readonly string[]): Promise<string> {
  const texts = await Promise.all([...new Set(folders)].map(licenceOf));
  return texts.filter((text) => text !== undefined).join(`\n${'-'.repeat(80)}\n\n`);
}

/** @returns undefined for a folder that is no package, such as one of compiled helpers */
async function licenceOf(folder: string): Promise<string | undefined> {
  const file = join(folder, 'package.json');
  if (!existsSync(file)) return undefined;
  const { name, version, license = 'see below' }: Manifest = JSON.parse(await readFile(file, 'utf8'));
  const own = await licenceFiles(folder);
  // Packages of native code leave the text to the package that they belong to.
  const texts =
    own.length > 0 ? own : await licenceFiles(join(dirname(folder), basename(folder).split('-')[0] ?? ''));
  return [`${name} ${version}: ${license}\n`, ...texts].join('\n');
}

async function licenceFiles(folder: string): Promise<readonly string[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => LICENCE_FILE.test(name)).toSorted();
  return Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')));
}
