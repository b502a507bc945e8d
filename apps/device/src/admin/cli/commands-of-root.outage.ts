import { execFile } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  BackedUpHome,
  CONFIGURATION,
  PASSPHRASE,
  topicsIn,
} from '../../../test/admin/backup/backed-up-home.ts';

const run = promisify(execFile);
const PROGRAM = join(import.meta.dirname, 'main.ts');

/** The account of the device, which owns its folder and the links there. */
const DEVICE_ACCOUNT = 65_534;

let home: BackedUpHome;
beforeAll(async () => {
  home = await BackedUpHome.start();
});
afterAll(() => home?.[Symbol.asyncDispose]());

/** Belongs to root, and any account may read it. */
let victim: string;
let data: string;
let folder: string;
beforeEach(() => {
  // Another account reaches it, unlike the folder of temporary files of tests.
  folder = mkdtempSync('/tmp/heliograph-root-');
  chmodSync(folder, 0o755);
  victim = join(folder, 'victim');
  data = join(folder, 'data');
  for (const made of [victim, data]) mkdirSync(made, { mode: 0o755 });
  writeFileSync(join(victim, 'file'), 'mdns: true\n', { mode: 0o644 });
  chownSync(data, DEVICE_ACCOUNT, DEVICE_ACCOUNT);
});

afterEach(() => rmSync(folder, { recursive: true }));

const env = { ...process.env, BACKUP_PASSPHRASE: PASSPHRASE };
const device = async (...args: readonly string[]): Promise<string> => {
  const { stdout } = await run(process.execPath, [PROGRAM, ...args, '--data', data], { env });
  return stdout;
};

/** Entries, owners, modes, contents and links of the victim's folder. */
const victimState = () =>
  [victim, ...readdirSync(victim).map((name) => join(victim, name))].map((path) => {
    const { uid, gid, mode } = lstatSync(path);
    return [path, uid, gid, mode, lstatSync(path).isFile() && readFileSync(path, 'utf8')];
  });

/** Every second in which the restore could set the former files aside. */
const ASIDE = Array.from({ length: 300 }, (_, second) => {
  const time = new Date(Date.now() + second * 1000).toISOString();
  return `before-restore-${time.replaceAll(/[-:]|\.\d+Z$/g, '')}`;
});

const DATABASES = ['device.sqlite', 'history.sqlite'].flatMap((name) => [name, `${name}-wal`, `${name}-shm`]);

describe.runIf(process.getuid?.() === 0)('a command of root in the folder of another account', () => {
  it('the files belong to that account afterwards', async () => {
    expect(await device('restore', home.file)).toMatch(/^This computer is the device /);
    const made = readdirSync(data);
    expect(made.toSorted()).toEqual(['device.sqlite', 'device.yaml', 'history.sqlite']);
    expect(topicsIn(data)).toContain('total/of_yesterday');
    expect(readFileSync(join(data, 'device.yaml'), 'utf8')).toBe(CONFIGURATION);
    const copy = join(victim, 'copy.backup');
    expect(await device('backup', copy)).toMatch(/can be read/);
    expect(lstatSync(copy)).toMatchObject({ uid: 0, mode: 0o100_600 });
    rmSync(join(data, 'device.yaml'));
    await run(process.execPath, [PROGRAM, 'config', join(data, 'device.yaml')]);
    expect(readdirSync(data)).toContain('device.yaml');
    expect(new Set(readdirSync(data).map((name) => lstatSync(join(data, name)).uid))).toEqual(
      new Set([DEVICE_ACCOUNT]),
    );
  });

  it.each<[string, () => void]>([
    [
      'a link for the unfinished configuration',
      () => symlinkSync(join(victim, 'new'), join(data, 'device.yaml.new')),
    ],
    ['a link for the configuration', () => symlinkSync(join(victim, 'file'), join(data, 'device.yaml'))],
    [
      'hard links for both',
      () => {
        for (const name of ['device.yaml', 'device.yaml.new'])
          linkSync(join(victim, 'file'), join(data, name));
      },
    ],
    [
      'links for the folder of former files',
      () => {
        writeFileSync(join(data, 'device.yaml'), 'of before\n');
        for (const name of ASIDE) symlinkSync(victim, join(data, name));
      },
    ],
    ['a link for the folder of profiles', () => symlinkSync(victim, join(data, 'profiles'))],
    [
      'links for the databases',
      () => {
        for (const name of DATABASES) symlinkSync(join(victim, name), join(data, name));
      },
    ],
    ['a link for the restore that waits', () => symlinkSync(victim, join(data, 'restore.ready'))],
  ])('planted links are not followed: %s', async (_what, plant) => {
    plant();
    const before = victimState();
    await device('restore', home.file).catch(() => undefined);
    expect(victimState()).toEqual(before);
  });

  it('a configuration is set through no link', async () => {
    const file = join(data, 'device.yaml');
    symlinkSync(join(victim, 'file'), file);
    const before = victimState();
    await run(process.execPath, [PROGRAM, 'config', file, '--set', 'mdns=false']).catch(() => undefined);
    expect(victimState()).toEqual(before);
    rmSync(file);
    symlinkSync(join(victim, 'new'), file);
    await run(process.execPath, [PROGRAM, 'config', file]).catch(() => undefined);
    expect(existsSync(join(victim, 'new'))).toBe(false);
  });
});
