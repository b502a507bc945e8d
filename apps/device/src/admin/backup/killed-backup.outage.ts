import { execFile } from 'node:child_process';
import { cpSync, createReadStream, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { silentLogger, systemClock } from '@heliograph/kit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  BackedUpHome,
  CONFIGURATION,
  PASSPHRASE,
  topicsIn,
} from '../../../test/admin/backup/backed-up-home.ts';
import { runProgram } from '../../../test/admin/cli/run-program.ts';
import { WHOLE_DEVICE_PASSWORD as PASSWORD } from '../../../test/whole-device.ts';
import { installRestored } from './install-restored.ts';
import { stageRestore } from './stage-restore.ts';

let home: BackedUpHome;
beforeAll(async () => {
  home = await BackedUpHome.start();
});
afterAll(() => home?.[Symbol.asyncDispose]());

const run = promisify(execFile);
const PRELOAD = join(import.meta.dirname, '../../../test/admin/backup/kill-before-rename.ts');
const PROGRAM = join(import.meta.dirname, '../cli/main.ts');
const killed = async (args: readonly string[]) => {
  const env = { ...process.env, BACKUP_PASSPHRASE: PASSPHRASE, DEVICE_PASSWORD: PASSWORD };
  const ended = run(process.execPath, ['--import', PRELOAD, PROGRAM, ...args], { env });
  await expect(ended).rejects.toMatchObject({ signal: 'SIGKILL' });
};

it('a backup that is killed leaves no file of its name, and the next one is made', async () => {
  const target = join(home.temporaryFolder(), 'a.backup');
  const args = ['backup', '--data', home.device.folder, '--url', home.device.url, target];
  await killed(args);
  expect(readdirSync(join(target, '..'))).toEqual(['a.backup.unfinished']);
  const env = { BACKUP_PASSPHRASE: PASSPHRASE, DEVICE_PASSWORD: PASSWORD };
  expect((await runProgram(args, { env })).code).toBe(0);
  expect(readdirSync(join(target, '..'))).toEqual(['a.backup']);
});

it('a restore that is killed while it unpacks leaves the device as it was', async () => {
  const data = join(home.temporaryFolder(), 'data');
  const env = { BACKUP_PASSPHRASE: PASSPHRASE };
  expect((await runProgram(['restore', '--data', data, home.file], { env })).code).toBe(0);
  writeFileSync(join(data, 'device.yaml'), 'energy_period: weekly\n');
  await killed(['restore', '--data', data, home.file]);
  expect(readdirSync(data).filter((name) => name.startsWith('restore.'))).toHaveLength(1);
  const configFile = join(data, 'device.yaml');
  expect(installRestored({ dataFolder: data, configFile, clock: systemClock, logger: silentLogger })).toBe(
    false,
  );
  expect(readdirSync(data).toSorted()).toEqual(['device.sqlite', 'device.yaml', 'history.sqlite']);
  expect(readFileSync(join(data, 'device.yaml'), 'utf8')).toBe('energy_period: weekly\n');
});

const KILLED_AT = join(import.meta.dirname, '../../../test/admin/backup/kill-at-step.ts');

it('a restore that is killed at any step goes on at the next start, and loses nothing', async () => {
  const folder = home.temporaryFolder();
  const prepared = join(folder, 'prepared');
  expect(
    (await runProgram(['restore', '--data', prepared, home.file], { env: { BACKUP_PASSPHRASE: PASSPHRASE } }))
      .code,
  ).toBe(0);
  writeFileSync(join(prepared, 'device.yaml'), 'energy_period: weekly\n');
  await stageRestore(createReadStream(home.file), {
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
    if (!isDone) installRestored({ dataFolder: data, configFile, clock: systemClock, logger: silentLogger });
    const names = readdirSync(data).filter((name) => !name.startsWith('before-restore'));
    expect([steps, names.toSorted()]).toEqual([steps, ['device.sqlite', 'device.yaml', 'history.sqlite']]);
    expect(topicsIn(data)).toContain('total/of_yesterday');
    expect(readFileSync(join(data, 'device.yaml'), 'utf8')).toBe(CONFIGURATION);
    rmSync(data, { recursive: true });
  }
  expect(steps).toBeGreaterThan(6);
});
