import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CHECKOUT } from '../checkout.ts';

/** Where the root has the checkout, read-only: the steps, Node to run them, and the simulated plant. */
const MOUNTED = '/checkout';

/** Longest time for a boot and its steps, in minutes. */
const TIMEOUT_MIN = 15;

const REPORT = 'root/report';

/**
 * Boots a root with systemd as its first process, in a network of its own that has only the loopback interface. A service runs
 * the steps of a phase, and switches the machine off.
 *
 * @returns whether all steps passed
 */
export async function bootRoot(root: string, phase: string): Promise<boolean> {
  const units = join(root, 'etc/systemd/system');
  const wants = join(units, 'multi-user.target.wants');
  await mkdir(wants, { recursive: true });
  await writeFile(join(units, 'steps.service'), unitFor(phase));
  await rm(join(wants, 'steps.service'), { force: true });
  await symlink('../steps.service', join(wants, 'steps.service'));
  await rm(join(root, REPORT), { force: true });
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
      `--bind-ro=${CHECKOUT}:${MOUNTED}`,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const late = setTimeout(() => console_.kill('SIGKILL'), TIMEOUT_MIN * 60_000);
  let output = '';
  for (const stream of [console_.stdout, console_.stderr]) stream.on('data', (chunk) => (output += chunk));
  await once(console_, 'close');
  clearTimeout(late);
  const report = await readFile(join(root, REPORT), 'utf8').catch(() => output);
  console.log(report.trimEnd());
  return report.endsWith('all steps passed\n');
}

function unitFor(phase: string): string {
  return `[Unit]
Description=Steps of a test
After=network.target postgresql.service caddy.service

[Service]
Type=oneshot
Environment=DEBIAN_FRONTEND=noninteractive HOME=/root
ExecStart=${MOUNTED}/node_modules/.bin/node ${MOUNTED}/packaging/boot/inside/main.ts ${phase}
ExecStopPost=/bin/systemctl poweroff --no-block
StandardOutput=file:/${REPORT}
StandardError=inherit

[Install]
WantedBy=multi-user.target
`;
}
