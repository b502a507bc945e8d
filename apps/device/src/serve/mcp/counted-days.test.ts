import { silentLogger } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, PV_ENERGY, RecordedHome } from '../../../test/history/recorded-home.ts';
import { EnergyMeter } from '../../energy/energy-meter.ts';
import { EnergyStore } from '../../energy/energy-store.ts';
import type { EnergyPeriod } from '../../energy/period.ts';
import { openDatabase } from '../../storage/database.ts';
import { countedDays } from './counted-days.ts';

it('the one sum of an earlier version is divided among the days that the history has of it', async () => {
  using home = new RecordedHome('2026-06-01T00:00:00Z', { pollIntervalMs: 10 * MINUTE_MS });
  const { history, clock } = home;
  let kwh = 0;
  // 2.4 kWh on Monday, while nothing was recorded; 7.2 on Tuesday, and 3.6 by noon of Wednesday.
  home.pass(DAY_MS);
  kwh = 2.4;
  home.polls(1.5 * DAY_MS, () => {
    kwh += 0.05;
    return { [PV_ENERGY]: Math.round(kwh * 100) / 100 };
  });
  const db = openDatabase(home.folder);
  const legacy = {
    period: 'weekly',
    zone: 'UTC',
    startedAt: Date.parse('2026-06-01T00:00:00Z'),
    amounts: { 'PV energy': { wattHours: Math.round(kwh * 1000), rest: 7 } },
  };
  db.prepare('INSERT INTO energy (id, state) VALUES (1, ?)').run(JSON.stringify(legacy));

  const store = new EnergyStore(db);
  await store.splitPeriod('UTC', (topic, from) => countedDays(history, topic, from, clock.now(), 'UTC'));
  const shown = (period: EnergyPeriod) => {
    const shared = { store: new EnergyStore(db), clock, logger: silentLogger, zone: 'UTC' };
    return new EnergyMeter({ ...shared, period }).advance(new Map(), HOUR_MS).get('PV energy');
  };
  expect(shown('weekly')).toBeCloseTo(kwh, 3);
  expect(shown('daily')).toBeCloseTo(3.6, 1);
  db.close();
});
