import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { createLogger, ManualClock } from '@heliograph/kit';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from '../storage/database.ts';
import { kiloWattHours } from './energy-amount.ts';
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

it.each([
  ['cut off', (text: string) => text.slice(0, -9)],
  ['with a flipped bit in a number', (text: string) => text.replace('"rest":', '"rest":-')],
  ['of a period that there is not', (text: string) => text.replace('daily', 'dailx')],
  ['of a time zone that there is not', (text: string) => text.replace('UTC', 'UTD')],
  ['of nothing', () => 'null'],
])('the meter begins anew with damaged stored totals, and logs that: %s', (_how, damaged) => {
  const lines: string[] = [];
  const write = (line: string) => void lines.push((JSON.parse(line) as { msg: string }).msg);
  const options = {
    store: new EnergyStore(db),
    clock: new ManualClock(Date.parse('2026-07-15T12:00:00Z')),
    logger: createLogger('test', 'info', { write }),
    zone: 'UTC',
    period: 'daily',
  } as const;
  const startedAt = Date.parse('2026-07-15T00:00:00Z');
  const amounts = { 'PV energy': { wattHours: 7, rest: 5 } };
  options.store.save({ period: 'daily', zone: 'UTC', startedAt, amounts });
  expect(new EnergyMeter(options).advance(new Map(), 6_000).get('PV energy')).toBeCloseTo(0.007, 6);
  const { state } = db.prepare('SELECT state FROM energy').get() ?? {};
  db.prepare('UPDATE energy SET state = ?').run(damaged(String(state)));
  expect(new EnergyMeter(options).advance(new Map(), 6_000).get('PV energy')).toBeNull();
  expect(lines).toEqual(['the stored energy totals are damaged and begin anew']);
});
