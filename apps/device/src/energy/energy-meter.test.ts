import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createLogger, ManualClock, silentLogger } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../storage/database.ts';
import { HALF_WMS_PER_WH, kiloWattHours } from './energy-amount.ts';
import { EnergyMeter } from './energy-meter.ts';
import { EnergyStore } from './energy-store.ts';
import { type Energy, energyOf } from './ledger.ts';
import type { EnergyPeriod } from './period.ts';

const noDamage = (): void => undefined;

let folder: string;
let db: DatabaseSync;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'device-energy-'));
  db = openDatabase(folder);
});
afterEach(() => {
  db.close();
  rmSync(folder, { recursive: true });
});

it('the meter goes on counting while nothing can be stored, logs that once, and then stores all of it', () => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg);
  const clock = new ManualClock(Date.parse('2026-07-15T12:00:00Z'));
  const store = new EnergyStore(db);
  const logger = createLogger('test', 'info', { write });
  const meter = new EnergyMeter({ store, clock, logger, zone: 'UTC', period: 'daily' });
  const polls = (count: number): number | null | undefined => {
    let shown: number | null | undefined;
    for (let poll = 0; poll < count; poll++) {
      clock.advance(2_000);
      const reading = { powerW: 3_600, readAtMs: clock.monotonic() };
      shown = meter.advance(new Map([['PV power', reading]]), 6_000).get('PV energy');
    }
    return shown;
  };
  const stored = (): number => {
    const state = new EnergyStore(db).load('UTC', noDamage);
    const amount = state && energyOf(state, 'daily')['PV energy'];
    return amount === undefined ? 0 : kiloWattHours(amount);
  };

  expect([polls(11), stored()]).toEqual([0.02, 0.02]);
  db.exec('PRAGMA query_only = ON');
  expect([polls(10), stored(), lines]).toEqual([0.04, 0.02, ['energy totals cannot be stored']]);
  db.exec('PRAGMA query_only = OFF');
  expect([polls(10), stored()]).toEqual([0.06, 0.06]);
  expect(lines).toEqual(['energy totals cannot be stored', 'energy totals are stored again']);
});

it('totals of days that were lost are those of their hours, and unknown while the store cannot be read', () => {
  const clock = new ManualClock(Date.parse('2026-07-15T12:00:00Z'));
  const shared = { clock, logger: silentLogger, zone: 'UTC', period: 'weekly' } as const;
  const poll = (meter: EnergyMeter): number | null | undefined => {
    clock.advance(2_000);
    const reading = { powerW: 3_600, readAtMs: clock.monotonic() };
    return meter.advance(new Map([['PV power', reading]]), 6_000).get('PV energy');
  };
  const store = new EnergyStore(db);
  const hours = [10, 11].map((hour): [number, { pv: number }] => [
    Date.UTC(2026, 6, 15, hour),
    { pv: 5_000 * HALF_WMS_PER_WH },
  ]);
  for (const [start, amounts] of hours) store.hours.save(start, amounts);
  expect(poll(new EnergyMeter({ ...shared, store }))).toBe(10);

  const empty = new EnergyStore(db);
  db.exec('DELETE FROM energy; DELETE FROM energy_days; DELETE FROM energy_hours');
  let isComplete = false;
  const meter = new EnergyMeter({ ...shared, store: empty, isComplete: () => isComplete });
  poll(meter);
  expect([poll(meter), meter.today().get('PV energy')]).toEqual([null, null]);
  isComplete = true;
  expect(poll(meter)).toBeGreaterThan(0);
});

type Damage = readonly [string, string, 'day' | 'state', (text: string) => string];
const damages: readonly Damage[] = [
  ['cut off', 'it cannot be read', 'day', (text) => text.slice(0, -9)],
  ['with a minus before a number', 'it makes no sense', 'day', (text) => text.replace('"rest":', '"rest":-')],
  [
    'with watt-hours below zero',
    'it makes no sense',
    'day',
    (text) => text.replace('"wattHours":', '"wattHours":-'),
  ],
  ['without watt-hours', 'it makes no sense', 'day', (text) => text.replace('wattHours', 'wattHourr')],
  ['without a rest', 'it makes no sense', 'day', (text) => text.replace('rest', 'resu')],
  ['with a broken number', 'it makes no sense', 'day', (text) => text.replace('"rest":5', '"rest":5.5')],
  [
    'with a rest of a watt-hour',
    'it makes no sense',
    'day',
    (text) => text.replace('"rest":5', '"rest":7200000'),
  ],
  ['with a list for amounts', 'it makes no sense', 'day', () => '[]'],
  ['with null for amounts', 'it makes no sense', 'day', () => 'null'],
  ['without its day', 'it makes no sense', 'state', (text) => text.replace('day', 'daz')],
  ['of half a day', 'it makes no sense', 'state', (text) => text.replace('}', '.5}')],
  ['of a time zone that there is not', 'it makes no sense', 'state', (text) => text.replace('UTC', 'UTD')],
  ['without a time zone', 'it makes no sense', 'state', (text) => text.replace('zone', 'zonf')],
  ['with a state cut off', 'it cannot be read', 'state', (text) => text.slice(0, -1)],
  ['of nothing', 'it makes no sense', 'state', () => 'null'],
];

describe('stored totals', () => {
  const startedAt = Date.parse('2026-07-15T00:00:00Z');
  const today = startedAt / 86_400_000;
  const amounts = { 'PV energy': { wattHours: 7, rest: 5 }, 'Load energy': { wattHours: 0, rest: 0 } };
  let lines: unknown[];
  let store: EnergyStore;
  const started = (period: EnergyPeriod = 'daily') =>
    new EnergyMeter({
      store: new EnergyStore(db),
      clock: new ManualClock(Date.parse('2026-07-15T12:00:00Z')),
      logger: createLogger('test', 'info', { write }),
      zone: 'UTC',
      period,
    });
  const write = (line: string): void => {
    const { msg, reason } = JSON.parse(line) as { msg: string; reason?: string };
    lines.push([msg, reason]);
  };
  const shown = (period?: EnergyPeriod) => {
    const energies = started(period).advance(new Map(), 6_000);
    return [energies.get('PV energy'), energies.get('Load energy'), energies.get('Grid energy in')];
  };
  const change = (part: 'day' | 'state', damaged: (text: string) => string): void => {
    const [table, column] = part === 'day' ? ['energy_days', 'amounts'] : ['energy', 'state'];
    const { text } = db.prepare(`SELECT ${column} AS text FROM ${table}`).get() ?? {};
    db.prepare(`UPDATE ${table} SET ${column} = ?`).run(damaged(String(text)));
  };
  const asBefore = (state: object): void => {
    db.exec('DELETE FROM energy_days');
    db.prepare('UPDATE energy SET state = ?').run(JSON.stringify(state));
  };

  beforeEach(() => {
    lines = [];
    store = new EnergyStore(db);
    store.save({ zone: 'UTC', day: today, days: new Map([[today, amounts]]) });
  });

  it.each(damages.filter(([, , part]) => part === 'day'))(
    'a damaged day begins again, and the meter logs that once: %s',
    (_how, reason, part, damaged) => {
      expect(shown()).toEqual([expect.closeTo(0.007, 6), 0, null]);
      change(part, damaged);
      expect(shown()).toEqual([null, null, null]);
      expect(shown()).toEqual([null, null, null]);
      expect(lines).toEqual([['the stored energy of a day is damaged and begins again', reason]]);
    },
  );

  it.each(damages.filter(([, , part]) => part === 'state'))(
    'the days stay where the state is damaged, and the meter logs that once: %s',
    (_how, reason, part, damaged) => {
      change(part, damaged);
      for (let start = 0; start < 2; start++) expect(shown()).toEqual([expect.closeTo(0.007, 6), 0, null]);
      expect(lines).toEqual([['the stored state of the energy is damaged, its days stay', reason]]);
    },
  );

  it('a damaged day leaves the other days of its period', () => {
    const days = new Map([today - 2, today - 1, today].map((day) => [day, amounts]));
    store.save({ zone: 'UTC', day: today, days });
    expect(shown('weekly')).toEqual([expect.closeTo(0.021, 6), 0, null]);
    db.prepare('UPDATE energy_days SET amounts = ? WHERE day = ?').run('{', today - 1);
    expect(shown('weekly')).toEqual([expect.closeTo(0.014, 6), 0, null]);
    expect(shown('daily')).toEqual([expect.closeTo(0.007, 6), 0, null]);
  });

  it.each<[EnergyPeriod, string]>([
    ['daily', '2026-07-15T00:00:00Z'],
    ['weekly', '2026-07-13T00:00:00Z'],
    ['monthly', '2026-07-01T00:00:00Z'],
  ])(
    'the meter goes on with the total that an earlier version stored for its period, %s',
    (period, began) => {
      asBefore({ period, zone: 'UTC', startedAt: Date.parse(began), amounts });
      expect([shown(period), shown(period), lines]).toEqual([
        [expect.closeTo(0.007, 6), 0, null],
        [expect.closeTo(0.007, 6), 0, null],
        [],
      ]);
    },
  );

  it('the meter keeps what an earlier version stored when it stores for the first time', () => {
    asBefore({ period: 'weekly', zone: 'UTC', startedAt: Date.parse('2026-07-13T00:00:00Z'), amounts });
    const meter = started('weekly');
    for (const readAtMs of [0, 2_000]) {
      meter.advance(new Map([['PV power', { powerW: 3_600, readAtMs }]]), 6_000);
    }
    expect(new EnergyStore(db).load('UTC', noDamage)).toEqual({
      zone: 'UTC',
      day: today,
      days: new Map<number, Energy>([
        [today - 2, amounts],
        [today, { 'PV energy': { wattHours: 2, rest: 0 } }],
      ]),
    });
    expect(shown('weekly')).toEqual([expect.closeTo(0.009, 6), 0, null]);
  });

  it('the meter goes on with stored totals of a version that did not store the time zone', () => {
    asBefore({ period: 'daily', startedAt, amounts });
    expect([shown(), lines]).toEqual([[expect.closeTo(0.007, 6), 0, null], []]);
    asBefore({ period: 'daily', startedAt: 'x', amounts });
    expect(shown()).toEqual([null, null, null]);
  });

  it('the meter keeps the newest 70 days, and moves all of them to another time zone', () => {
    const days = new Map(Array.from({ length: 80 }, (_, age) => [today - age, amounts]));
    store.save({ zone: 'UTC', day: today + 1, days });
    const kept = () => [...(new EnergyStore(db).load('UTC', noDamage)?.days.keys() ?? [])];
    expect(kept()).toEqual(Array.from({ length: 70 }, (_, i) => today - 69 + i));
    const clock = new ManualClock(Date.parse('2026-07-16T18:00:00Z'));
    const tokyo = { store: new EnergyStore(db), clock, zone: 'Asia/Tokyo', period: 'daily' } as const;
    const meter = new EnergyMeter({ ...tokyo, logger: silentLogger });
    for (let poll = 0; poll < 2; poll++, clock.advance(2_000)) {
      meter.advance(new Map([['PV power', { powerW: 1_000, readAtMs: clock.monotonic() }]]), 6_000);
    }
    expect(kept()).toEqual(Array.from({ length: 70 }, (_, i) => today - 67 + i));
  });

  it('the meter does not start on a database that cannot be read, as its totals may be whole', () => {
    vi.spyOn(EnergyStore.prototype, 'load').mockImplementationOnce(() => {
      throw new Error('disk I/O error');
    });
    expect(() => started()).toThrow('disk I/O error');
    expect(lines).toEqual([]);
  });

  it('the meter shows what does not make a whole watt-hour, too', () => {
    const halfWattHour = HALF_WMS_PER_WH / 2;
    const energy = { 'PV energy': { wattHours: 7, rest: halfWattHour } };
    store.save({ zone: 'UTC', day: today, days: new Map([[today, energy]]) });
    expect(shown()).toEqual([0.0075, null, null]);
  });

  it('the meter stores nothing when a poll counted nothing, which spares the card', () => {
    const save = vi.spyOn(EnergyStore.prototype, 'save');
    const meter = started();
    meter.advance(new Map([['PV power', { powerW: 1_000, readAtMs: 0 }]]), 6_000);
    meter.advance(new Map([['PV power', { powerW: null, readAtMs: 2_000 }]]), 6_000);
    expect(save).not.toHaveBeenCalled();
  });
});

it('the meter logs that the clock was set, and that it was set back, and not that it drifts', () => {
  const lines: unknown[] = [];
  const write = (line: string): void => {
    const { msg, from, to } = JSON.parse(line) as { msg: string; from: string; to: string };
    lines.push([msg, from, to]);
  };
  const clock = new ManualClock(Date.parse('2026-07-15T12:00:00Z'));
  const logger = createLogger('test', 'warn', { write });
  const meter = new EnergyMeter({ store: new EnergyStore(db), clock, logger, zone: 'UTC', period: 'daily' });
  const setTo = (at: string): void => {
    clock.jump(Date.parse(at));
    meter.advance(new Map(), 6_000);
  };
  setTo('2026-07-15T12:01:00Z');
  setTo('2036-07-15T12:01:00Z');
  clock.advance(120_000);
  meter.advance(new Map(), 6_000);
  setTo('2026-07-15T12:03:00Z');
  const message = 'the clock was set, and energy is counted for the day that it shows now';
  expect(lines).toEqual([
    [message, '2026-07-15T12:01:00.000Z', '2036-07-15T12:01:00.000Z'],
    [message, '2036-07-15T12:03:00.000Z', '2026-07-15T12:03:00.000Z'],
  ]);
});

it('the energy counted since the start moves to the right days when the clock is set, and back', () => {
  const clock = new ManualClock(Date.parse('2026-07-10T12:00:00Z'));
  const store = new EnergyStore(db);
  const meter = new EnergyMeter({ store, clock, logger: silentLogger, zone: 'UTC', period: 'daily' });
  const polls = (count: number): void => {
    for (let poll = 0; poll < count; poll++, clock.advance(60_000)) {
      meter.advance(new Map([['PV power', { powerW: 6_000, readAtMs: clock.monotonic() }]]), 120_000);
    }
  };
  const kwhOfDays = () => {
    const days = [...(new EnergyStore(db).load('UTC', noDamage)?.days ?? [])];
    const known = days.map(([day, { 'PV energy': pv }]) => [
      new Date(day * 86_400_000).toISOString().slice(5, 10),
      pv === undefined ? 0 : kiloWattHours(pv),
    ]);
    return Object.fromEntries(known.filter(([, kwh]) => kwh !== 0));
  };
  polls(61);
  expect(kwhOfDays()).toEqual({ '07-10': 6 });
  clock.jump(Date.parse('2026-07-16T00:30:30Z'));
  polls(1);
  expect(kwhOfDays()).toEqual({ '07-15': expect.closeTo(3, 1), '07-16': expect.closeTo(3.1, 1) });
  clock.jump(Date.parse('2036-01-01T00:00:00Z'));
  polls(1);
  clock.jump(Date.parse('2026-07-16T00:32:30Z'));
  polls(29);
  expect(kwhOfDays()).toEqual({ '07-15': expect.closeTo(3, 1), '07-16': expect.closeTo(6.1, 1) });
});

it.each<[EnergyPeriod, number]>([
  ['daily', 0.002],
  ['weekly', 0.006],
  ['monthly', 0.008],
])(
  'a device that is set to %s shows the total of that period at once, and the day beside it',
  (period, kWh) => {
    for (const day of ['2026-07-03', '2026-07-13', '2026-07-14', '2026-07-15']) {
      const clock = new ManualClock(Date.parse(`${day}T12:00:00Z`));
      const shared = { store: new EnergyStore(db), clock, logger: silentLogger, zone: 'UTC' };
      const meter = new EnergyMeter({ ...shared, period: 'weekly' });
      for (let poll = 0; poll < 2; poll++, clock.advance(2_000)) {
        meter.advance(new Map([['PV power', { powerW: 3_600, readAtMs: clock.monotonic() }]]), 6_000);
      }
    }
    const clock = new ManualClock(Date.parse('2026-07-15T18:00:00Z'));
    const shared = { store: new EnergyStore(db), clock, logger: silentLogger, zone: 'UTC' };
    const meter = new EnergyMeter({ ...shared, period });
    expect(meter.advance(new Map(), 6_000).get('PV energy')).toBeCloseTo(kWh, 9);
    expect(meter.today().get('PV energy')).toBeCloseTo(0.002, 9);
    expect(meter.today().get('Load energy')).toBeNull();
  },
);
