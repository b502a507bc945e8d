import { silentLogger } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, RecordedHome } from '../../test/history/recorded-home.ts';
import { recordedEnergy } from '../serve/mcp/recorded-energy.ts';
import { openDatabase, openTemporaryDatabase } from '../storage/database.ts';
import { KeyValueStore } from '../storage/key-value.ts';
import { HALF_WMS_PER_WH } from './energy-amount.ts';
import { backfillEnergy } from './energy-backfill.ts';
import { EnergyHistory } from './energy-history.ts';
import { EnergyMeter } from './energy-meter.ts';
import { EnergyStore } from './energy-store.ts';

const KWH = 1000 * HALF_WMS_PER_WH;

it('the totals of a device that lost everything have the hours that its history has', async () => {
  using home = new RecordedHome('2026-06-01T00:00:00Z', { pollIntervalMs: MINUTE_MS });
  const { clock } = home;
  const db = openTemporaryDatabase();
  clock.advance(DAY_MS);
  const [zone, period] = ['UTC', 'monthly'] as const;
  const store = new EnergyStore(db);
  const meter = new EnergyMeter({ store, clock, logger: silentLogger, zone, period });
  const hours = new Map([[Date.parse('2026-06-01T10:00:00Z'), { covered_ms: HOUR_MS, pv: 0.1 * KWH }]]);
  meter.addHours(hours);
  const energy = new EnergyHistory({ store: store.hours, recent: () => meter.recentHours, zone, clock });
  const { total } = await energy.read({ fromMs: Date.parse('2026-06-01T00:00:00Z'), step: 'hour' });
  const shown = [total.pv, meter.advance(new Map(), MINUTE_MS).get('PV energy')];
  expect(shown).toEqual([0.1, 0.1]);
  db.close();
});

it('the hours of an earlier version come from its history once, without a gap or a double at its end', async () => {
  using home = new RecordedHome('2026-06-01T00:00:00Z', { pollIntervalMs: MINUTE_MS });
  const { history, clock } = home;
  const db = openDatabase(home.folder);
  const zone = 'UTC';
  const shared = { clock, logger: silentLogger, zone, period: 'monthly' } as const;
  const poll = (meter: EnergyMeter) => {
    const readAtMs = clock.monotonic();
    const powers = { 'PV power': 6_000, 'Load power': 2_000, 'Grid power': -4_000 } as const;
    const readings = new Map(Object.entries(powers).map(([power, powerW]) => [power, { powerW, readAtMs }]));
    const totals = meter.advance(readings as Parameters<EnergyMeter['advance']>[0], 3 * MINUTE_MS);
    const kwh = (name: string) => Math.round((totals.get(name) ?? 0) * 100) / 100;
    return {
      'total/pv_power': 6_000,
      'total/load_power': 2_000,
      'total/pv_energy': kwh('PV energy'),
      'total/load_energy': kwh('Load energy'),
      'total/grid_energy_in': kwh('Grid energy in'),
      'total/grid_energy_out': kwh('Grid energy out'),
    };
  };
  const former = new EnergyMeter({ ...shared, store: new EnergyStore(db) });
  home.polls(2 * DAY_MS + 30 * MINUTE_MS, () => poll(former));
  db.exec('DELETE FROM energy_hours; UPDATE energy_days SET hour = NULL');

  const store = new EnergyStore(db);
  const meter = new EnergyMeter({ ...shared, store });
  const backfill = () =>
    backfillEnergy({
      read: (fromMs, toMs) => recordedEnergy(history, fromMs, toMs),
      meter,
      store: new KeyValueStore(db),
      zone,
      since: () => history.since(),
      clock,
      logger: silentLogger,
      signal: new AbortController().signal,
    });
  await backfill();
  home.polls(30 * MINUTE_MS, () => poll(meter));
  await backfill();

  const energy = new EnergyHistory({ store: store.hours, recent: () => meter.recentHours, zone, clock });
  const { steps, total } = await energy.read({ fromMs: Date.parse('2026-06-01T00:00:00Z'), step: 'hour' });
  expect(steps.slice(0, 48).map(({ pv }) => Math.round(pv ?? 0))).toEqual(
    Array.from({ length: (2 * DAY_MS) / HOUR_MS }, () => 6),
  );
  expect(steps[7]).toMatchObject({ load: 2, grid_out: 4, pv_to_load: 2, pv_to_grid: 4, coverage: 1 });
  // An hour's end is counted with the next reading, and the counters have two decimals.
  expect(total.pv).toBeCloseTo(2 * 24 * 6 + 6, 0);
  expect(steps[48]?.pv).toBeCloseTo(6, 0);
  db.close();
});
