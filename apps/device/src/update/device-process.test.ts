import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@heliograph/dev-env/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { DeviceProcess, MachineStopping } from './device-process.ts';

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
  is-system-running) echo ${state}; exit 1;;
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
});
