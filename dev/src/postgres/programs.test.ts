import { chmod, cp, lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../machine/run-program.ts';
import { temporaryFolder } from '../testing/folders.ts';
import { unprivilegedAccount } from './account.ts';
import { installedPackage, type PostgresPackage, programsFor } from './programs.ts';

const isRoot = process.getuid?.() === 0;

/** Files that programs do without when they print their version: most of the package. */
const NOT_NEEDED_HERE = /[\\/](share|lib[\\/]postgresql)$|\.a$/;

/** The installed package as it is when npm did not run its install script: without its links. */
async function packageWithoutLinks(folder: string): Promise<PostgresPackage> {
  const { folder: installed, version } = installedPackage();
  await cp(installed, folder, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !NOT_NEEDED_HERE.test(source),
  });
  const libraries = join(folder, 'native', 'lib');
  for (const entry of await readdir(libraries, { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(libraries, entry.name));
  }
  return { folder, version };
}

describe('programsFor', () => {
  it('the programs run where npm installed them, even when npm ran no install script', async () => {
    await using folder = await temporaryFolder();
    const from = await packageWithoutLinks(join(folder.path, 'package'));

    const programs = await programsFor(await unprivilegedAccount(), { from, baseFolder: folder.path });

    expect(programs.postgres).toContain(from.folder);
    expect((await run(programs.postgres, ['--version'])).stdout).toMatch(/^postgres \(PostgreSQL\) 18/);
  });

  it('the programs run from one private copy when they cannot run there, however many start at once', async () => {
    await using folder = await temporaryFolder();
    await using base = await temporaryFolder();
    const closed = join(folder.path, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const from = await packageWithoutLinks(join(closed, 'package'));
    // The closed folder keeps root's other account out; any other account cannot add the missing links.
    await using _libraries = isRoot ? undefined : await readOnly(join(from.folder, 'native', 'lib'));
    const account = await unprivilegedAccount();

    const all = await Promise.all([1, 2, 3].map(() => programsFor(account, { from, baseFolder: base.path })));

    const copies = await readdir(base.path);
    expect(copies).toHaveLength(1);
    for (const { postgres } of all) {
      expect(postgres).toContain(base.path);
      expect((await run(postgres, ['--version'], account)).ok).toBe(true);
    }
    const copied = await lstat(join(base.path, copies[0] ?? '', 'native/bin/postgres'));
    expect(copied.uid).toBe(process.getuid?.());
    expect(copied.mode & 0o022).toBe(0);
  });
});

/** Takes away the right to write in a folder, for a while. */
async function readOnly(folder: string): Promise<AsyncDisposable> {
  await chmod(folder, 0o555);
  return { [Symbol.asyncDispose]: () => chmod(folder, 0o755) };
}
