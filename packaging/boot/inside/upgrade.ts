import { guideBlocks } from './guide.ts';
import { expectMatch, shell, until } from './shell.ts';
import type { Step } from './step.ts';

const PARTS = ['device', 'cloud', 'proxy'];

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
      for (const part of PARTS) {
        await until(async () =>
          expectMatch(
            await shell(`journalctl --unit heliograph-${part} --output cat | grep '^{'`),
            /99\.0\.0/,
          ),
        );
      }
    },
  },
  {
    title: 'an upgrade starts and enables nothing that is stopped or disabled',
    async run() {
      const units = PARTS.map((part) => `heliograph-${part}`).join(' ');
      const states = () =>
        shell(`systemctl is-active ${units} || true; systemctl is-enabled ${units} || true`);
      for (const [command, state] of [
        ['disable', 'disabled'],
        ['enable', 'enabled'],
      ]) {
        await shell(`systemctl stop ${units}; systemctl ${command} --quiet ${units}`);
        expectMatch(
          await shell('dpkg --install ./*.deb', '/root/packages/next'),
          /device: it was not running/,
        );
        const expected = [...PARTS.map(() => 'inactive'), ...PARTS.map(() => state), ''].join('\n');
        if ((await states()) !== expected) throw new Error(`${await states()} in place of ${expected}`);
      }
      await shell(`systemctl start ${units}`);
    },
  },
];
