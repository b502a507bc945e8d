import { expect, it } from 'vitest';
import { lockedPackages } from './locked-packages.ts';
import { PLATFORMS } from './platform.ts';

it.each(PLATFORMS)(
  'native code is taken for $architecture with the GNU C library, and for nothing else',
  (platform) => {
    const native = lockedPackages(['@node-rs/argon2'], platform)
      .map(({ name }) => name)
      .filter((name) => name.startsWith('@node-rs/argon2-'));
    expect(native).toEqual([`@node-rs/argon2-linux-${platform.cpu}-gnu`]);
  },
);

it('a package comes with what it needs, each with the hash of its archive', () => {
  const [platform] = PLATFORMS;
  if (platform === undefined) throw new Error('there is no platform');
  const packages = lockedPackages(['@serialport/bindings-cpp'], platform);
  expect(packages.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['@serialport/bindings-cpp', 'node-gyp-build', 'debug', 'ms']),
  );
  for (const { integrity } of packages) expect(integrity).toMatch(/^sha512-/);
});
