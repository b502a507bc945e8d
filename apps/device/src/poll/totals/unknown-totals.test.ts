import { createLogger, ManualClock } from '@heliograph/kit';
import { beforeEach, expect, it } from 'vitest';
import type { Measured } from './measured.ts';
import { computeTotals } from './totals.ts';
import { type CountedUnit, UnknownTotals } from './unknown-totals.ts';

const MINUTE_MS = 60_000;

let lines: Record<string, unknown>[];
let clock: ManualClock;
let unknownTotals: UnknownTotals;
beforeEach(() => {
  lines = [];
  clock = new ManualClock(0);
  const logger = createLogger('test', 'info', {
    write: (line: string) => void lines.push(JSON.parse(line)),
  });
  unknownTotals = new UnknownTotals(logger, clock);
});

/** An inverter with these powers; null is one that it has and does not know. */
const inverter = (number: number, powers: Readonly<Record<string, number | null>>): CountedUnit => ({
  source: `inverter_${number + 1}`,
  kind: 'inverters',
  values: new Map(
    Object.entries(powers).map(([name, value]): [string, Measured] => [
      name,
      { value, readAt: 0, readAtMonotonic: 0 },
    ]),
  ),
});

const update = (...units: readonly CountedUnit[]): void => unknownTotals.update(units, computeTotals(units));

it('one silent unit is named by the totals that are unknown because of it', () => {
  update(
    inverter(0, { 'PV power': 900, 'Grid power': 100, 'Load power': 1_000 }),
    inverter(1, { 'PV power': null }),
    inverter(2, { 'Grid voltage': null }),
  );
  expect(unknownTotals.of('inverter_2')).toEqual(['total/pv_power', 'total/load_power']);
  expect(unknownTotals.of('inverter_1')).toEqual([]);
  expect(unknownTotals.of('inverter_3')).toEqual(['total/grid_voltage']);
});

it('a unit without a part in a total makes none unknown, nor one whose part others speak for', () => {
  update(inverter(0, { 'PV power': 900, 'Grid voltage': 230 }), inverter(1, { 'Grid voltage': null }));
  expect(unknownTotals.of('inverter_2')).toEqual([]);
});

it('a solar charger counts by what it has in place of the battery power', () => {
  update(
    inverter(0, { 'PV power': 900, 'Battery power': 100 }),
    inverter(1, { 'PV power': 50, 'Charge power': null }),
  );
  expect(unknownTotals.of('inverter_2')).toEqual(['total/battery_power']);
});

it('a unit is logged once after a minute, and again when its parts are known', () => {
  const silent = () => update(inverter(0, { 'PV power': 900 }), inverter(1, { 'PV power': null }));
  silent();
  clock.advance(MINUTE_MS - 1);
  silent();
  expect(lines).toEqual([]);
  clock.advance(1);
  silent();
  silent();
  expect(lines).toMatchObject([
    {
      msg: 'totals are unknown because of this unit',
      unit: 'inverter_2',
      totals: ['total/pv_power'],
    },
  ]);
  update(inverter(0, { 'PV power': 900 }), inverter(1, { 'PV power': 80 }));
  expect(unknownTotals.of('inverter_2')).toEqual([]);
  expect(lines.map(({ msg }) => msg)).toEqual([
    'totals are unknown because of this unit',
    'no total is unknown because of this unit',
  ]);
});
