import { ManualClock } from '@heliograph/kit';
import { quantities } from '@heliograph/metrics';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Reading, Unit } from '../drivers/driver.ts';
import { BELIEVED_AFTER_POLLS, PlausibilityFilter } from './plausibility-filter.ts';

const UNIT: Unit = {
  kind: 'inverters',
  model: 'Test',
  quantities: [
    quantities.power('PV power'),
    quantities.power('Grid power'),
    quantities.power('Battery power'),
    quantities.power('Load power'),
    quantities.stateOfCharge('Battery state of charge'),
    quantities.temperature('Temperature'),
    quantities.frequency('Grid frequency'),
    quantities.lifetimeEnergy('Total PV energy'),
    quantities.periodEnergy('Day PV energy'),
    quantities.periodEnergy('PV energy 1 today'),
    quantities.lifetimeEnergy('Import energy'),
    quantities.numberSetting('Max sell power', 'W', { min: 0, max: 9_000_000, step: 1 }),
  ],
};

let clock: ManualClock;
let filter: PlausibilityFilter;

beforeEach(() => {
  clock = new ManualClock(0);
  filter = new PlausibilityFilter(clock);
});

function poll(values: Readonly<Record<string, number | null>>): Reading {
  clock.advance(5_000);
  return filter.filter('inverters 0', UNIT, new Map(Object.entries(values)));
}

const one = (name: string, value: number): unknown => poll({ [name]: value }).get(name);

describe('values that cannot be', () => {
  it.each([
    ['Sofar: 149 MW at the grid point', 'Grid power', 149_000_000],
    ['Growatt: text of other registers as PV power', 'PV power', 149_744_465.4],
    ['SRNE: a block that is shifted by one byte', 'Battery state of charge', 1536],
    ['Huawei: no value as energy', 'Total PV energy', 21_474_836.47],
    ['Deye: all ones as temperature', 'Temperature', 6453.5],
    ['SolarEdge: no value as frequency', 'Grid frequency', 327.68],
  ])('%s is withheld, named and counted, however long it stays', (_name, name, value) => {
    for (let polls = 1; polls <= 3 * BELIEVED_AFTER_POLLS; polls++) {
      expect(one(name, value)).toBeNull();
      expect(filter.doubtful).toMatchObject([{ quantity: { name }, value, polls }]);
    }
    expect(filter.withheldValues).toBe(3 * BELIEVED_AFTER_POLLS);
  });

  it('a doubtful value is forgotten once the hardware reports one that can be', () => {
    one('Battery state of charge', 1536);
    expect(one('Battery state of charge', 81)).toBe(81);
    expect(filter.doubtful).toEqual([]);
  });

  it('the load is unknown while a power that it is computed from is withheld', () => {
    const reading = poll({
      'PV power': 1000,
      'Grid power': 149_000_000,
      'Battery power': 0,
      'Load power': 500,
    });
    expect(Object.fromEntries(reading)).toEqual({
      'PV power': 1000,
      'Grid power': null,
      'Battery power': 0,
      'Load power': null,
    });
  });

  it('a power beyond four times the rating of its inverter is withheld', () => {
    const rated = { ...quantities.info('Rated power'), unit: 'W' as const };
    const unit = { ...UNIT, quantities: [...UNIT.quantities, rated] };
    const reading = new Map([
      ['Rated power', 20_000],
      ['PV power', 90_000],
    ]);
    expect(filter.filter('inverters 0', unit, reading).get('PV power')).toBeNull();
    expect(filter.filter('inverters 1', UNIT, new Map([['PV power', 90_000]])).get('PV power')).toBe(90_000);
  });

  it('settings and unknown values pass', () => {
    expect(one('Max sell power', 9_000_000)).toBe(9_000_000);
    expect(poll({ 'PV power': null }).get('PV power')).toBeNull();
    expect(filter.withheldValues).toBe(0);
  });
});

describe('values that leap', () => {
  it.each([
    ['a state of charge', 'Battery state of charge', 20, 95],
    ['a temperature', 'Temperature', 25, 150],
    ['a counter that rises', 'Total PV energy', 1200, 81_200],
    ['a counter that falls', 'Total PV energy', 1200, 0],
    ["a meter's counter that falls", 'Import energy', 1200, 0],
  ])('%s is withheld until it has stayed for ten polls', (_name, name, before, after) => {
    expect(one(name, before)).toBe(before);
    for (let polls = 0; polls < BELIEVED_AFTER_POLLS; polls++) expect(one(name, after)).toBeNull();
    expect(one(name, after)).toBe(after);
    expect(filter.doubtful).toEqual([]);
  });

  it('a single spike of a counter is never shown, and counting goes on', () => {
    expect(one('Total PV energy', 1200)).toBe(1200);
    expect(one('Total PV energy', 0)).toBeNull();
    expect(one('Total PV energy', 1200.1)).toBe(1200.1);
  });

  const TEN = BELIEVED_AFTER_POLLS;
  const equal = (count: number, value: number | null = 180) => Array.from({ length: count }, () => value);
  /** Leaps beyond the step of a temperature, each unlike the one before. */
  const unlike = (count: number) => Array.from({ length: count }, (_, i) => (i % 2 === 0 ? 180 : 100));

  it.each([
    ['leap about', unlike(3 * TEN)],
    ['differ ten times and are then equal twice', [...unlike(TEN), ...equal(2, 100)]],
    ['differ ten times and are then equal for too short', [...unlike(TEN), ...equal(TEN - 1, 100)]],
    ['are interrupted by a value as before', [...equal(TEN), 20, ...equal(TEN)]],
    ['are interrupted by an unknown value', [...equal(TEN), null, ...equal(TEN)]],
    ['are interrupted by an impossible value', [...equal(TEN), 6453.5, ...equal(TEN)]],
  ])('values that %s are not believed: doubtful polls count in a row', (_how, values) => {
    one('Temperature', 20);
    for (const value of values)
      expect(poll({ Temperature: value }).get('Temperature')).toBe(value === 20 ? 20 : null);
  });

  it('each unit and each quantity has its own doubtful polls', () => {
    const both = (key: 'inverters 0' | 'inverters 1', temperature: number, charge: number) => {
      const reading = filter.filter(
        key,
        UNIT,
        new Map([
          ['Temperature', temperature],
          ['Battery state of charge', charge],
        ]),
      );
      return [reading.get('Temperature'), reading.get('Battery state of charge')];
    };
    for (const key of ['inverters 0', 'inverters 1'] as const) both(key, 20, 20);
    for (let polls = 0; polls < TEN; polls++)
      expect(both('inverters 0', 180, polls < 5 ? 20 : 95)).toEqual([null, polls < 5 ? 20 : null]);
    expect(both('inverters 1', 180, 95)).toEqual([null, null]);
    expect(both('inverters 0', 180, 95)).toEqual([180, null]);
  });

  it.each(['Day PV energy', 'PV energy 1 today'])(
    'the energy of a day, %s, begins again at once, and does not otherwise fall',
    (name) => {
      expect(one(name, 33.4)).toBe(33.4);
      expect(one(name, 25)).toBeNull();
      expect(one(name, 0)).toBe(0);
    },
  );

  it('a counter that was not read for long may have counted much', () => {
    one('Total PV energy', 100);
    clock.advance(24 * 3_600_000);
    expect(one('Total PV energy', 900)).toBe(900);
  });
});
