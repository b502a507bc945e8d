import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, 'at-date.ts');
const PRINT_ENVIRONMENT = 'console.log(JSON.stringify(process.env))';

/** Without the library: the loader warns of it and starts the command, whose environment is what counts here. */
function atDate(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, [SCRIPT, ...args], {
    encoding: 'utf8',
    env: { ...process.env, LIBFAKETIME: 'libfaketime-of-the-test.so' },
  });
}

it.each([
  ['2026-12-31T23:59:50', 'Pacific/Auckland', '2026-12-31T10:59:50Z'],
  ['2026-12-31T23:59:50', 'America/New_York', '2027-01-01T04:59:50Z'],
  ['2027-07-04T12:00:00', 'Europe/Berlin', '2027-07-04T10:00:00Z'],
  ['2020-02-29T12:00:00', 'UTC', '2020-02-29T12:00:00Z'],
])('a command at %s in %s runs as if it were %s', (moment, zone, instant) => {
  const { stdout } = atDate(moment, zone, process.execPath, '--eval', PRINT_ENVIRONMENT);
  const { FAKETIME, TZ }: NodeJS.ProcessEnv = JSON.parse(stdout);
  expect(TZ).toBe(zone);
  expect(FAKETIME).toMatch(/^[+-]\d+$/);
  const startMs = Date.now() + Number(FAKETIME) * 1000;
  // The offset counts from when the script read the clock: minutes are patience, zones differ by hours.
  expect(Math.abs(startMs - Date.parse(instant))).toBeLessThan(600_000);
});

it('the exit status is that of the command', () => {
  expect(atDate('2026-12-31T12:00:00', 'UTC', process.execPath, '--eval', 'process.exit(3)').status).toBe(3);
});

it.each([[[]], [['2026-12-31T12:00:00', 'UTC']], [['noon', 'UTC', 'true']]])(
  'the arguments %j are answered with the usage',
  (args) => {
    const { status, stderr } = atDate(...args);
    expect(status).toBe(2);
    expect(stderr).toContain('usage: node scripts/at-date.ts');
  },
);
