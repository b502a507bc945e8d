import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { beforeAll, describe, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';
import { bash, hasShell, SHELL_TIMEOUT_MS } from './shell.ts';

/** `heliograph` as a user types it. */
export function describeCommandLine(systemOf: () => TestSystem): void {
  let system: TestSystem;
  beforeAll(() => {
    system = systemOf();
  });

  const heliograph = (line: string) => bash(`heliograph ${line} 2>&1 || echo "exit $?"`, system.dataFolder);

  describe.skipIf(!hasShell())('heliograph', { timeout: SHELL_TIMEOUT_MS }, () => {
    it('the command line invites to a site, changes a role, and lists the members', async () => {
      const bo = 'bo@example.org --first-name Bo --last-name Example';
      expect(await heliograph(`invite demo ${bo}`)).toBe('bo@example.org is member of demo\n');
      expect(await heliograph('invite demo bo@example.org --role admin')).toBe(
        'bo@example.org is admin of demo\n',
      );
      const lines = (await heliograph('members demo')).split('\n');
      expect(lines[0]).toMatch(/^ *ID +ROLE +EMAIL +NAME$/);
      expect(lines[1]).toMatch(/ owner +demo@heliograph\.test +Demo Account$/);
      expect(lines[2]).toMatch(/ admin +bo@example\.org +Bo Example$/);
    });

    it('one line explains why an invitation is refused', async () => {
      expect(await heliograph('invite demo nobody-yet@example.org')).toBe(
        "heliograph: first_name can't be blank; last_name can't be blank\nexit 1\n",
      );
    });

    it('the log lists the author of each change, through the proxy and on the local network', async () => {
      const { device } = system.run;
      const reserve = 'inverter_1/battery_reserve';
      await heliograph(`set demo ${reserve} 31`);
      await heliograph(`set --device ${device.url} ${reserve} 32`);
      const [json = ''] = (await heliograph(`log --device ${device.url} --limit 2 --json`)).split(
        'There may',
      );
      const onLan = JSON.parse(json);
      expect(onLan).toMatchObject([
        { author: 'local', via: 'lan', topic: reserve, old_value: '31', new_value: '32', outcome: 'ok' },
        { author: expect.stringMatching(/^user \d+$/), via: 'proxy', new_value: '31', outcome: 'ok' },
      ]);
      const page = (await heliograph(`log demo --limit 1 --before ${onLan[0].id}`)).split('\n');
      expect(page[0]).toMatch(/^ *ID +TIME +WHO +TOPIC +OLD +NEW +OUTCOME$/);
      expect(page[1]).toMatch(
        /^ *\d+ +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +user \d+ \(proxy\) +inverter_1\/battery_reserve +\S+ +31 +ok$/,
      );
      expect(page[2]).toBe(`There may be more: --before ${onLan[1].id} shows the next`);
    });

    it('a diagnostic bundle is saved under the name that is asked for, and replaces no file', async () => {
      const file = join(system.dataFolder, 'bundle.zip');
      expect(await heliograph(`diagnostics demo --frames --output ${file}`)).toBe(`${file}\n`);
      const files = Object.keys(unzipSync(readFileSync(file)));
      expect(files).toEqual(expect.arrayContaining(['manifest.json', 'README.txt', 'frames.json']));
      expect(await heliograph(`diagnostics --device ${system.run.device.url} -o ${file}`)).toMatch(
        /cannot be written: .*exists.*exit 1/s,
      );
    });

    it('a device is registered, and an unknown one is refused', async () => {
      const { device, site } = system.run;
      expect(await heliograph(`register ${device.uid} --name other`)).toBe(
        `Site ${site.id} is ${site.name}\n`,
      );
      expect(await heliograph('register nosuchdevice')).toMatch(/answered 404.*exit 1/s);
    });
  });
}
