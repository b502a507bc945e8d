import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/folders.ts';
import { openDataFolder } from './data-folder.ts';
import { ensureSecrets } from './secrets.ts';

const isRoot = process.getuid?.() === 0;

describe('openDataFolder', () => {
  it('a missing data folder is made, closed to others', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'a', 'b');

    const opened = await openDataFolder(path);

    expect(opened.path).toBe(path);
    expect((await stat(path)).mode & 0o066).toBe(0);
    opened.release();
  });

  it('a data folder that another process has open is refused with the id of that process', async () => {
    await using folder = await temporaryFolder();
    const holder = await openInAnotherProcess(folder.path);

    await expect(openDataFolder(folder.path)).rejects.toThrow(
      `The system already runs in ${folder.path} (process ${holder.pid})`,
    );

    holder.kill('SIGKILL');
    await once(holder, 'exit');
    (await openDataFolder(folder.path)).release();
  });

  it('a released data folder opens again', async () => {
    await using folder = await temporaryFolder();
    (await openDataFolder(folder.path)).release();
    (await openDataFolder(folder.path)).release();
  });

  it.each([
    [
      'PostgreSQL passes through an empty data folder where it runs under another account',
      [],
      isRoot ? 0o711 : 0o700,
    ],
    ['a data folder that is not empty keeps its mode', ['notes.txt'], 0o700],
  ])('%s', async (_what, files, mode) => {
    await using folder = await temporaryFolder();
    for (const file of files) await writeFile(join(folder.path, file), '');
    await chmod(folder.path, 0o700);
    (await openDataFolder(folder.path)).release();
    expect((await stat(folder.path)).mode & 0o777).toBe(mode);
  });

  it.each([
    ['a file in its place', 'file', 'it is a file, not a folder'],
    ['a file above it', 'file/data', 'one of the folders above it is a file'],
    ['a name too long', 'n'.repeat(300), 'its name is too long'],
  ])('a data folder with %s is refused', async (_what, name, reason) => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'file'), 'mine');

    const path = join(folder.path, name);
    await expect(openDataFolder(path)).rejects.toThrow(`The data folder ${path} cannot be used: ${reason}`);
    expect(await readdir(folder.path)).toEqual(['file']);
  });

  it.skipIf(isRoot)('a read-only data folder is refused', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'data');
    await mkdir(path, { mode: 0o555 });

    await expect(openDataFolder(path)).rejects.toThrow('you may not write there');
  });
});

describe('ensureSecrets', () => {
  it('secrets are generated once, readable by their owner alone, and stay the same', async () => {
    await using folder = await temporaryFolder();
    const first = await ensureSecrets(folder.path);
    const second = await ensureSecrets(folder.path);

    expect(second).toEqual(first);
    expect((await stat(join(folder.path, 'secrets.json'))).mode & 0o777).toBe(0o600);
    expect(first.apiToken).toMatch(/^hga_[\w-]{43}$/);
    expect(first.devicePassword).toMatch(/^[a-z2-9]{4}(-[a-z2-9]{4}){2}$/);
    expect(first.cloudSecret.length).toBeGreaterThanOrEqual(32);
    expect(new Set(Object.values(first)).size).toBe(Object.keys(first).length);
  });

  it('missing secrets are added to those of the file', async () => {
    await using folder = await temporaryFolder();
    await writeFile(join(folder.path, 'secrets.json'), '{"devicePassword":"chosen by hand"}');

    const secrets = await ensureSecrets(folder.path);

    expect(secrets.devicePassword).toBe('chosen by hand');
    expect(await ensureSecrets(folder.path)).toEqual(secrets);
  });

  it.each(['', 'not json', '[', '7'])(
    'a damaged secrets file ("%s") is refused and left alone',
    async (text) => {
      await using folder = await temporaryFolder();
      const path = join(folder.path, 'secrets.json');
      await writeFile(path, text);

      await expect(ensureSecrets(folder.path)).rejects.toThrow(`${path} cannot be read as JSON`);
      expect(await readFile(path, 'utf8')).toBe(text);
    },
  );
});

/** Opens the folder in another process. */
async function openInAnotherProcess(folder: string) {
  const module = join(import.meta.dirname, 'data-folder.ts');
  const source = `
    import { openDataFolder } from ${JSON.stringify(module)};
    await openDataFolder(${JSON.stringify(folder)});
    console.log('open');
    setInterval(() => {}, 1000);
  `;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  return holder;
}
