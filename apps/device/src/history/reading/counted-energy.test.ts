import { afterEach, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, PV_ENERGY, RecordedHome } from '../../../test/history/recorded-home.ts';
import { countedEnergy } from './counted-energy.ts';

const MIDNIGHT = Date.parse('2026-06-02T00:00:00Z');
const PV = new Map([['pv', [PV_ENERGY]]] as const);

let home: RecordedHome;
afterEach(() => home[Symbol.dispose]());

/** Records a counter every five minutes from the evening before, null while the hardware is asleep. */
const record = (counter: (atMs: number) => number | null): RecordedHome => {
  home = new RecordedHome('2026-06-01T12:00:00Z', { pollIntervalMs: 5 * MINUTE_MS });
  home.polls(DAY_MS, (atMs) => ({ [PV_ENERGY]: counter(atMs) }));
  return home;
};
const count = (fromMs: number, toMs: number) => countedEnergy(home.history, PV, fromMs, toMs);

it('the energy of a time is the rise of its counters', async () => {
  record((atMs) => 1000 + (atMs - MIDNIGHT) / HOUR_MS);
  const counted = await count(MIDNIGHT, MIDNIGHT + 10 * HOUR_MS);
  expect(counted.get('pv')).toBeCloseTo(10, 1);
});

it('a counter of hardware that sleeps at night has the value of the evening', async () => {
  record((atMs) => (Math.abs(atMs - MIDNIGHT) < 5 * HOUR_MS ? null : atMs < MIDNIGHT ? 1000 : 1002));
  expect((await count(MIDNIGHT, MIDNIGHT + 11 * HOUR_MS)).get('pv')).toBe(2);
});

it('energy is counted from a first reading soon after the beginning, where there is none before', async () => {
  record((atMs) => 1000 + Math.floor((atMs - MIDNIGHT) / HOUR_MS));
  const [beginning, evening] = [MIDNIGHT - 12.5 * HOUR_MS, MIDNIGHT - 6 * HOUR_MS];
  expect((await count(beginning, evening)).get('pv')).toBe(5);
});

it.each([
  ['went down', (atMs: number) => (atMs < MIDNIGHT ? 1000 : 5), MIDNIGHT],
  ['has no reading near the beginning', () => 1000, MIDNIGHT - 10 * DAY_MS],
  ['has its first reading late', () => 1000, MIDNIGHT - 14 * HOUR_MS],
  ['was never read', () => null, MIDNIGHT],
])('an energy is unknown whose counter %s', async (_case, counter, fromMs) => {
  record(counter);
  expect(await count(fromMs, MIDNIGHT + 10 * HOUR_MS)).toEqual(new Map());
});
