import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '../checkout.ts';

/** The path of the checkout in the root, read-only: the steps, and the simulated plant. */
const MOUNTED = '/checkout';

/** Longest time for a boot and its steps, in minutes. */
const TIMEOUT_MIN = 40;

/** The path of a device outside of its package, whose Node runs the steps. */
const STEPS_NODE = '/steps-node';

const REPORT = 'root/report';

/** Turns off the parts of the sandbox that QEMU does not emulate. */
const EMULATED_UNIT = `[Service]
PrivateIPC=no
RestrictNamespaces=no
SystemCallFilter=
`;

export interface Boot {
  readonly root: string;
  /** Of `inside/main.ts`. */
  readonly phase: string;
  /** A folder with the device as it is installed. */
  readonly device: string;
  readonly isEmulated: boolean;
}

/**
 * Boots a root with systemd as its first process, in a network of its own that has only the loopback interface. A service runs
 * the steps of a phase, and switches the machine off.
 *
 * @returns whether all steps passed
 */
export async function bootRoot({ root, phase, device, isEmulated }: Boot): Promise<boolean> {
  const units = join(root, 'etc/systemd/system');
  const wants = join(units, 'multi-user.target.wants');
  await mkdir(wants, { recursive: true });
  await writeFile(join(units, 'steps.service'), unitFor(phase));
  await rm(join(wants, 'steps.service'), { force: true });
  await symlink('../steps.service', join(wants, 'steps.service'));
  await rm(join(root, REPORT), { force: true });
  if (isEmulated) {
    await mkdir(join(units, 'heliograph-device.service.d'), { recursive: true });
    await writeFile(join(units, 'heliograph-device.service.d/emulated.conf'), EMULATED_UNIT);
  }
  const console_ = spawn(
    'systemd-nspawn',
    [
      ...[
        '--directory',
        root,
        '--boot',
        '--register=no',
        '--keep-unit',
        '--private-network',
        '--console=pipe',
      ],
      ...[`--bind-ro=${CHECKOUT}:${MOUNTED}`, `--bind-ro=${device}:${STEPS_NODE}`],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    console_.kill('SIGKILL');
  }, TIMEOUT_MIN * 60_000);
  let output = '';
  for (const stream of [console_.stdout, console_.stderr]) stream.on('data', (chunk) => (output += chunk));
  await once(console_, 'close');
  clearTimeout(late);
  const report = await readFile(join(root, REPORT), 'utf8').catch(() => output);
  console.log(report.trimEnd());
  if (isLate) console.log(`FAILED  ended after ${TIMEOUT_MIN} minutes`);
  return report.endsWith('all steps passed\n');
}

function unitFor(phase: string): string {
  return `[Unit]
Description=Steps of a test
After=network.target postgresql.service caddy.service

[Service]
Type=oneshot
Environment=DEBIAN_FRONTEND=noninteractive HOME=/root
ExecStart=${STEPS_NODE}/bin/node ${MOUNTED}/packaging/boot/inside/main.ts ${phase}
ExecStopPost=/bin/systemctl poweroff --no-block
StandardOutput=file:/${REPORT}
StandardError=inherit

[Install]
WantedBy=multi-user.target
`;
}
