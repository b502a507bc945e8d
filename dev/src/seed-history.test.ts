import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EnergyStore, HALF_WMS_PER_WH, type HourAmounts } from '@heliograph/device/energy';
import { openDatabase } from '@heliograph/device/storage';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seedHistory } from './seed-history.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** An hour and a half after midnight in Berlin, a day after the clocks changed there. */
const NOW_MS = Date.parse('2026-10-26T01:30:00+01:00');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'heliograph-seed-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('the history of a new simulated home', () => {
  it('every hour is there, and the energy that came from somewhere went somewhere', async () => {
    await seed();
    const { first, sum, today } = stored();
    expect(first).toBe(NOW_MS - 3 * DAY_MS - HOUR_MS / 2);
    expect(sum.covered_ms).toBe(3 * DAY_MS);
    const kwh = (field: keyof HourAmounts): number => (sum[field] ?? 0) / HALF_WMS_PER_WH / 1000;
    const came = kwh('pv') + kwh('battery_out') + kwh('grid_in');
    expect(kwh('load') + kwh('battery_in') + kwh('grid_out')).toBeCloseTo(came, 0);
    expect(kwh('pv_to_load') + kwh('battery_to_load') + kwh('grid_to_load')).toBeCloseTo(kwh('load'), 0);
    expect(kwh('pv')).toBeGreaterThan(20);
    // The energy totals of the API go on from there.
    expect(today).toBeGreaterThan(0);
  });

  it('a device that has run keeps its own', async () => {
    openDatabase(folder).close();
    await seed();
    expect(stored().first).toBeUndefined();
  });
});

async function seed(): Promise<void> {
  await seedHistory({ folder, timeZone: 'Europe/Berlin', nowMs: NOW_MS, energyDays: 3, curveDays: 1 });
}

function stored() {
  const db = openDatabase(folder);
  try {
    const store = new EnergyStore(db);
    const state = store.load('Europe/Berlin', () => undefined);
    const unsaved = state === undefined ? [] : [...store.unsavedHours(state.day)];
    for (const [hour, amounts] of unsaved) store.hours.save(hour, amounts);
    return {
      first: store.hours.first(),
      sum: store.hours.sum(0, NOW_MS),
      today: state?.days.get(state.day)?.['Load energy']?.wattHours,
    };
  } finally {
    db.close();
  }
}
