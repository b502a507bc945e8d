/**
 * `npm run package:boot`: installs the packages in Debian roots that boot with systemd, by the commands of docs/install.md, and
 * checks what an owner notices. Needs root, mmdebstrap and systemd-nspawn; without them it says so and succeeds.
 */
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { missingTool } from '../missing-tool.ts';
import { bootRoot } from './boot-root.ts';
import { DEBIAN_RELEASES, makeDebianRoot } from './debian-root.ts';
import { makeReleases } from './releases.ts';

const HELP = `npm run package:boot [-- RELEASE ...] [--keep]

Boots Debian with the packages: ${DEBIAN_RELEASES.join(', ')}; all of them when none is named.

  --keep  keeps the roots`;

/** What happens in a root from one boot to the next; \`inside/main.ts\` has the steps. */
const BOOTS = ['install', 'reboot'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { keep: { type: 'boolean' }, help: { type: 'boolean' } },
});

const missing = missingTool(['mmdebstrap', 'systemd-nspawn']);
if (values.help) console.log(HELP);
else if (process.getuid?.() !== 0) console.log('skipped: booting Debian needs root');
else if (missing !== undefined) console.log(`skipped: ${missing} is not installed`);
else await bootReleases(positionals.length === 0 ? DEBIAN_RELEASES : positionals);

async function bootReleases(releases: readonly string[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'heliograph-boot-'));
  try {
    const packages = await makeReleases(folder);
    for (const release of releases) {
      const root = join(folder, release);
      await makeDebianRoot(release, root);
      await cp(packages, join(root, 'root/packages'), { recursive: true });
      for (const phase of BOOTS) {
        console.log(`\n${release}, ${phase}`);
        if (await bootRoot(root, phase)) continue;
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
