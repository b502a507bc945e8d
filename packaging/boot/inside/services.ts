import { expectMatch, shell, until } from './shell.ts';
import type { Step } from './step.ts';

const PARTS = ['device', 'cloud', 'proxy'];
const PORTS: Readonly<Record<string, number>> = { device: 4002, cloud: 4000, proxy: 4001 };

/** Highest exposure of a unit, of 10, by `systemd-analyze security`. */
const MAX_EXPOSURE = 3;

/** The deadline of the watchdog in this test, in seconds; the units have a longer one. */
const WATCHDOG_S = 9;

/** Versions, sandboxes, restarts. */
export const serviceSteps: readonly Step[] = [
  {
    title: 'each part names its version with --version',
    async run() {
      const version = (await shell('heliograph --version')).trim();
      for (const part of PARTS) {
        const root = `/usr/lib/heliograph-${part}`;
        const printed = await shell(`${root}/bin/node ${root}/apps/${part}/src/main.js --version`);
        expectMatch(printed, new RegExp(`^${version}$`, 'm'));
      }
    },
  },
  {
    title: 'each unit has an exposure of at most 3.0',
    async run() {
      const figures = await Promise.all(
        PARTS.map(async (part) => {
          const report = await shell(`systemd-analyze security --no-pager heliograph-${part}`);
          const exposure = Number(expectMatch(report, /Overall exposure level [^:]*: ([\d.]+)/)[1]);
          if (exposure > MAX_EXPOSURE) throw new Error(`${part}: ${exposure}\n${report}`);
          return `${part} ${exposure}`;
        }),
      );
      return figures.join(', ');
    },
  },
  {
    title: 'each part answers after a restart',
    async run() {
      const figures: string[] = [];
      for (const part of PARTS) {
        await shell(`systemctl stop heliograph-${part}`);
        const start = performance.now();
        await shell(`systemctl start --no-block heliograph-${part}`);
        await until(() => answer(part));
        figures.push(`${part} ${Math.round(performance.now() - start)} ms`);
      }
      return figures.join(', ');
    },
  },
  {
    title: 'a process that is stopped is restarted by the watchdog',
    async run() {
      for (const part of PARTS) {
        expectMatch(await shell(`systemctl show heliograph-${part} --property WatchdogUSec`), /=1min/);
        await shell(`mkdir -p /run/systemd/system/heliograph-${part}.service.d
printf '[Service]\\nWatchdogSec=${WATCHDOG_S}\\n' >/run/systemd/system/heliograph-${part}.service.d/test.conf`);
      }
      await shell(
        `systemctl daemon-reload; systemctl restart ${PARTS.map((part) => `heliograph-${part}`).join(' ')}`,
      );
      const before = await Promise.all(PARTS.map(processOf));
      await shell(`kill -STOP ${before.join(' ')}`);
      for (const [index, part] of PARTS.entries()) {
        await until(async () => {
          const now = await processOf(part);
          if (now === before[index] || now === '0') throw new Error(`${part} was not restarted`);
          await answer(part);
        });
        expectMatch(await shell(`journalctl --unit heliograph-${part} --output cat`), /Watchdog timeout/);
      }
      await shell('rm -r /run/systemd/system/heliograph-*.service.d; systemctl daemon-reload');
      await shell(`systemctl restart ${PARTS.map((part) => `heliograph-${part}`).join(' ')}`);
    },
  },
];

async function answer(part: string): Promise<void> {
  const { ok } = await fetch(`http://127.0.0.1:${PORTS[part]}/healthz`, {
    signal: AbortSignal.timeout(2000),
  });
  if (!ok) throw new Error(`${part} is not healthy`);
}

async function processOf(part: string): Promise<string> {
  return (await shell(`systemctl show heliograph-${part} --property MainPID --value`)).trim();
}
