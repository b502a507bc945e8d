import { mkdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@heliograph/dev/testing';
import { ManualClock, type ReleaseChannel } from '@heliograph/kit';
import { generateReleaseKey, InvalidManifest, type ReleaseManifest } from '@heliograph/wire/release-manifest';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ReleaseFolder } from '../../../test/admin/update/release-folder.ts';
import { DeviceProcess } from './device-process.ts';
import { Installation, type Trial, type UpdateOutcome } from './installation.ts';
import { UpdateRefused, Updater } from './updater.ts';

const NOW = Date.parse('2026-11-26T08:00:00.123Z');
const CURRENT = '0.1.0';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let installation: Installation;
let server: ReleaseFolder;
let updater: Updater;

beforeEach(async () => {
  folder = await temporaryFolder();
  const installed = join(folder.path, 'installed');
  await mkdir(join(installed, 'releases', CURRENT), { recursive: true });
  await symlink(join('releases', CURRENT), join(installed, 'current'));
  installation = new Installation(installed);
  server = new ReleaseFolder(join(folder.path, 'served'));
  await server.start();
  updater = new Updater({
    installation,
    source: { url: server.url, publicKeys: [server.key.publicKey] },
    service: new DeviceProcess('http://127.0.0.1:1/', undefined),
    clock: new ManualClock(NOW),
    onStep: () => undefined,
  });
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

/** The versions that are available by hand and automatically; null where there is none. */
type Available = readonly (string | null)[];

async function available(channel: ReleaseChannel = 'stable'): Promise<Available> {
  const versions: (string | null)[] = [];
  for (const isAutomatic of [false, true])
    versions.push((await updater.available({ channel, isAutomatic }))?.version ?? null);
  return versions;
}

const record = (outcome: UpdateOutcome, { from, to }: Trial) =>
  installation.record({ at: new Date(NOW).toISOString(), outcome, from, to, reason: null });

describe('the release that is available', () => {
  it.each<[string, Available, string, Partial<ReleaseManifest>]>([
    ['is newer', ['0.2.0', '0.2.0'], '0.2.0', {}],
    ['is the same', [null, null], CURRENT, {}],
    ['is older', [null, null], '0.0.9', {}],
    ['is for none of the devices yet', ['0.2.0', null], '0.2.0', { percentage: 0 }],
    ['updates from this one on', ['0.2.0', '0.2.0'], '0.2.0', { minimumVersion: CURRENT }],
  ])(
    'a release that %s is available by hand and automatically as %j',
    async (_what, versions, version, change) => {
      await server.offer(version, change);
      expect(await available()).toEqual(versions);
    },
  );

  it.each<[string, Available, UpdateOutcome, Trial]>([
    ['was rolled back', ['0.2.0', null], 'rolled_back', { from: CURRENT, to: '0.2.0' }],
    ['could not be installed', ['0.2.0', '0.2.0'], 'failed', { from: CURRENT, to: '0.2.0' }],
    ['was installed', ['0.2.0', '0.2.0'], 'installed', { from: CURRENT, to: '0.2.0' }],
    ['is not the one rolled back', ['0.2.0', '0.2.0'], 'rolled_back', { from: CURRENT, to: '0.1.9' }],
    ['was returned to', ['0.2.0', '0.2.0'], 'rolled_back', { from: '0.2.0', to: '0.3.0' }],
  ])(
    'a release that %s before is available by hand and automatically as %j',
    async (_what, versions, outcome, trial) => {
      await server.offer('0.2.0');
      await record(outcome, trial);
      expect(await available()).toEqual(versions);
    },
  );

  it('a release that was rolled back stays out after it was installed by hand, and the next one is taken', async () => {
    await server.offer('0.2.0');
    for (const outcome of ['rolled_back', 'installed', 'rolled_back'] as const)
      await record(outcome, { from: CURRENT, to: '0.2.0' });
    expect(await available()).toEqual(['0.2.0', null]);
    await server.offer('0.2.1');
    expect(await available()).toEqual(['0.2.1', '0.2.1']);
  });

  it('a device on beta takes the newer one of both channels, and one on stable never a beta', async () => {
    await server.offer('0.2.0');
    await server.offer('0.3.0-beta.1', { channel: 'beta' });
    expect(await available()).toEqual(['0.2.0', '0.2.0']);
    expect(await available('beta')).toEqual(['0.3.0-beta.1', '0.3.0-beta.1']);
    await record('rolled_back', { from: CURRENT, to: '0.3.0-beta.1' });
    expect(await available('beta')).toEqual(['0.3.0-beta.1', '0.2.0']);
    await server.offer('0.3.0');
    expect(await available('beta')).toEqual(['0.3.0', '0.3.0']);
  });
});

describe('a release that is refused', () => {
  it.each<[string, Partial<ReleaseManifest>, string | undefined, RegExp]>([
    ['with the signature of another key', {}, generateReleaseKey().privateKey, /not signed with a key/],
    ['whose manifest expired', { expiresAt: '2026-11-26T07:59:59Z' }, undefined, /expired/],
    ['that needs one in between', { minimumVersion: '0.1.5' }, undefined, /needs 0.1.5 at least/],
    ['of another channel', { channel: 'beta' }, undefined, /has no release of stable/],
  ])('a release %s is refused', async (_what, change, key, reason) => {
    await server.offer('0.2.0', change, key);
    await expect(available()).rejects.toThrow(reason);
    await expect(updater.available({ channel: 'stable', isAutomatic: true })).rejects.toThrow(reason);
  });

  it('a manifest older than one that the device has seen is refused, of each channel by itself', async () => {
    const issued = (time: string) => ({ issuedAt: `2026-11-26T${time}Z` });
    await server.offer('0.2.0', issued('05:00:00'));
    await server.offer('0.2.0-beta.1', { channel: 'beta', ...issued('03:00:00') });
    for (let again = 0; again < 2; again++) expect(await available('beta')).toEqual(['0.2.0', '0.2.0']);
    await server.offer('0.2.0-beta.2', { channel: 'beta', ...issued('04:00:00') });
    expect(await available('beta')).toEqual(['0.2.0', '0.2.0']);
    await server.offer('0.3.0', issued('04:59:59'));
    await expect(available()).rejects.toThrow(InvalidManifest);
    await expect(available('beta')).rejects.toThrow('older than one that this device has seen');
    await server.offer('0.3.0', issued('05:00:01'));
    expect(await available()).toEqual(['0.3.0', '0.3.0']);
  });

  it('no release before this one can be gone back to where none was installed', async () => {
    await expect(updater.rollBack()).rejects.toThrow(UpdateRefused);
  });
});

it('a switch leaves alone the link that before-start is putting in place in the same moment', async () => {
  const link = join(installation.folder, 'current.new');
  await symlink(join('releases', '0.0.9'), link);
  await installation.switchTo('0.2.0');
  expect([await readlink(link), await installation.current()]).toEqual(['releases/0.0.9', '0.2.0']);
});
