import { writeFile } from 'node:fs/promises';
import { guideBlocks } from './guide.ts';
import { runUntilRead } from './reading.ts';
import { expectMatch, shell, until } from './shell.ts';
import type { Step } from './step.ts';
import { prepareSurroundings, TRUST, trustOwnAuthority, withOwnAuthority } from './surroundings.ts';

/** Largest size of an installed part, in kB. */
const MAX_INSTALLED_KB = 150_000;

/** File with the commands that read through the proxy, for the next boot. */
export const REMOTE_READ = '/root/remote-read';

const device = guideBlocks('## A device');
const cloud = guideBlocks('## A cloud and a proxy');
const connection = guideBlocks('### Connect a device');

let credential = '';
let uid = '';
let token = '';

/** The guide, from an empty machine to the pages of a device. */
export const deviceSteps: readonly Step[] = [
  {
    title: 'a device is installed, and the first line of its log names its version and the address to open',
    async run() {
      const output = await shell(device[0] ?? '');
      expectMatch(output, /^heliograph-device: the device serves this home at http:/m);
      const version = (await shell('heliograph --version')).trim();
      const log = await until(async () => {
        const lines = await shell('journalctl --unit heliograph-device --output cat');
        expectMatch(lines, /http:\/\/[^ ]+:4002: open it in a browser to set its password/);
        return lines;
      });
      const [first = ''] = log.split('\n').filter((line) => line.startsWith('{'));
      expectMatch(first, new RegExp(`"version":"${version}"`));
      expectMatch(first, /at http:\/\/[^ ]+:4002/);
      const installed = expectMatch(
        await shell('du -sk --apparent-size /usr/lib/heliograph-device'),
        /^\d+/,
      )[0];
      if (Number(installed) > MAX_INSTALLED_KB) throw new Error(`${installed} kB are installed\n${output}`);
      return `${Math.round(Number(installed) / 1000)} MB installed`;
    },
  },
  {
    title: 'its pages and its API answer',
    async run() {
      const page = await shell('curl --silent --fail http://127.0.0.1:4002/');
      const script = expectMatch(page, /src="(\/assets\/[^"]+\.js)"/)[1];
      await shell(`curl --silent --fail --output /dev/null http://127.0.0.1:4002${script}`);
      expectMatch(await shell('curl --silent http://127.0.0.1:4002/api/v1/metrics'), /password/);
    },
  },
];

/** The guide further on, to a reading through the proxy. */
export const installSteps: readonly Step[] = [
  {
    title: 'the surroundings are there: an inverter, and names for the cloud and the proxy',
    run: prepareSurroundings,
  },
  {
    title: 'the probe finds the inverter, and the device reads it',
    run: () => runUntilRead(device[1] ?? ''),
  },
  {
    title: 'cloud and proxy are installed, and start nothing',
    async run() {
      await shell(cloud[0] ?? '');
      for (const part of ['cloud', 'proxy'])
        expectMatch(await shell(`systemctl is-active heliograph-${part} || true`), /^inactive/);
    },
  },
  {
    title: 'the cloud starts behind its reverse proxy, and an operator makes the first account',
    async run() {
      const output = await shell(withOwnAuthority(cloud[1] ?? ''));
      credential = expectMatch(output, /hgp_[\w-]+/)[0];
      await trustOwnAuthority('/etc/heliograph-cloud/cloud.env');
      await shell('systemctl restart heliograph-cloud');
      await until(() =>
        shell(`curl --silent --fail --cacert /etc/ssl/certs/example-ca.pem https://cloud.example.org/readyz`),
      );
      const page = await shell(
        'curl --silent --fail --cacert /etc/ssl/certs/example-ca.pem https://cloud.example.org/sign_in',
      );
      expectMatch(page, /<script/);
    },
  },
  {
    title: 'the proxy starts, and the cloud knows it',
    async run() {
      await trustOwnAuthority('/etc/heliograph-proxy/proxy.env');
      await shell((cloud[2] ?? '').replace('hgp_…', credential));
      await until(async () => expectMatch(await shell('heliograph admin proxies list'), /eu-1 .*open/));
    },
  },
  {
    title: 'the device calls the cloud, and is activated',
    async run() {
      await trustOwnAuthority('/etc/default/heliograph-device');
      await shell(connection[0] ?? '');
      uid = await until(
        async () =>
          expectMatch(await shell('heliograph admin devices list --state inactive'), /\b[a-z2-7]{20}\b/)[0],
      );
      const output = await shell((connection[1] ?? '').replace('UID', uid));
      token = expectMatch(output, /^token +(\S+)/m)[1] ?? '';
    },
  },
  {
    title: 'a reading arrives through the proxy, with the token of a site',
    async run() {
      const commands = (connection[2] ?? '').replace('UID', uid).replace('TOKEN=TOKEN', `TOKEN=${token}`);
      const script = `export ${TRUST}\n${commands}`;
      await runUntilRead(script);
      await writeFile(REMOTE_READ, script);
    },
  },
];
