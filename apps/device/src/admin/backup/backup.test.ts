import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type {
  DeviceAbout,
  DeviceAuditEntry,
  DeviceConfiguration,
  DeviceSession,
} from '@heliograph/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BackedUpHome,
  CONFIGURATION,
  installationIn,
  PASSPHRASE,
  topicsIn,
} from '../../../test/admin/backup/backed-up-home.ts';
import { KEY_COST } from '../../../test/admin/backup/key-cost.ts';
import { type ProgramWorld, runProgram } from '../../../test/admin/cli/run-program.ts';
import { mountFile } from '../../../test/mount-file.ts';
import {
  WHOLE_DEVICE_PASSWORD as PASSWORD,
  startWholeDevice,
  type WholeDevice,
} from '../../../test/whole-device.ts';
import { DATABASE_FILE } from '../../storage/database.ts';

let home: BackedUpHome;
beforeAll(async () => {
  home = await BackedUpHome.start();
});
afterAll(() => home?.[Symbol.asyncDispose]());

describe('POST /api/v1/backup', () => {
  it.each([
    ['a wrong password', { password: 'wrong', passphrase: PASSPHRASE }, { password: [expect.any(String)] }],
    ['a short passphrase', { passphrase: 'short' }, { passphrase: ['must have at least 12 characters'] }],
  ])('%s makes no backup', async (_what, body, errors) => {
    const answer = await home.backup(body);
    expect([answer.status, await answer.json()]).toEqual([422, { errors }]);
  });

  it('a backup is refused to a page of another origin, and recorded when it is made', async () => {
    const body = { password: PASSWORD, passphrase: PASSPHRASE };
    const foreign = await home.device.browser.send('POST', '/api/v1/backup', body, {
      origin: 'http://evil.example',
    });
    expect(foreign.status).toBe(403);
    const audit = await home.device.answer<DeviceAuditEntry[]>('/api/v1/audit');
    expect(audit.map(({ action }) => action)).toContain('backup.create');
  });

  it('neither the key nor the password hash can be read in the file', () => {
    const bytes = readFileSync(home.file);
    expect(bytes.includes('private_jwk')).toBe(false);
    expect(bytes.includes('argon2')).toBe(false);
  });
});

describe('a new device that is restored on its first page', () => {
  let fresh: WholeDevice;
  beforeAll(async () => {
    fresh = await startWholeDevice('# nothing\n', { env: { DEVICE_PASSWORD: '' } });
  });
  afterAll(() => fresh?.stop());

  const upload = async (bytes: Uint8Array, part = 100_000): Promise<number> => {
    for (let offset = 0; offset < bytes.length; offset += part) {
      const { status } = await fetch(`${fresh.url}/api/v1/restore?offset=${offset}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream', origin: fresh.url },
        body: bytes.slice(offset, offset + part),
      });
      if (status !== 204) return status;
    }
    return 204;
  };
  const restore = (passphrase: string) => fresh.browser.send('POST', '/api/v1/restore', { passphrase });
  const session = async () => (await (await fresh.browser.get('/api/v1/session')).json()) as DeviceSession;

  it('a part at the wrong place is refused, with the place where the next one begins', async () => {
    await upload(Buffer.alloc(10, 1));
    const answer = await fetch(`${fresh.url}/api/v1/restore?offset=11`, {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: Buffer.alloc(5),
    });
    expect([answer.status, await answer.json()]).toEqual([409, { error: 'The next part begins at 10' }]);
  });

  it('a part of nothing is refused, and what was uploaded stays', async () => {
    await upload(Buffer.alloc(10, 1));
    const part = (offset: number, body?: Buffer<ArrayBuffer>) =>
      fetch(`${fresh.url}/api/v1/restore?offset=${offset}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/octet-stream' },
        ...(body !== undefined && { body }),
      });
    expect([(await part(0)).status, (await part(0, Buffer.alloc(0))).status]).toEqual([400, 400]);
    expect((await part(10, Buffer.alloc(5))).status).toBe(204);
  });

  it.each<[string, (bytes: Buffer) => Buffer, string, object]>([
    [
      'a wrong passphrase',
      (bytes) => bytes,
      'not the passphrase',
      { errors: { passphrase: [expect.stringMatching(/is wrong/)] } },
    ],
    [
      'a file that was cut',
      (bytes) => bytes.subarray(0, -100),
      PASSPHRASE,
      { error: expect.stringMatching(/is not whole/) },
    ],
    [
      'another file',
      () => Buffer.from('a photograph'),
      PASSPHRASE,
      { error: expect.stringMatching(/is no backup/) },
    ],
  ])('%s changes nothing', async (_what, change, passphrase, refusal) => {
    expect(await upload(change(readFileSync(home.file)))).toBe(204);
    const answer = await restore(passphrase);
    expect([answer.status, await answer.json()]).toEqual([422, refusal]);
    expect((await session()).has_password).toBe(false);
    expect(readdirSync(fresh.folder).filter((name) => /^restore\.(?!upload)/.test(name))).toEqual([]);
  });

  it('a restored device has the uid, the password, the configuration and the history, and records the restore', async () => {
    expect(await upload(readFileSync(home.file))).toBe(204);
    const answer = await restore(PASSPHRASE);
    expect([answer.status, await answer.json()]).toEqual([
      202,
      {
        uid: home.uid,
        site_name: null,
        made_at: expect.any(String),
        history: true,
        configuration_problem: null,
      },
    ]);
    await expect.poll(async () => (await session().catch(() => undefined))?.has_password).toBe(true);
    expect((await fresh.browser.send('POST', '/api/v1/session', { password: PASSWORD })).status).toBe(204);
    expect((await fresh.answer<DeviceAbout>('/api/v1/device')).uid).toBe(home.uid);
    const { time_zone: zone } = await fresh.answer<DeviceConfiguration>('/api/v1/configuration');
    expect(zone).toBe('Europe/Lisbon');
    expect(topicsIn(fresh.folder)).toContain('total/of_yesterday');
    const [entry] = (await fresh.answer<DeviceAuditEntry[]>('/api/v1/audit')).filter(
      ({ action }) => action === 'backup.restore',
    );
    expect(entry).toMatchObject({ author: 'local', via: 'lan', address: '127.0.0.1', outcome: 'ok' });
  });

  it('a device that has a password is restored only with it', async () => {
    expect(await upload(readFileSync(home.file))).toBe(401);
    expect((await restore(PASSPHRASE)).status).toBe(422);
  });
});

describe('heliograph device backup and restore', () => {
  const env = { BACKUP_PASSPHRASE: PASSPHRASE, DEVICE_PASSWORD: PASSWORD };
  const run = (args: readonly string[], world: ProgramWorld) =>
    runProgram(args, { backupKeyCost: KEY_COST, ...world });

  it('a running device is backed up, and another folder restored, without a page', async () => {
    const folder = home.temporaryFolder();
    const made = join(folder, 'cli.backup');
    const backup = await run(['backup', '--data', home.device.folder, '--url', home.device.url, made], {
      env,
    });
    expect(backup).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/can be read/) });
    expect(statSync(made).mode & 0o777).toBe(0o600);
    const data = join(folder, 'new-card');
    const restored = await run(['restore', '--data', data, made], { env });
    expect(restored).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(home.uid) });
    expect(topicsIn(data)).toContain('total/of_yesterday');
    expect(readFileSync(join(data, 'device.yaml'), 'utf8')).toBe(CONFIGURATION);
    const installations = [installationIn(data)];
    const again = join(folder, 'stopped.backup');
    const stopped = await run(['backup', '--data', data, '--no-history', again], {
      env: { BACKUP_PASSPHRASE: PASSPHRASE },
    });
    expect(stopped).toMatchObject({ code: 0 });
    writeFileSync(join(data, 'device.yaml'), '# changed since, and mounted into a container\n');
    using _mount = mountFile(join(data, 'device.yaml'));
    const back = await run(['restore', '--data', data, again], { env });
    expect(back.stdout).toContain('has no history');
    expect(readFileSync(join(data, 'device.yaml'), 'utf8')).toBe(CONFIGURATION);
    expect(topicsIn(data)).toContain('total/of_yesterday');
    // To the cloud each restore is another computer.
    installations.push(installationIn(data));
    expect(installations).toEqual(installations.map(() => expect.stringMatching(/^[\w-]{22}$/)));
    expect(new Set(installations).size).toBe(2);
  });

  it.each<[string, readonly string[], Record<string, string>, boolean]>([
    ['beside the data', [], {}, true],
    ['of the device on this computer', [], { DEVICE_CONFIG: 'etc/device.yaml' }, true],
    ['that was typed', ['--config', 'etc/device.yaml'], {}, true],
    [
      'of another device, for which no other one counts',
      ['--data', 'card'],
      { DEVICE_CONFIG: 'etc/device.yaml' },
      false,
    ],
    ['that is missing', [], { DEVICE_CONFIG: 'etc/none.yaml' }, false],
  ])(
    'a backup has the configuration %s, or reports that it has none',
    async (_what, options, variables, isThere) => {
      const folder = home.temporaryFolder();
      const at = (path: string) => (/[/]|^card$/.test(path) ? join(folder, path) : path);
      const data = join(folder, 'data');
      expect((await run(['restore', '--data', data, home.file], { env })).code).toBe(0);
      cpSync(data, join(folder, 'card'), { recursive: true });
      rmSync(join(folder, 'card/device.yaml'));
      mkdirSync(join(folder, 'etc'));
      writeFileSync(join(folder, 'etc/device.yaml'), CONFIGURATION);
      const made = join(folder, 'a.backup');
      const paths = Object.entries(variables).map(([name, path]) => [name, at(path)]);
      const { code, stderr } = await run(['backup', ...options.map(at), made], {
        env: { ...env, DEVICE_DATA: data, ...Object.fromEntries(paths) },
      });
      expect([code, stderr]).toEqual([0, isThere ? '' : expect.stringMatching(/^It has no configuration: /)]);
      const restored = join(folder, 'restored');
      expect((await run(['restore', '--data', restored, made], { env })).code).toBe(0);
      expect(existsSync(join(restored, 'device.yaml'))).toBe(isThere);
    },
  );

  it('the passphrase is typed twice, and nothing is written when it differs', async () => {
    const target = join(home.temporaryFolder(), 'a.backup');
    const input = `${PASSPHRASE}\nanother passphrase\n`;
    const { code, stderr } = await run(['backup', '--data', home.device.folder, target], { input });
    expect([code, stderr]).toEqual([1, 'heliograph device backup: The passphrases differ']);
    expect(readdirSync(join(target, '..'))).toEqual([]);
  });

  it.each([
    ['a wrong passphrase', { BACKUP_PASSPHRASE: 'not the passphrase' }, undefined, /passphrase is wrong/],
    ['a file that was cut', env, -50, /is not whole/],
  ])('%s leaves the present data as it is', async (_what, variables, cut, message) => {
    const folder = home.temporaryFolder();
    const copy = join(folder, 'copy.backup');
    cpSync(home.file, copy);
    if (cut !== undefined) truncateSync(copy, statSync(copy).size + cut);
    const data = join(folder, 'data');
    const { code, stderr } = await run(['restore', '--data', data, copy], { env: variables });
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(readdirSync(data)).toEqual([]);
  });

  it('a store of a newer version is refused, and so is a configuration that this computer cannot use', async () => {
    const folder = home.temporaryFolder();
    const data = join(folder, 'data');
    expect((await run(['restore', '--data', data, home.file], { env })).code).toBe(0);
    writeFileSync(join(data, 'device.yaml'), 'mqtt:\n  url: mqtts://broker\n  ca_file: /no/such/file.pem\n');
    const odd = join(folder, 'odd.backup');
    expect((await run(['backup', '--data', data, odd], { env })).code).toBe(0);
    const other = join(folder, 'other');
    const kept = await run(['restore', '--data', other, odd], { env });
    expect(kept).toMatchObject({ code: 0, stderr: expect.stringMatching(/ca_file/) });
    expect(readdirSync(other)).toContain('device.yaml.restored');
    expect(readdirSync(other)).not.toContain('device.yaml');
    const db = new DatabaseSync(join(data, DATABASE_FILE));
    db.exec("PRAGMA user_version = 99; UPDATE settings SET value = '98' WHERE key = 'schema_works_with'");
    // A backup of a newer version's store, as the newer version makes it.
    const newer = join(folder, 'newer.backup');
    db.close();
    expect((await run(['backup', '--data', data, newer], { env })).stderr).toMatch(/newer release/);
  });
});
