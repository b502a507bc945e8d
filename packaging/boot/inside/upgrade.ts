import { guideBlocks } from './guide.ts';
import { expectMatch, shell, until } from './shell.ts';
import type { Step } from './step.ts';

const [upgrade = ''] = guideBlocks('## Update and remove');

/** Prints the hashes of the owner's files. */
const FILES = `sha256sum /etc/heliograph/device.yaml /etc/heliograph-cloud/cloud.env /etc/heliograph-proxy/proxy.env \\
  /var/lib/heliograph/identity.json`;

export const upgradeSteps: readonly Step[] = [
  {
    title: 'an upgrade keeps configuration and identity, and restarts what runs',
    async run() {
      const before = await shell(FILES);
      expectMatch(await shell(upgrade, '/root/packages/next'), /^99\.0\.0$/m);
      if ((await shell(FILES)) !== before) throw new Error(`changed: ${before}${await shell(FILES)}`);
      for (const part of ['device', 'cloud', 'proxy']) {
        await until(async () =>
          expectMatch(
            await shell(`journalctl --unit heliograph-${part} --output cat | grep '^{'`),
            /99\.0\.0/,
          ),
        );
      }
    },
  },
];
