import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@heliograph/dev/testing';
import { systemClock } from '@heliograph/kit';
import { afterEach, describe, expect, it } from 'vitest';
import { writeRelease } from '../../../test/admin/update/release-folder.ts';
import { DeviceProcess, MachineStopping } from './device-process.ts';
import { Installation } from './installation.ts';
import { DeviceStopped, Updater } from './updater.ts';

const TIMES = { deadlineMs: 30_000, stableMs: 0, pollMs: 10 };
const path = process.env.PATH;

afterEach(() => {
  process.env.PATH = path;
});

/** A `systemctl` whose restarts fail, and which prints a state of the machine. */
async function failingSystemctl(folder: string, state: string): Promise<void> {
  const file = join(folder, 'systemctl');
  const script = `#!/bin/sh
case $1 in
  restart) echo 'Job for heliograph-device.service failed.' >&2; echo 'See more.' >&2; exit 1;;
  is-system-running | is-active) echo ${state}; exit 3;;
esac
`;
  await writeFile(file, script);
  await chmod(file, 0o755);
  process.env.PATH = `${folder}:${path}`;
}

describe.runIf(process.platform === 'linux')('a restart by systemd', () => {
  it('a device that does not start is reported in one line', async () => {
    await using folder = await temporaryFolder();
    await failingSystemctl(folder.path, 'degraded');
    const restart = new DeviceProcess('http://127.0.0.1:1/', undefined, TIMES).restart();
    await expect(restart).rejects.toThrow(/^Job for heliograph-device\.service failed\.$/);
  });

  it.each(['stopping', 'offline', ''])(
    'a machine in the state "%s" proves nothing about the device',
    async (state) => {
      await using folder = await temporaryFolder();
      await failingSystemctl(folder.path, state);
      const restart = new DeviceProcess('http://127.0.0.1:1/', undefined, TIMES).restart();
      await expect(restart).rejects.toThrow(MachineStopping);
    },
  );

  it.each([
    ['inactive', true],
    ['active', false],
    ['activating', false],
    ['failed', false],
    ['', false],
  ])('a device whose unit is "%s" is stopped: %s', async (state, isStopped) => {
    await using folder = await temporaryFolder();
    await failingSystemctl(folder.path, state);
    expect(await new DeviceProcess('http://127.0.0.1:1/', undefined, TIMES).isStopped()).toBe(isStopped);
    expect(await new DeviceProcess('http://127.0.0.1:1/', '/restart', TIMES).isStopped()).toBe(false);
  });

  it('a device that its owner stopped is neither updated nor started', async () => {
    await using folder = await temporaryFolder();
    await failingSystemctl(folder.path, 'inactive');
    const root = join(folder.path, 'opt');
    await writeRelease(join(root, 'releases/0.1.0'), '0.1.0');
    await symlink('releases/0.1.0', join(root, 'current'));
    await mkdir(join(root, 'update'));
    const steps: string[] = [];
    const updater = new Updater({
      installation: new Installation(root),
      source: { url: 'http://127.0.0.1:1/', publicKeys: [] },
      service: new DeviceProcess('http://127.0.0.1:1/', undefined, TIMES),
      clock: systemClock,
      onStep: (step) => steps.push(step),
    });
    await expect(updater.update({ channel: 'stable', isAutomatic: true })).rejects.toThrow(DeviceStopped);
    await expect(updater.rollBack()).rejects.toThrow(DeviceStopped);
    expect(steps).toEqual([]);
  });
});
