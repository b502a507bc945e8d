import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '../checkout.ts';
import { runVisibly } from '../run-visibly.ts';

export const DEBIAN_RELEASES = ['bookworm', 'trixie'];

/** What docs/install.md installs by apt, and a minimal Debian's own: the root has no network once it runs. */
const INCLUDED = [
  ...['systemd', 'systemd-sysv', 'dbus', 'iproute2', 'procps', 'adduser', 'libstdc++6'],
  ...['ca-certificates', 'openssl', 'curl', 'postgresql', 'caddy'],
];

/** Makes a root of a release of Debian, from an archive that is made once. */
export async function makeDebianRoot(release: string, folder: string): Promise<void> {
  const archive = join(CHECKOUT, 'node_modules/.cache/packaging', `debian-${release}.tar`);
  if (!existsSync(archive)) {
    await mkdir(join(archive, '..'), { recursive: true });
    const unfinished = `${archive}.${process.pid}.tar`;
    await runVisibly('mmdebstrap', [
      ...['--variant=apt', '--quiet', `--include=${INCLUDED.join(',')}`],
      '--dpkgopt=path-exclude=/usr/share/man/*',
      ...[release, unfinished],
    ]);
    await rename(unfinished, archive);
  }
  await mkdir(folder);
  await runVisibly('tar', ['--extract', '--file', archive, '--directory', folder]);
}
