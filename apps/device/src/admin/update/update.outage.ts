import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { temporaryFolder } from '@heliograph/dev/testing';
import { ManualClock } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InstalledDevice } from '../../../test/admin/update/installed-device.ts';
import { type Publication, ReleaseFolder } from '../../../test/admin/update/release-folder.ts';
import { DeviceProcess } from './device-process.ts';
import { lockUpdates } from './lock.ts';
import { Updater, type UpdateStep } from './updater.ts';

const NOW = Date.parse('2026-11-26T08:00:00Z');
const KILLED_UPDATE = join(import.meta.dirname, '../../../test/admin/update/killed-update.ts');

/** A slow machine is no reason to go back. */
const PATIENT = { deadlineMs: 30_000, stableMs: 300, pollMs: 50 };

describe.runIf(process.platform === 'linux')('an update', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let device: InstalledDevice;
  let server: ReleaseFolder;
  let clock: ManualClock;

  beforeEach(async () => {
    folder = await temporaryFolder();
    clock = new ManualClock(NOW);
    server = new ReleaseFolder(join(folder.path, 'served'));
    await server.start();
    device = await InstalledDevice.start(join(folder.path, 'installed'));
    await expect.poll(() => device.serving()).toBe('0.1.0');
  });
  afterEach(async () => {
    await device[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });

  const updater = (times = PATIENT) =>
    new Updater({
      installation: device.installation,
      source: { url: server.url, publicKeys: [server.key.publicKey] },
      service: new DeviceProcess(device.url, device.restartProgram, times),
      clock,
      onStep: () => undefined,
    });
  const byHand = { channel: 'stable', isAutomatic: false } as const;
  const alone = { channel: 'stable', isAutomatic: true } as const;
  const outcomes = async () =>
    (await device.installation.records()).map(({ outcome, from, to }) => `${outcome} ${from} ${to}`);
  const releases = async () => (await readdir(join(folder.path, 'installed/releases'))).toSorted();

  it('the newest release is installed, and runs; the one before stays for going back by hand', async () => {
    await server.publish('0.2.0');
    expect(await updater().update(byHand)).toBe('0.2.0');
    expect(await device.serving()).toBe('0.2.0');
    expect(await updater().update(byHand)).toBeUndefined();
    await server.publish('0.3.0');
    expect(await updater().update(byHand)).toBe('0.3.0');
    expect(await device.serving()).toBe('0.3.0');
    expect(await releases()).toEqual(['0.2.0', '0.3.0']);

    expect(await updater().rollBack()).toBe('0.2.0');
    expect(await device.serving()).toBe('0.2.0');
    expect(await updater().available(alone)).toBeUndefined();
    expect(await updater().available(byHand)).toMatchObject({ version: '0.3.0' });
  });

  it.each([
    ['ends as it starts', 'ends', PATIENT, /did not get ready|ECONNREFUSED/],
    ['never answers', 'hangs', { deadlineMs: 1000, stableMs: 100, pollMs: 50 }, /ECONNREFUSED/],
  ] as const)(
    'a release that %s is left for the one before, with the reason on record',
    async (_case, behaviour, times, reason) => {
      await server.publish('0.2.0', { behaviour });
      await expect(updater(times).update(byHand)).rejects.toThrow(
        'release 0.2.0 did not work, and the device runs 0.1.0',
      );
      await expect.poll(() => device.serving()).toBe('0.1.0');
      expect(await device.installation.records()).toMatchObject([
        { outcome: 'rolled_back', from: '0.1.0', to: '0.2.0', reason: expect.stringMatching(reason) },
      ]);
      // It is not tried again without a request.
      expect(await updater().update(alone)).toBeUndefined();
      expect(await releases()).toEqual(['0.1.0']);
      await server.publish('0.2.1');
      expect(await updater().update(alone)).toBe('0.2.1');
    },
  );

  const refusals: readonly (readonly [string, Publication, string])[] = [
    ['for other machines', { change: { archives: {} } }, 'is not made for'],
    ['that is another one in truth', { contains: '0.1.9' }, 'has release 0.1.9'],
    ['that does not run', { behaviour: 'does not run' }, 'does not run on this machine'],
  ];
  it.each(refusals)('a release %s is refused, and nothing changes', async (_case, publication, reason) => {
    await server.publish('0.2.0', publication);
    await expect(updater().update(byHand)).rejects.toThrow(reason);
    expect(await device.serving()).toBe('0.1.0');
    expect(await releases()).toEqual(['0.1.0']);
  });

  it('a download that breaks off, or is damaged, changes nothing, and the next attempt succeeds', async () => {
    const file = await server.publish('0.2.0');
    server.cutsOff = file;
    await expect(updater().update(byHand)).rejects.toThrow('cannot be used');
    expect(await releases()).toEqual(['0.1.0']);
    server.cutsOff = undefined;
    await server.damage(file);
    await expect(updater().update(byHand)).rejects.toThrow('SHA-256');
    expect(await releases()).toEqual(['0.1.0']);
    await server.damage(file);
    expect(await updater().update(byHand)).toBe('0.2.0');
    expect(await outcomes()).toEqual(['failed 0.1.0 0.2.0', 'failed 0.1.0 0.2.0', 'installed 0.1.0 0.2.0']);
  });

  it('a release that the disk has no room for is refused before it is downloaded', async () => {
    const archive = { file: 'x.tar.zst', sizeBytes: 1e6, unpackedBytes: 2 ** 50, sha256: 'a'.repeat(64) };
    await server.publish('0.2.0', { change: { archives: { [process.arch]: archive } } });
    await expect(updater().update(byHand)).rejects.toThrow('the disk is full');
    expect(await releases()).toEqual(['0.1.0']);
  });

  it('two updates of one device do not run at the same time', async () => {
    await server.publish('0.2.0');
    using _ = await lockUpdates(device.installation.folder);
    await expect(updater().update(byHand)).rejects.toThrow('another update is under way');
    const { mode } = await stat(join(device.installation.folder, 'update.lock'));
    expect(mode & 0o077, 'another account could hold the lock').toBe(0);
  });

  const killed = async (step: UpdateStep): Promise<void> => {
    const options = {
      folder: device.installation.folder,
      url: server.url,
      publicKey: server.key.publicKey,
      healthUrl: device.url,
      restart: device.restartProgram,
      nowMs: NOW,
      step,
    };
    const run = promisify(execFile)(process.execPath, [KILLED_UPDATE, JSON.stringify(options)]);
    expect(await run.catch((error: unknown) => error)).toMatchObject({ signal: 'SIGKILL' });
  };

  it.each<UpdateStep>([
    'download',
    'unpack',
    'try',
    'name',
    'begin trial',
    'switch',
    'restart',
    'wait',
    'confirm',
  ])(
    'a device whose update is killed before the step "%s" works, also after a reboot, and updates later',
    async (step) => {
      await server.publish('0.2.0');
      await killed(step);
      await expect.poll(() => device.serving()).toMatch(/^0\.[12]\.0$/);
      await device.halt();
      device.boot();
      await expect.poll(() => device.serving()).toMatch(/^0\.[12]\.0$/);
      await updater().update(byHand);
      expect(await device.serving()).toBe('0.2.0');
      expect(await device.installation.trial()).toBeUndefined();
      expect(await releases()).toEqual(['0.1.0', '0.2.0']);
    },
  );

  it.each<UpdateStep>(['restart', 'wait', 'roll back', 'restart again'])(
    'a device whose update to a release that does not start is killed before the step "%s" runs the one before by itself',
    async (step) => {
      await server.publish('0.2.0', { behaviour: 'ends' });
      await killed(step);
      await device.halt();
      device.boot();
      await expect.poll(() => device.serving(), { timeout: 30_000 }).toBe('0.1.0');
      await updater().settle();
      await expect.poll(() => device.serving()).toBe('0.1.0');
      expect(await device.installation.trial()).toBeUndefined();
      expect(await outcomes()).toEqual(['rolled_back 0.1.0 0.2.0']);
    },
  );
});
