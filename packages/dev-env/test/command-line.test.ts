import { beforeAll, describe, expect, it } from 'vitest';
import { bash, hasShell, SHELL_TIMEOUT_MS } from './shell.ts';
import { sharedTestSystem, type TestSystem } from './test-system.ts';

let system: TestSystem;
beforeAll(async () => {
  system = await sharedTestSystem();
});

const heliograph = (line: string) => bash(`heliograph ${line} 2>&1 || echo "exit $?"`, system.dataFolder);

describe.skipIf(!hasShell())('heliograph', { timeout: SHELL_TIMEOUT_MS }, () => {
  it('invites to a site, changes a role, and lists who has one', async () => {
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

  it('tells in one line why an invitation is refused', async () => {
    expect(await heliograph('invite demo nobody-yet@example.org')).toBe(
      "heliograph: first_name can't be blank; last_name can't be blank\nexit 1\n",
    );
  });

  it('registers a device, and tells when there is none', async () => {
    const { device, site } = system.run;
    expect(await heliograph(`register ${device.uid} --name other`)).toBe(`Site ${site.id} is ${site.name}\n`);
    expect(await heliograph('register nosuchdevice')).toMatch(/answered 404.*exit 1/s);
  });
});
