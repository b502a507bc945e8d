import { execFile } from 'node:child_process';
import {
  cpSync,
  createReadStream,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type {
  DeviceAbout,
  DeviceAuditEntry,
  DeviceConfiguration,
  DeviceSession,
} from '@heliograph/contracts';
import { silentLogger, systemClock } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../cli/testing/run-program.ts';
import { DATABASE_FILE } from '../storage/database.ts';
import {
  WHOLE_DEVICE_PASSWORD as PASSWORD,
  startWholeDevice,
  type WholeDevice,
} from '../testing/whole-device.ts';
import { installRestored } from './install-restored.ts';
import { stageRestore } from './stage-restore.ts';

const PASSPHRASE = 'twelve characters or more';

const CONFIGURATION = `
time_zone: Europe/Lisbon
energy_period: daily
`;

const folders: string[] = [];
const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-backup-'));
  folders.push(folder);
  return folder;
};

/** A device with a site, a profile of its own, and a history; and its backup. */
let home: WholeDevice;
let file: string;
let uid: string;
beforeAll(async () => {
  home = await startWholeDevice(CONFIGURATION);
  const history = new DatabaseSync(join(home.folder, 'history.sqlite'));
  history.exec("INSERT INTO series (topic, name, unit) VALUES ('total/of_yesterday', 'Of yesterday', 'W')");
  history.close();
  uid = (await home.answer<DeviceAbout>('/api/v1/device')).uid;
  file = join(temporaryFolder(), 'home.backup');
  const made = await backupOf(home, { passphrase: PASSPHRASE });
  expect(made.status).toBe(200);
  writeFileSync(file, Buffer.from(await made.arrayBuffer()));
});
afterAll(async () => {
  await home?.stop();
  for (const folder of folders) rmSync(folder, { recursive: true });
});

const backupOf = ({ browser }: WholeDevice, body: object) =>
  browser.send('POST', '/api/v1/backup', { password: PASSWORD, ...body });

const topicsIn = (folder: string): unknown[] => {
  const db = new DatabaseSync(join(folder, 'history.sqlite'));
  const topics = db
    .prepare('SELECT topic FROM series')
    .all()
    .map(({ topic }) => topic);
  db.close();
  return topics;
};

describe('POST /api/v1/backup', () => {
  it.each([
    ['a wrong password', { password: 'wrong', passphrase: PASSPHRASE }, { password: [expect.any(String)] }],
    ['a short passphrase', { passphrase: 'short' }, { passphrase: ['must have at least 12 characters'] }],
  ])('%s makes no backup', async (_what, body, errors) => {
    const answer = await backupOf(home, body);
    expect([answer.status, await answer.json()]).toEqual([422, { errors }]);
  });

  it('a backup is refused to a page of another origin, and recorded when it is made', async () => {
    const body = { password: PASSWORD, passphrase: PASSPHRASE };
    const foreign = await home.browser.send('POST', '/api/v1/backup', body, {
      origin: 'http://evil.example',
    });
    expect(foreign.status).toBe(403);
    const audit = await home.answer<DeviceAuditEntry[]>('/api/v1/audit');
    expect(audit.map(({ action }) => action)).toContain('backup.create');
  });

  it('neither the key nor the password hash can be read in the file', () => {
    const bytes = readFileSync(file);
    expect(bytes.includes('private_jwk')).toBe(false);
    expect(bytes.includes('argon2')).toBe(false);
  });
});

describe('a new device that is restored on its first page', () => {
  let fresh: WholeDevice;
  beforeAll(async () => {
    fresh = await startWholeDevice('', { env: { DEVICE_PASSWORD: '' } });
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
    expect(await upload(change(readFileSync(file)))).toBe(204);
    const answer = await restore(passphrase);
    expect([answer.status, await answer.json()]).toEqual([422, refusal]);
    expect((await session()).has_password).toBe(false);
    expect(readdirSync(fresh.folder).filter((name) => /^restore\.(?!upload)/.test(name))).toEqual([]);
  });

  it('a restored device has the uid, the password, the configuration and the history, and records the restore', async () => {
    expect(await upload(readFileSync(file))).toBe(204);
    const answer = await restore(PASSPHRASE);
    expect([answer.status, await answer.json()]).toEqual([
      202,
      { uid, site_name: null, made_at: expect.any(String), history: true, configuration_problem: null },
    ]);
    await expect.poll(async () => (await session().catch(() => undefined))?.has_password).toBe(true);
    expect((await fresh.browser.send('POST', '/api/v1/session', { password: PASSWORD })).status).toBe(204);
    expect((await fresh.answer<DeviceAbout>('/api/v1/device')).uid).toBe(uid);
    const { time_zone: zone } = await fresh.answer<DeviceConfiguration>('/api/v1/configuration');
    expect(zone).toBe('Europe/Lisbon');
    expect(topicsIn(fresh.folder)).toContain('total/of_yesterday');
    const [entry] = (await fresh.answer<DeviceAuditEntry[]>('/api/v1/audit')).filter(
      ({ action }) => action === 'backup.restore',
    );
    expect(entry).toMatchObject({ author: 'local', via: 'lan', address: '127.0.0.1', outcome: 'ok' });
  });

  it('a device that has a password is restored only with it', async () => {
    expect(await upload(readFileSync(file))).toBe(401);
    expect((await restore(PASSPHRASE)).status).toBe(422);
  });
});

describe('heliograph device backup and restore', () => {
  const env = { BACKUP_PASSPHRASE: PASSPHRASE, DEVICE_PASSWORD: PASSWORD };

  it('a running device is backed up, and another folder restored, without a page', async () => {
    const folder = temporaryFolder();
    const made = join(folder, 'cli.backup');
    const backup = await runProgram(['backup', '--data', home.folder, '--url', home.url, made], { env });
    expect(backup).toMatchObject({ code: 0, stderr: '', stdout: expect.stringMatching(/can be read/) });
    expect(statSync(made).mode & 0o777).toBe(0o600);
    const data = join(folder, 'new-card');
    const restored = await runProgram(['restore', '--data', data, made], { env });
    expect(restored).toMatchObject({ code: 0, stderr: '', stdout: expect.stringContaining(uid) });
    expect(topicsIn(data)).toContain('total/of_yesterday');
    expect(readFileSync(join(data, 'device.yaml'), 'utf8')).toBe(CONFIGURATION);
    const again = join(folder, 'stopped.backup');
    const stopped = await runProgram(['backup', '--data', data, '--no-history', again], {
      env: { BACKUP_PASSPHRASE: PASSPHRASE },
    });
    expect(stopped).toMatchObject({ code: 0 });
    const back = await runProgram(['restore', '--data', data, again], { env });
    expect(back.stdout).toContain('has no history');
    expect(topicsIn(data)).toContain('total/of_yesterday');
  });

  it('the passphrase is typed twice, and nothing is written when it differs', async () => {
    const target = join(temporaryFolder(), 'a.backup');
    const input = `${PASSPHRASE}\nanother passphrase\n`;
    const { code, stderr } = await runProgram(['backup', '--data', home.folder, target], { input });
    expect([code, stderr]).toEqual([1, 'heliograph device backup: The passphrases differ']);
    expect(readdirSync(join(target, '..'))).toEqual([]);
  });

  it.each([
    ['a wrong passphrase', { BACKUP_PASSPHRASE: 'not the passphrase' }, undefined, /passphrase is wrong/],
    ['a file that was cut', env, -50, /is not whole/],
  ])('%s leaves the present data as it is', async (_what, variables, cut, message) => {
    const folder = temporaryFolder();
    const copy = join(folder, 'copy.backup');
    cpSync(file, copy);
    if (cut !== undefined) truncateSync(copy, statSync(copy).size + cut);
    const data = join(folder, 'data');
    const { code, stderr } = await runProgram(['restore', '--data', data, copy], { env: variables });
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(readdirSync(data)).toEqual([]);
  });

  it('a store of a newer version is refused, and so is a configuration that this computer cannot use', async () => {
    const folder = temporaryFolder();
    const data = join(folder, 'data');
    expect((await runProgram(['restore', '--data', data, file], { env })).code).toBe(0);
    writeFileSync(join(data, 'device.yaml'), 'mqtt:\n  url: mqtts://broker\n  ca_file: /no/such/file.pem\n');
    const odd = join(folder, 'odd.backup');
    expect((await runProgram(['backup', '--data', data, odd], { env })).code).toBe(0);
    const other = join(folder, 'other');
    const kept = await runProgram(['restore', '--data', other, odd], { env });
    expect(kept).toMatchObject({ code: 0, stderr: expect.stringMatching(/ca_file/) });
    expect(readdirSync(other)).toContain('device.yaml.restored');
    expect(readdirSync(other)).not.toContain('device.yaml');
    const db = new DatabaseSync(join(data, DATABASE_FILE));
    db.exec("PRAGMA user_version = 99; UPDATE settings SET value = '98' WHERE key = 'schema_works_with'");
    // A backup of a newer version's store, as the newer version makes it.
    const newer = join(folder, 'newer.backup');
    db.close();
    expect((await runProgram(['backup', '--data', data, newer], { env })).stderr).toMatch(/newer release/);
  });
});

describe('a process that is killed', () => {
  const run = promisify(execFile);
  const PRELOAD = join(import.meta.dirname, 'testing/kill-before-rename.ts');
  const PROGRAM = join(import.meta.dirname, '../cli/main.ts');
  const killed = async (args: readonly string[]) => {
    const env = { ...process.env, BACKUP_PASSPHRASE: PASSPHRASE, DEVICE_PASSWORD: PASSWORD };
    const ended = run(process.execPath, ['--import', PRELOAD, PROGRAM, ...args], { env });
    await expect(ended).rejects.toMatchObject({ signal: 'SIGKILL' });
  };

  it('a backup that is killed leaves no file of its name, and the next one is made', async () => {
    const target = join(temporaryFolder(), 'a.backup');
    const args = ['backup', '--data', home.folder, '--url', home.url, target];
    await killed(args);
    expect(readdirSync(join(target, '..'))).toEqual(['a.backup.unfinished']);
    const env = { BACKUP_PASSPHRASE: PASSPHRASE, DEVICE_PASSWORD: PASSWORD };
    expect((await runProgram(args, { env })).code).toBe(0);
    expect(readdirSync(join(target, '..'))).toEqual(['a.backup']);
  });

  it('a restore that is killed while it unpacks leaves the device as it was', async () => {
    const data = join(temporaryFolder(), 'data');
    const env = { BACKUP_PASSPHRASE: PASSPHRASE };
    expect((await runProgram(['restore', '--data', data, file], { env })).code).toBe(0);
    writeFileSync(join(data, 'device.yaml'), 'energy_period: weekly\n');
    await killed(['restore', '--data', data, file]);
    expect(readdirSync(data).filter((name) => name.startsWith('restore.'))).toHaveLength(1);
    const configFile = join(data, 'device.yaml');
    expect(installRestored({ dataFolder: data, configFile, clock: systemClock, logger: silentLogger })).toBe(
      false,
    );
    expect(readdirSync(data).toSorted()).toEqual(['device.sqlite', 'device.yaml', 'history.sqlite']);
    expect(readFileSync(join(data, 'device.yaml'), 'utf8')).toBe('energy_period: weekly\n');
  });

  const KILLED_AT = join(import.meta.dirname, 'testing/kill-at-step.ts');

  it('a restore that is killed at any step goes on at the next start, and loses nothing', async () => {
    const folder = temporaryFolder();
    const prepared = join(folder, 'prepared');
    expect(
      (await runProgram(['restore', '--data', prepared, file], { env: { BACKUP_PASSPHRASE: PASSPHRASE } }))
        .code,
    ).toBe(0);
    writeFileSync(join(prepared, 'device.yaml'), 'energy_period: weekly\n');
    await stageRestore(createReadStream(file), {
      dataFolder: prepared,
      passphrase: PASSPHRASE,
      author: { name: 'local', via: 'lan', address: null },
      clock: systemClock,
    });
    let steps = 0;
    for (let isDone = false; !isDone; steps += 1) {
      const data = join(folder, `killed-${steps}`);
      cpSync(prepared, data, { recursive: true });
      const killed = await run(process.execPath, [KILLED_AT, data, String(steps + 1)]).catch(
        (error: { signal: string }) => error,
      );
      isDone = !('signal' in killed);
      const configFile = join(data, 'device.yaml');
      if (!isDone)
        installRestored({ dataFolder: data, configFile, clock: systemClock, logger: silentLogger });
      const names = readdirSync(data).filter((name) => !name.startsWith('before-restore'));
      expect([steps, names.toSorted()]).toEqual([steps, ['device.sqlite', 'device.yaml', 'history.sqlite']]);
      expect(topicsIn(data)).toContain('total/of_yesterday');
      expect(readFileSync(join(data, 'device.yaml'), 'utf8')).toBe(CONFIGURATION);
      rmSync(data, { recursive: true });
    }
    expect(steps).toBeGreaterThan(6);
  });
});
