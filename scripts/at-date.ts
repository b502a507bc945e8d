/**
 * Runs a command as if it were another moment, in another time zone, with Debian's libfaketime (Linux):
 *
 *   node scripts/at-date.ts 2026-12-31T23:59:50 Pacific/Auckland npm test
 *
 * The moment is local to the zone. Clocks that count since the start of the machine stay true.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';

const [moment = '', zone = 'UTC', command, ...args] = process.argv.slice(2);
const [library] = process.env.LIBFAKETIME
  ? [process.env.LIBFAKETIME]
  : globSync('/usr/lib/*/faketime/libfaketimeMT.so.1');
const startsAt = instantOf(moment, zone);

if (command === undefined || Number.isNaN(startsAt)) {
  console.error('usage: node scripts/at-date.ts <YYYY-MM-DDTHH:MM:SS> <zone> <command> [arguments]');
  process.exitCode = 2;
} else if (library === undefined) {
  console.error(
    'libfaketime is missing: install the package faketime, or set LIBFAKETIME to libfaketimeMT.so.1',
  );
  process.exitCode = 2;
} else {
  const offsetSeconds = Math.round((startsAt - Date.now()) / 1000);
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      TZ: zone,
      LD_PRELOAD: library,
      FAKETIME: `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}`,
      DONT_FAKE_MONOTONIC: '1',
      // With its fix, programs that wait on the monotonic clock, such as Chromium, never sleep.
      FAKETIME_FORCE_MONOTONIC_FIX: '0',
    },
  });
  process.exitCode = status ?? 1;
}

/** Milliseconds since the epoch of a local time; NaN for what is no time. */
function instantOf(local: string, timeZone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return Number.NaN;
  const wall = new Date(asUtc).toLocaleString('sv', { timeZone }).replace(' ', 'T');
  return asUtc - (Date.parse(`${wall}Z`) - asUtc);
}
