import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PARTS, serviceEnvironment } from './installed-part.ts';

const PACKAGING = join(import.meta.dirname, '../../../../packaging');

/** The folder that stands for the machine's root folder. */
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'heliograph machine-'));
  for (const { environmentFile } of Object.values(PARTS))
    mkdirSync(dirname(join(root, environmentFile)), { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true }));

describe('heliograph device of a package', () => {
  it.each<[string, string | undefined, Record<string, string>, Record<string, string>]>([
    [
      'without variables works on the data of the service',
      undefined,
      {},
      { DEVICE_DATA: '/var/lib/heliograph', DEVICE_CONFIG: '/etc/heliograph/device.yaml' },
    ],
    [
      'has the variables of the service, but not the first password',
      'DEVICE_PORT="80"\nDEVICE_PASSWORD="roof above the garden"\nDEVICE_PASSWORD_FILE=/run/password\n',
      {},
      {
        DEVICE_DATA: '/var/lib/heliograph',
        DEVICE_CONFIG: '/etc/heliograph/device.yaml',
        DEVICE_PORT: '80',
      },
    ],
    [
      'works on the data that the service was given',
      'DEVICE_DATA=/srv/home\n',
      {},
      { DEVICE_DATA: '/srv/home', DEVICE_CONFIG: '/etc/heliograph/device.yaml' },
    ],
    [
      'prefers its own variables, without those that are empty',
      'DEVICE_PORT=80\n',
      { DEVICE_PORT: '81', DEVICE_DATA: '', DEVICE_PASSWORD: 'typed' },
      {
        DEVICE_DATA: '/var/lib/heliograph',
        DEVICE_CONFIG: '/etc/heliograph/device.yaml',
        DEVICE_PORT: '81',
        DEVICE_PASSWORD: 'typed',
      },
    ],
    [
      'takes no configuration of the service for another data folder',
      undefined,
      { DEVICE_DATA: '/mnt/card' },
      { DEVICE_DATA: '/mnt/card' },
    ],
  ])('a command %s', (_what, file, env, variables) => {
    const path = join(root, PARTS.device.environmentFile);
    if (file === undefined) rmSync(path, { force: true });
    else writeFileSync(path, file);
    expect(serviceEnvironment('device', env, root)).toEqual(variables);
  });

  it.each([
    'debian/device/files/usr/lib/systemd/system/heliograph-device.service',
    'archive/units/heliograph-update.service',
  ])('a command has the defaults of the unit %s', (unit) => {
    const text = readFileSync(join(PACKAGING, unit), 'utf8');
    const variables = [...text.matchAll(/^Environment=(DEVICE_\w+)=(.*)$/gm)].map(([, name, value]) => [
      name,
      value,
    ]);
    expect(Object.fromEntries(variables)).toEqual(PARTS.device.defaults);
    expect(text).toContain(`\nEnvironmentFile=-${PARTS.device.environmentFile}\n`);
  });
});

describe('heliograph admin of a package', () => {
  const write = (text: string) => writeFileSync(join(root, PARTS.cloud.environmentFile), text);

  it('a command has the variables of the service, whose values no shell expands or executes', () => {
    const url = 'postgres://h2:pa$word1`touch /tmp/x`@db/h';
    write(`# A comment\nDATABASE_URL="${url}"\nCLOUD_URL=https://cloud.example.org\n`);
    expect(serviceEnvironment('cloud', {}, root)).toEqual({
      DATABASE_URL: url,
      CLOUD_URL: 'https://cloud.example.org',
    });
  });

  it.each(['DATABASE_URL', 'DATABASE_URL_FILE'])(
    'a command takes nothing of the service where %s names another database',
    (name) => {
      write('DATABASE_URL=postgres://service/h\nCLOUD_URL=https://cloud.example.org\n');
      expect(serviceEnvironment('cloud', { [name]: 'other' }, root)).toEqual({ [name]: 'other' });
    },
  );

  it.runIf(process.getuid?.() !== 0)('a file that only root may read is reported', () => {
    write('');
    chmodSync(join(root, PARTS.cloud.environmentFile), 0o000);
    expect(() => serviceEnvironment('cloud', {}, root)).toThrow(/may not be read: run this command as root$/);
  });

  it('the unit of the cloud reads the same file', () => {
    const unit = readFileSync(
      join(PACKAGING, 'debian/cloud/files/usr/lib/systemd/system/heliograph-cloud.service'),
      'utf8',
    );
    expect(unit).toContain(`\nEnvironmentFile=${PARTS.cloud.environmentFile}\n`);
  });
});
