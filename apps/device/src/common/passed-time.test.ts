import { expect, it } from 'vitest';
import { type ClockLead, PassedTime } from './passed-time.ts';

const at = (text: string): number => Date.parse(`${text}Z`);
const RELEASE = at('2026-11-20T00:00:00');
const NOW = at('2026-11-28T14:40:00');
const AHEAD = at('2032-01-19T03:18:00');

/** A device that has readings, and starts. */
function started(readings: readonly number[], stored: ClockLead | null = null) {
  const leads: ClockLead[] = [];
  const passed = new PassedTime({
    releaseMs: RELEASE,
    newestReading: (untilMs) => readings.filter((ms) => ms <= untilMs).toSorted((a, b) => b - a)[0],
    stored,
    store: (lead) => leads.push(lead),
  });
  return { passed, leads };
}

it.each([
  ['has no readings', [], null, false],
  ['has a reading of the future', [NOW - 60_000, AHEAD], null, true],
  ['has a reading that no clock of this release shows', [at('2038-01-19T03:18:00')], null, false],
  ['shows a time before its last reading', [NOW + 3_600_000], null, true],
  ['was found to have been ahead', [NOW - 60_000, AHEAD], { atMs: NOW - 60_000, untilMs: AHEAD }, false],
  [
    'is behind after one that was ahead',
    [NOW + 3_600_000, AHEAD],
    { atMs: NOW + 3_700_000, untilMs: AHEAD },
    true,
  ],
  ['has passed the readings of one that was ahead', [AHEAD + 1], { atMs: NOW, untilMs: AHEAD }, true],
] as const)('a clock that %s is behind or not', (_what, readings, stored, isBehind) => {
  expect(started(readings, stored).passed.isBehind(NOW)).toBe(isBehind);
});

it('a clock that was ahead and is right again contradicts the readings in between', () => {
  const readings = [NOW - 120_000];
  const { passed, leads } = started(readings);
  passed.correct(NOW - 60_000, AHEAD);
  readings.push(AHEAD);
  passed.correct(AHEAD + 50_000, NOW);
  expect(passed.isBehind(NOW)).toBe(false);
  expect(started(readings, leads[0]).passed.isBehind(NOW + 60_000)).toBe(false);
  expect(started(readings, leads[0]).passed.isBehind(NOW - 600_000)).toBe(true);
});

it('a clock that is set back to before the last reading may be wrong', () => {
  const { passed, leads } = started([NOW]);
  passed.correct(NOW + 60_000, NOW - 86_400_000);
  expect([passed.isBehind(NOW - 86_400_000), leads]).toEqual([true, []]);
});

it('the cloud contradicts readings of the future', () => {
  const { passed, leads } = started([NOW - 60_000, AHEAD]);
  passed.confirm(NOW);
  expect(passed.isBehind(NOW)).toBe(false);
  expect(leads).toEqual([{ atMs: NOW, untilMs: AHEAD }]);
});
