import { guideBlocks } from './guide.ts';
import { readAgain } from './reading.ts';
import { expectMatch, shell, until } from './shell.ts';
import type { Step } from './step.ts';

const [backup = '', restore = ''] = guideBlocks('## Backup and restore', 'operating-a-device.md');

const SECRETS = `export BACKUP_PASSPHRASE='roof above the garden' DEVICE_PASSWORD='roof above the garden'
`;

/** Prints who owns the files of the device. */
const OWNERS = 'find /var/lib/heliograph /etc/heliograph -exec stat --format %U {} + | sort -u';

const DATA = '/var/lib/heliograph';
const CONFIG = '/etc/heliograph/device.yaml';

/** Commands of docs/operating-a-device.md on the data of an installed device, where a cloud is installed beside it. */
export const deviceDataSteps: readonly Step[] = [
  {
    title: 'a running device is backed up and restored by the commands of the guide',
    async run() {
      await shell(`mkdir --parents /media/usb; ${SECRETS}${backup}`);
      await shell(`echo 'time_zone: Asia/Tokyo' >>${CONFIG}`);
      expectMatch(await shell(SECRETS + restore), /^This computer is the device /m);
      await until(() => shell(`! grep Tokyo ${CONFIG}`));
      await requireDevice();
    },
  },
  {
    title: 'a stopped device whose files are lost is restored, with its configuration and its owner',
    async run() {
      const before = await shell(`cat ${CONFIG}`);
      const made = await shell(`systemctl stop heliograph-device; rm -r /media/usb/*; ${SECRETS}${backup}`);
      if (/no configuration/.test(made)) throw new Error(made);
      await shell(`rm -r ${DATA}/* ${CONFIG}`);
      expectMatch(await shell(SECRETS + restore), /^Start the device now$/m);
      if ((await shell(`cat ${CONFIG}`)) !== before) throw new Error('another configuration');
      await shell('systemctl start heliograph-device');
      await requireDevice();
    },
  },
  {
    title: 'heliograph device config and notify are about the device, whatever the working directory is',
    async run() {
      await shell(`systemd-run --quiet --unit ntfy ${process.execPath} --eval \
        "require('node:http').createServer((q, r) => q.resume().on('end', () => r.end('{}'))).listen(2586, '127.0.0.1')"
cp --preserve ${CONFIG} /root/device.yaml
echo 'notifications: [{ntfy: "http://127.0.0.1:2586/home"}]' >>${CONFIG}`);
      const elsewhere = (await shell('mktemp --directory')).trim();
      expectMatch(
        await shell('heliograph device config', elsewhere),
        new RegExp(`^${CONFIG} can be used; 1 connection$`, 'm'),
      );
      await until(async () =>
        expectMatch(await shell('heliograph device notify', elsewhere), /127\.0\.0\.1:2586 took the message/),
      );
      await shell(`cp --preserve /root/device.yaml ${CONFIG}; rm ${CONFIG}`);
      expectMatch(await shell('heliograph device config', elsewhere), /an example is now$/m);
      await shell(`rmdir ${elsewhere}; ${OWNED_BY_DEVICE}`);
      await shell(`cp /root/device.yaml ${CONFIG}; systemctl restart heliograph-device; systemctl stop ntfy`);
      await requireDevice();
    },
  },
  {
    title: 'a person who is not root learns that root may read the data',
    async run() {
      const output = await shell(
        'runuser --user nobody -- heliograph device backup /tmp/x.backup || true',
        '/',
      );
      expectMatch(output, /device\.sqlite may not be read: run this command as root/);
      expectMatch(
        await shell('runuser --user nobody -- heliograph admin users list || true', '/'),
        /cloud\.env may not be read: run this command as root/,
      );
    },
  },
];

const OWNED_BY_DEVICE = `test "$(${OWNERS})" = heliograph`;

/** The device reads its inverter, and every file of it is its own. */
async function requireDevice(): Promise<void> {
  await readAgain(guideBlocks('## A device').join(''));
  await shell(OWNED_BY_DEVICE);
}
