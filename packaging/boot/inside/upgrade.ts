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
      const state = async (part: string) =>
        (
          await shell(
            `cd /; systemctl is-enabled heliograph-${part} || true; systemctl is-active heliograph-${part} || true`,
          )
        )
          .trim()
          .replace('\n', ', ');
      await shell('systemctl disable --now --quiet heliograph-device');
      await shell('systemctl stop heliograph-cloud; systemctl disable --quiet heliograph-proxy');
      expectMatch(await shell('dpkg --install ./*.deb', '/root/packages/next'), /device: it was not running/);
      const states = await Promise.all(PARTS.map(state));
      if (states.join('; ') !== 'disabled, inactive; enabled, inactive; disabled, active')
        throw new Error(states.join('; '));
      await shell('systemctl enable --quiet heliograph-device');
      await shell('dpkg --install ./heliograph-device_*.deb', '/root/packages/next');
      if ((await state('device')) !== 'enabled, inactive') throw new Error(await state('device'));
      await shell(`systemctl enable --quiet heliograph-proxy
systemctl start heliograph-device heliograph-cloud`);
    },
  },
  {
    title: 'every line that a part has logged since its installation is JSON',
    async run() {
      for (const part of PARTS) {
        const lines = await shell(`journalctl _SYSTEMD_UNIT=heliograph-${part}.service --output cat`);
        const plain = lines.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
        if (plain.length > 0) throw new Error(`${part} logged\n${plain.join('\n')}`);
      }
    },
  },
];
