import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@heliograph/kit';
import { quantities } from '@heliograph/metrics';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Reading, Unit } from '../../drivers/driver.ts';
import { openDatabase } from '../../storage/database.ts';
import { KeyValueStore } from '../../storage/key-value.ts';
import { PlausibilityFilter } from './plausibility-filter.ts';
import { SeenCounters } from './seen-counters.ts';

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
    quantities.numberSetting('Stop discharge capacity', '%', { min: 0, max: 100, step: 1 }),
    quantities.info('Serial number'),
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
    for (let polls = 1; polls <= 30; polls++) {
      expect(one(name, value)).toBeNull();
      expect(filter.doubtful).toMatchObject([{ quantity: { name }, value, polls }]);
    }
    expect(filter.withheldValues).toBe(30);
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

  it('settings within their bounds and unknown values pass', () => {
    expect(one('Max sell power', 9_000_000)).toBe(9_000_000);
    expect(one('Max sell power', 0)).toBe(0);
    expect(poll({ 'PV power': null }).get('PV power')).toBeNull();
    expect(filter.withheldValues).toBe(0);
  });

  it('a setting beyond its own bounds is withheld and named, and counts once', () => {
    for (let polls = 1; polls <= 30; polls++) {
      expect(one('Stop discharge capacity', 25_620)).toBeNull();
      expect(filter.doubtful).toMatchObject([
        { quantity: { name: 'Stop discharge capacity' }, value: 25_620, polls },
      ]);
    }
    expect(filter.withheldValues).toBe(1);
    expect(one('Stop discharge capacity', 20)).toBe(20);
    expect(filter.doubtful).toEqual([]);
  });
});

const MINUTE_MS = 60_000;

describe('values that leap', () => {
  it.each([
    ['a state of charge', 'Battery state of charge', 20, 95, 1],
    ['a temperature', 'Temperature', 25, 150, 1],
    ['a counter that rises', 'Total PV energy', 1200, 81_200, 10],
    ['a counter that falls', 'Total PV energy', 1200, 2.5, 10],
    ["a meter's counter that falls", 'Import energy', 1200, 0, 10],
  ])('%s is withheld until it has stayed for its minutes', (_name, name, before, after, minutes) => {
    expect(one(name, before)).toBe(before);
    for (let ms = 0; ms < minutes * MINUTE_MS; ms += 5_000) expect(one(name, after)).toBeNull();
    expect(one(name, after)).toBe(after);
    expect(filter.doubtful).toEqual([]);
    expect(filter.withheldValues).toBe(1);
  });

  it.each([
    [1_000, 600],
    [60_000, 10],
    [3_600_000, 3],
  ])(
    'patience is a time, not a number of polls: with a poll each %d ms it lasts %d polls',
    (intervalMs, polls) => {
      filter = new PlausibilityFilter(clock, { intervalMs });
      expect(one('Total PV energy', 120_000)).toBe(120_000);
      for (let poll = 0; poll < polls; poll++) {
        clock.advance(intervalMs - 5_000);
        expect(one('Total PV energy', 3)).toBeNull();
      }
      clock.advance(intervalMs - 5_000);
      expect(one('Total PV energy', 3)).toBe(3);
    },
  );

  it('a pause between readings is no time that a value has stayed', () => {
    expect(one('Total PV energy', 1200)).toBe(1200);
    for (let polls = 0; polls < 24; polls++) expect(one('Total PV energy', 0)).toBeNull();
    clock.advance(8 * 60 * MINUTE_MS);
    for (let polls = 0; polls < 24; polls++) expect(one('Total PV energy', 0)).toBeNull();
    expect(one('Total PV energy', 1200)).toBe(1200);
  });

  it('a single spike of a counter is never shown, and counting goes on', () => {
    expect(one('Total PV energy', 1200)).toBe(1200);
    expect(one('Total PV energy', 0)).toBeNull();
    expect(one('Total PV energy', 1200.1)).toBe(1200.1);
  });

  /** Polls within the patience with a temperature. */
  const TEN = 10;
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
      clock.advance(5_000);
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
    for (let polls = 0; polls < 12; polls++)
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

describe('counters of an inverter that boots', () => {
  const TOTAL = 'Total PV energy';
  const DAY = 'Day PV energy';
  const BOOTING = { [TOTAL]: 0, [DAY]: 0 };

  /** Polls of 5 s. */
  const shown = (values: Readonly<Record<string, number | string | null>>): readonly unknown[] => {
    clock.advance(5_000);
    const reading = filter.filter('inverters 0', UNIT, new Map(Object.entries(values)));
    return [reading.get(TOTAL), reading.get(DAY)];
  };
  const identified = { 'Serial number': 'SG-1' };

  it.each([
    ['a unit with a serial number', identified, 500],
    ['a unit that leaves its serial number out meanwhile', {}, 500],
    ['a unit whose serial number is unknown meanwhile', { 'Serial number': null }, 500],
  ])('%s: zeros are not believed while it boots', (_name, meanwhile, polls) => {
    for (let polls = 0; polls < 2; polls++)
      expect(shown({ ...identified, [TOTAL]: 5000.5, [DAY]: 24.5 })).toEqual([5000.5, 24.5]);
    for (let poll = 0; poll < polls; poll++)
      expect(shown({ ...meanwhile, ...BOOTING })).toEqual([null, null]);
    expect(shown({ ...identified, [TOTAL]: 5000.5, [DAY]: 24.5 })).toEqual([5000.5, 24.5]);
  });

  it('a unit without a serial number: zeros are believed after ten minutes, and its counters from there on', () => {
    for (let polls = 0; polls < 2; polls++) shown({ [TOTAL]: 889, [DAY]: 3.4 });
    for (let polls = 0; polls < 120; polls++) expect(shown(BOOTING)).toEqual([null, null]);
    expect(shown(BOOTING)).toEqual([0, 0]);
    expect(shown({ [TOTAL]: 0.1, [DAY]: 0.1 })).toEqual([0.1, 0.1]);
  });

  it('a single wrong value above zero does not make zero unbelievable for good', () => {
    expect(shown({ ...identified, [TOTAL]: 900, [DAY]: 0 })).toEqual([900, 0]);
    for (let polls = 0; polls < 120; polls++) shown({ ...identified, ...BOOTING });
    expect(shown({ ...identified, ...BOOTING })).toEqual([0, 0]);
  });

  it("a day's counter begins again at midnight, early, late and twice, while the lifetime counter is believed", () => {
    for (const [total, day] of [
      [5000, 24.5],
      [5000, 24.5],
      [5000, 0],
      [5000.1, 0.1],
      [5000.1, 0],
      [5000.2, 0.1],
    ] as const)
      expect(shown({ ...identified, [TOTAL]: total, [DAY]: day })).toEqual([total, day]);
  });

  it("a day's counter that begins again during a boot is believed as soon as the lifetime counter is", () => {
    for (let polls = 0; polls < 2; polls++) shown({ ...identified, [TOTAL]: 5000, [DAY]: 24.5 });
    expect(shown({ ...identified, ...BOOTING })).toEqual([null, null]);
    expect(shown({ ...identified, [TOTAL]: 5000, [DAY]: 0 })).toEqual([5000, 0]);
  });

  it("a day's counter that rises is believed after its patience, also beside a lifetime counter of zero", () => {
    for (let polls = 0; polls < 2; polls++) shown({ ...identified, [TOTAL]: 5000, [DAY]: 24.5 });
    for (let polls = 0; polls < 60; polls++) shown({ ...identified, ...BOOTING });
    for (let polls = 0; polls < 60; polls++)
      expect(shown({ ...identified, [TOTAL]: 0, [DAY]: 0.1 })).toEqual([null, null]);
    expect(shown({ ...identified, [TOTAL]: 0, [DAY]: 0.1 })).toEqual([null, 0.1]);
  });

  describe('a lifetime counter that was set back under the same serial number and stays 0', () => {
    const RUNNING = { ...identified, 'Grid power': 230 };
    const ASLEEP = { ...identified, 'Grid power': 0 };
    const SET_BACK = { [TOTAL]: 0, [DAY]: 0 };

    /** Polls about a minute apart. */
    const shownFor = (polls: number, values: Readonly<Record<string, number | string>>): unknown[] => {
      let last: readonly unknown[] = [];
      for (let poll = 0; poll < polls; poll++) {
        clock.advance(50_000);
        last = shown(values);
        expect(last[0]).toBeNull();
      }
      return [...last];
    };

    beforeEach(() => {
      for (let polls = 0; polls < 2; polls++)
        shown({ ...RUNNING, [TOTAL]: 5000, [DAY]: 24.5, 'Import energy': 70 });
    });

    it.each([
      ['power flows', { ...RUNNING, ...SET_BACK }],
      ['another lifetime counter counts', { ...ASLEEP, ...SET_BACK, 'Import energy': 70 }],
    ])("the day's 0 is believed after an hour in which %s, and at once from then on", (_sign, values) => {
      expect(shownFor(60, values)).toEqual([null, null]);
      expect(shownFor(10, values)).toEqual([null, 0]);
      shownFor(10, { ...values, [DAY]: 0.4 });
      expect(shown({ ...values, [DAY]: 0.5 })).toEqual([null, 0.5]);
      expect(shown({ ...ASLEEP, ...SET_BACK })).toEqual([null, 0]);
    });

    it("an hour that was interrupted begins again, and the day's 0 of a unit that shows no sign of running is believed after a day", () => {
      for (let times = 0; times < 3; times++) {
        expect(shownFor(50, { ...RUNNING, ...SET_BACK })).toEqual([null, null]);
        expect(shownFor(1, { ...ASLEEP, ...SET_BACK })).toEqual([null, null]);
      }
      expect(shownFor(21 * 60, { ...ASLEEP, ...SET_BACK })).toEqual([null, null]);
      expect(shownFor(160, { ...ASLEEP, ...SET_BACK })).toEqual([null, 0]);
    });

    it("the next boot withholds the day's 0 again, by the counters that are left", () => {
      const values = { ...RUNNING, ...SET_BACK, 'Import energy': 70 };
      expect(shownFor(70, values)).toEqual([null, 0]);
      shownFor(11, { ...values, [DAY]: 0.4 });
      expect(shown({ ...values, [DAY]: 0.4 })).toEqual([null, 0.4]);
      expect(shown({ ...identified, ...SET_BACK, 'Import energy': 0 })).toEqual([null, null]);
      expect(shown({ ...values, [DAY]: 0.4 })).toEqual([null, 0.4]);
    });
  });

  it('an inverter with another serial number is believed immediately', () => {
    for (let polls = 0; polls < 2; polls++) shown({ ...identified, [TOTAL]: 5000, [DAY]: 24.5 });
    expect(shown({ 'Serial number': 'SG-2', [TOTAL]: 0, [DAY]: 0 })).toEqual([0, 0]);
    expect(shown({ 'Serial number': 'SG-2', [TOTAL]: 0.1, [DAY]: 0.1 })).toEqual([0.1, 0.1]);
  });

  describe('after a restart of the device', () => {
    let folder: string;
    let db: ReturnType<typeof openDatabase>;
    let store: KeyValueStore;
    const restart = (): void => {
      filter = new PlausibilityFilter(clock, { counters: new SeenCounters(store, 'deye+tcp://a') });
    };

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'device-counters-'));
      db = openDatabase(folder);
      store = new KeyValueStore(db);
      restart();
    });

    afterEach(() => {
      db.close();
      rmSync(folder, { recursive: true });
    });

    it('zeros of a unit with a serial number are not believed', () => {
      for (let polls = 0; polls < 2; polls++) shown({ ...identified, [TOTAL]: 5000, [DAY]: 24.5 });
      restart();
      for (let polls = 0; polls < 200; polls++)
        expect(shown({ ...identified, ...BOOTING })).toEqual([null, null]);
      expect(shown({ ...identified, [TOTAL]: 5000, [DAY]: 24.5 })).toEqual([5000, 24.5]);
    });

    it('zeros of a unit without a serial number are believed after ten minutes', () => {
      for (let polls = 0; polls < 2; polls++) shown({ [TOTAL]: 5000, [DAY]: 24.5 });
      restart();
      for (let polls = 0; polls < 120; polls++) expect(shown(BOOTING)).toEqual([null, null]);
      expect(shown(BOOTING)).toEqual([0, 0]);
      restart();
      expect(shown(BOOTING)).toEqual([0, 0]);
    });

    it('zeros of another serial number, and of counters that never counted, are believed immediately', () => {
      for (let polls = 0; polls < 2; polls++) shown({ ...identified, [TOTAL]: 0, [DAY]: 24.5 });
      restart();
      expect(shown({ ...identified, ...BOOTING })).toEqual([0, 0]);
      for (let polls = 0; polls < 2; polls++) shown({ ...identified, [TOTAL]: 3, [DAY]: 3 });
      restart();
      expect(shown({ 'Serial number': 'SG-2', ...BOOTING })).toEqual([0, 0]);
    });

    it('counters are stored once, not with each poll', () => {
      let changes = 0;
      store = new KeyValueStore(db, { onChange: () => void changes++ });
      restart();
      for (let polls = 0; polls < 50; polls++)
        shown({ ...identified, [TOTAL]: 5000 + polls / 10, [DAY]: polls / 10 });
      expect(changes).toBe(2);
    });
  });
});
