import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { TestSystem } from '../src/testing/test-system.ts';
import { bash, hasShell, installedCommands, readPage, SHELL_TIMEOUT_MS } from './shell.ts';

type Guide = 'device' | 'proxy' | 'cloud';

/** Output of each block, in the order of its page. */
const PRINTED: Readonly<Record<Guide, readonly RegExp[]>> = {
  device: [
    /driver: sunspec[\s\S]*device\.yaml can be used; 1 connection/,
    /(No writes|OUTCOME)[\s\S]*(No writes|OUTCOME)/,
    /home\.backup is a backup of .* MB, and can be read/,
    /^This computer is the device .* of demo as of /m,
    /^uses +10$[\s\S]*^Site 1 is demo$[\s\S]*^bo@example\.org is \w+ of demo$/m,
    /^No sites\nNo sites\n[\s\S]*demo +online/m,
    /channel +beta\nautomatic +on[\s\S]*channel +beta\nautomatic +on/,
  ],
  proxy: [/local-1 .* yes +\d/, /^credential +hgp_[\s\S]*CREATED/m],
  cloud: [
    /^password +\S+$[\s\S]*^role +owner$[\s\S]*^token +hga_[\w-]+$/m,
    /^name +eu-fsn-1\ncredential +hgp_/m,
    /^purpose +sites$[\s\S]*^purpose +identity$/m,
    /^key +/m,
    /Brewster Hopper[\s\S]*grace@example\.com[\s\S]*AT +ACTION/,
    /^AT +ACTION|^No /m,
  ],
};

/** Runs the commands of a guide for operators that are marked as tested, on a running system. */
export const describeOperatorGuide = (guide: Guide) => (systemOf: () => TestSystem) => {
  const page = readPage(`docs/operating-a-${guide}.md`);
  const printedBlocks = PRINTED[guide];
  const blocks = [...page.matchAll(/^ *<!-- tested: system -->\n *```sh\n([\s\S]*?)```/gm)].map(
    ([, script = '']) => script.replaceAll(/^ +/gm, ''),
  );
  let system: TestSystem;
  let folder: string;
  let commands: string;
  beforeAll(async () => {
    system = systemOf();
    folder = join(system.dataFolder, `operating-a-${guide}`);
    await mkdir(folder);
    commands = await installedCommands(folder);
  });

  it.skipIf(!hasShell())(
    'the commands of the page work, one after the other',
    { timeout: 5 * SHELL_TIMEOUT_MS },
    async () => {
      expect(blocks).toHaveLength(printedBlocks.length);
      for (const [i, block] of blocks.entries()) {
        const printed = await bash(environment() + typed(block, i), system.dataFolder, commands);
        expect([block, printed]).toEqual([block, expect.stringMatching(printedBlocks[i] ?? /^$/)]);
      }
    },
  );

  /** A block as a reader types it, with the names of this system in place of those of the page. */
  function typed(block: string, index: number): string {
    const { device, site, plant, organization } = system.run;
    const proxy = 'local-1';
    const newest = (list: string): string => `$(heliograph admin ${list} | sort -n | awk 'END { print $1 }')`;
    return (
      block
        .replaceAll('sudo ', '')
        .replaceAll(/\/media\/usb\/(\S+)/g, `"${folder}/$1"`)
        .replaceAll('/etc/heliograph/device.yaml', '"$DEVICE_DATA/device.yaml"')
        .replaceAll('192.168.1.20:502', plant.modbus)
        .replaceAll('192.168.1.9:4002', device.url)
        .replaceAll(/(?<= )home(?= |$)/gm, site.name)
        // Other pages make an organization of the same name.
        .replaceAll('Example Solar', 'Solar of Operations')
        .replaceAll('UID', device.uid)
        .replaceAll('--organization 1', `--organization ${organization.id}`)
        .replaceAll(/(?<!add )eu-fsn-1/g, proxy)
        // One proxy has one name: a later block adds another one.
        .replaceAll('add eu-fsn-1', `add eu-fsn-${index === 1 ? 1 : 2}`)
        .replaceAll('--credential 7', `--credential ${newest(`proxies credentials ${proxy}`)}`)
        .replaceAll('revoke 7', `revoke ${newest('tokens list you@example.org')}`)
        .replaceAll(
          'KID',
          `$(heliograph admin keys list | awk '$2 == "sites" && $3 == "next" { print $1; exit }')`,
        )
    );
  }

  function environment(): string {
    const { device } = system.run;
    return `exec 2>&1
export DEVICE_DATA='${join(system.dataFolder, 'device')}' DEVICE_PORT=${new URL(device.url).port}
export DEVICE_PASSWORD='${device.password}' HELIOGRAPH_PASSWORD='${device.password}'
export BACKUP_PASSPHRASE='roof above the garden'
`;
  }
};
