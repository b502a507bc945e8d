/**
 * `npm run package:boot`: installs the packages in Debian roots that boot with systemd, by the commands of docs/install.md, and
 * checks what an owner notices. Needs root, mmdebstrap and systemd-nspawn; without them it prints which one
 * is missing, and fails unless `--allow-missing` is given.
 */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { missingTool } from '../missing-tool.ts';
import { PLATFORMS, type Platform } from '../npm/platform.ts';
import { bootRoot } from './boot-root.ts';
import { DEBIAN_RELEASES, makeDebianRoot } from './debian-root.ts';
import { makeReleases } from './releases.ts';

const HELP = `npm run package:boot [-- RELEASE ...] [--arch ARCHITECTURE] [--keep] [--allow-missing]

Boots Debian with the packages: ${DEBIAN_RELEASES.join(', ')}; all of them when none is named.

  --arch  amd64 or arm64; this machine's when left out. With the other one QEMU emulates the processor, and only the device
          is installed: register qemu-user-static with binfmt_misc
  --keep  keeps the roots
  --allow-missing
          succeeds where a program or root is missing; without it the exit code is then 1`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    arch: { type: 'string' },
    keep: { type: 'boolean' },
    'allow-missing': { type: 'boolean' },
    help: { type: 'boolean' },
  },
});

const platform = PLATFORMS.find(({ architecture, cpu }) =>
  values.arch === undefined ? cpu === process.arch : architecture === values.arch,
);
const isEmulated = platform?.cpu !== process.arch;

/** The phases of `inside/main.ts`, each in a boot of its own. */
const BOOTS = isEmulated ? ['device'] : ['install', 'reboot'];

if (values.help) {
  console.log(HELP);
} else if (platform === undefined) {
  throw new Error(`there are no packages for ${values.arch ?? process.arch}`);
} else {
  const lacking = whatIsLacking(platform);
  if (lacking !== undefined) {
    console.log(`skipped: ${lacking}`);
    if (!values['allow-missing']) process.exitCode = 1;
  } else await bootReleases(positionals.length === 0 ? DEBIAN_RELEASES : positionals, platform);
}

function whatIsLacking({ cpu }: Platform): string | undefined {
  const missing = missingTool(['mmdebstrap', 'systemd-nspawn']);
  if (process.getuid?.() !== 0) return 'booting Debian needs root';
  if (missing !== undefined) return `${missing} is not installed`;
  const emulator = cpu === 'arm64' ? 'qemu-aarch64' : 'qemu-x86_64';
  const isThere = !isEmulated || existsSync(`/proc/sys/fs/binfmt_misc/${emulator}`);
  return isThere ? undefined : `${emulator} is not registered with binfmt_misc`;
}

async function bootReleases(releases: readonly string[], wanted: Platform): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-boot-'));
  try {
    const { packages, device } = await makeReleases(wanted, folder);
    for (const release of releases) {
      const root = join(folder, release);
      await makeDebianRoot({ release, platform: wanted, isEmulated, folder: root });
      await cp(packages, join(root, 'root/packages'), { recursive: true });
      for (const phase of BOOTS) {
        console.log(`\n${release} on ${wanted.architecture}, ${phase}`);
        if (await bootRoot({ root, phase, device, isEmulated })) continue;
        process.exitCode = 1;
        break;
      }
      if (!values.keep) await rm(root, { recursive: true });
    }
  } finally {
    if (values.keep) console.log(`kept: ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}
