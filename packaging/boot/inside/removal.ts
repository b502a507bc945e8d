import { expectMatch, shell } from './shell.ts';
import type { Step } from './step.ts';

const PACKAGES = 'heliograph-device heliograph-cloud heliograph-proxy';

export const removalSteps: readonly Step[] = [
  {
    title: 'packages that are removed leave configuration and data, and no process',
    async run() {
      await shell(`apt-get remove -y ${PACKAGES}`);
      await shell('test -s /etc/heliograph/device.yaml -a -s /etc/heliograph-cloud/cloud.env');
      await shell('test -s /etc/heliograph-proxy/proxy.env -a -s /var/lib/heliograph/identity.json');
      await shell('! pgrep --full /usr/lib/heliograph; ! test -e /usr/bin/heliograph');
      expectMatch(await shell('find /usr/lib/heliograph-* 2>&1 || true'), /No such file/);
    },
  },
  {
    title: 'a device that is installed again is the same device',
    async run() {
      const before = await shell('cat /var/lib/heliograph/identity.json');
      await shell('apt-get install -y ./heliograph-device_*.deb');
      expectMatch(await shell('systemctl is-active heliograph-device'), /^active/);
      if ((await shell('cat /var/lib/heliograph/identity.json')) !== before)
        throw new Error('another identity');
    },
  },
  {
    title: 'packages that are purged leave nothing',
    async run() {
      await shell(`apt-get purge -y ${PACKAGES}`);
      const left = await shell(
        'find / -xdev \\( -path /proc -o -path /root -o -path /checkout -o -path /steps-node \\) -prune -o -name "*heliograph*" -print',
      );
      if (left.trim() !== '') throw new Error(left);
    },
  },
];
