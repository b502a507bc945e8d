import { existsSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '../checkout.ts';
import type { Platform } from '../npm/platform.ts';
import { runVisibly } from '../run-visibly.ts';

export const DEBIAN_RELEASES = ['bookworm', 'trixie'];

/** A minimal Debian's own, which the packages need. */
const MINIMAL = ['systemd', 'systemd-sysv', 'dbus', 'iproute2', 'procps', 'adduser', 'libstdc++6', 'curl'];

/** Programs that docs/install.md installs by apt beside the packages: the root has no network once it runs. */
const BESIDE = ['ca-certificates', 'openssl', 'postgresql', 'caddy'];

export interface DebianRoot {
  readonly release: string;
  readonly platform: Platform;
  /** Whether the processor is another one than this machine's. */
  readonly isEmulated: boolean;
  readonly folder: string;
}

/** Makes a root of a release of Debian, from an archive that is made once. */
export async function makeDebianRoot({ release, platform, isEmulated, folder }: DebianRoot): Promise<void> {
  const { architecture } = platform;
  const archive = join(CHECKOUT, 'node_modules/.cache/packaging', `debian-${release}-${architecture}.tar`);
  if (!existsSync(archive)) {
    await mkdir(join(archive, '..'), { recursive: true });
    const unfinished = `${archive}.${process.pid}.tar`;
    const included = isEmulated ? MINIMAL : [...MINIMAL, ...BESIDE];
    await runVisibly('mmdebstrap', [
      ...['--variant=apt', '--quiet', `--arch=${architecture}`, `--include=${included.join(',')}`],
      '--dpkgopt=path-exclude=/usr/share/man/*',
      ...[release, unfinished],
    ]);
    await rename(unfinished, archive);
  }
  await mkdir(folder);
  await runVisibly('tar', ['--extract', '--file', archive, '--directory', folder]);
}
