import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createLogger, ManualClock } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openDatabase } from '../storage/database.ts';
import { HALF_WMS_PER_WH, kiloWattHours } from './energy-amount.ts';
import { EnergyMeter } from './energy-meter.ts';
import { EnergyStore } from './energy-store.ts';

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
    const amount = store.load()?.amounts['PV energy'];
    return amount === undefined ? 0 : kiloWattHours(amount);
  };

  expect([polls(11), stored()]).toEqual([0.02, 0.02]);
  db.exec('PRAGMA query_only = ON');
  expect([polls(10), stored(), lines]).toEqual([0.04, 0.02, ['energy totals cannot be stored']]);
  db.exec('PRAGMA query_only = OFF');
  expect([polls(10), stored()]).toEqual([0.06, 0.06]);
  expect(lines).toEqual(['energy totals cannot be stored', 'energy totals are stored again']);
});

const damages: readonly [string, string, (text: string) => string][] = [
  ['cut off', 'it cannot be read', (text) => text.slice(0, -9)],
  ['with a minus before a number', 'it makes no sense', (text) => text.replace('"rest":', '"rest":-')],
  [
    'with watt-hours below zero',
    'it makes no sense',
    (text) => text.replace('"wattHours":', '"wattHours":-'),
  ],
  ['without watt-hours', 'it makes no sense', (text) => text.replace('wattHours', 'wattHourr')],
  ['without a rest', 'it makes no sense', (text) => text.replace('rest', 'resu')],
  ['with a broken number', 'it makes no sense', (text) => text.replace('"rest":5', '"rest":5.5')],
  ['with a rest of a watt-hour', 'it makes no sense', (text) => text.replace('"rest":5', '"rest":7200000')],
  ['without its start', 'it makes no sense', (text) => text.replace('startedAt', 'startedAu')],
  ['of a period that there is not', 'it makes no sense', (text) => text.replace('daily', 'dailx')],
  ['without a period', 'it makes no sense', (text) => text.replace('period', 'perioe')],
  ['of a time zone that there is not', 'it makes no sense', (text) => text.replace('UTC', 'UTD')],
  ['without amounts', 'it makes no sense', (text) => text.replace('amounts', 'amountt')],
  [
    'with null for its amounts',
    'it makes no sense',
    (text) => text.replace(/"amounts":.*/, '"amounts":null}'),
  ],
  ['of nothing', 'it makes no sense', () => 'null'],
];

describe('stored totals', () => {
  const startedAt = Date.parse('2026-07-15T00:00:00Z');
  const amounts = { 'PV energy': { wattHours: 7, rest: 5 }, 'Load energy': { wattHours: 0, rest: 0 } };
  let lines: unknown[];
  let store: EnergyStore;
  const started = () =>
    new EnergyMeter({
      store,
      clock: new ManualClock(Date.parse('2026-07-15T12:00:00Z')),
      logger: createLogger('test', 'info', { write }),
      zone: 'UTC',
      period: 'daily',
    });
  const write = (line: string): void => {
    const { msg, reason } = JSON.parse(line) as { msg: string; reason?: string };
    lines.push([msg, reason]);
  };
  const shown = () => {
    const energies = started().advance(new Map(), 6_000);
    return [energies.get('PV energy'), energies.get('Load energy'), energies.get('Grid energy in')];
  };
  const change = (damaged: (text: string) => string): void => {
    const { state } = db.prepare('SELECT state FROM energy').get() ?? {};
    db.prepare('UPDATE energy SET state = ?').run(damaged(String(state)));
  };

  beforeEach(() => {
    lines = [];
    store = new EnergyStore(db);
    store.save({ period: 'daily', zone: 'UTC', startedAt, amounts });
  });

  it.each(damages)(
    'the meter begins anew with damaged stored totals, and logs that: %s',
    (_how, reason, damaged) => {
      expect(shown()).toEqual([expect.closeTo(0.007, 6), 0, null]);
      change(damaged);
      expect(shown()).toEqual([null, null, null]);
      expect(lines).toEqual([['the stored energy totals are damaged and begin anew', reason]]);
    },
  );

  it('the meter goes on with stored totals of a version that did not store the time zone', () => {
    change((text) => text.replace('"zone":"UTC",', ''));
    expect(store.load()).toEqual({ period: 'daily', startedAt, amounts });
    expect([shown(), lines]).toEqual([[expect.closeTo(0.007, 6), 0, null], []]);
  });

  it('the meter does not start on a database that cannot be read, as its totals may be whole', () => {
    vi.spyOn(store, 'load').mockImplementation(() => {
      throw new Error('disk I/O error');
    });
    expect(started).toThrow('disk I/O error');
    expect(lines).toEqual([]);
  });

  it('the meter shows what does not make a whole watt-hour, too', () => {
    const halfWattHour = HALF_WMS_PER_WH / 2;
    store.save({
      period: 'daily',
      zone: 'UTC',
      startedAt,
      amounts: { 'PV energy': { wattHours: 7, rest: halfWattHour } },
    });
    expect(shown()).toEqual([0.0075, null, null]);
  });

  it('the meter stores nothing when a poll counted nothing, which spares the card', () => {
    const save = vi.spyOn(store, 'save');
    const meter = started();
    meter.advance(new Map([['PV power', { powerW: 1_000, readAtMs: 0 }]]), 6_000);
    meter.advance(new Map([['PV power', { powerW: null, readAtMs: 2_000 }]]), 6_000);
    expect(save).not.toHaveBeenCalled();
  });
});
