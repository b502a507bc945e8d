import { silentLogger, testMoment } from '@heliograph/kit';
import { expect, it } from 'vitest';
import { HOUR_MS, MINUTE_MS, PV_ENERGY, RecordedHome } from '../../../test/history/recorded-home.ts';
import { caller } from '../../../test/serve/mcp/valid-output.ts';
import { CounterSets } from '../../energy/counters/counter-sets.ts';
import { EnergyMeter } from '../../energy/energy-meter.ts';
import { EnergyStore } from '../../energy/energy-store.ts';
import type { EnergyPeriod } from '../../energy/period.ts';
import { openDatabase } from '../../storage/database.ts';
import { historyTool } from './tools/history-tool.ts';

it('another energy period is no energy in the history, which names by how much the counter was set', async () => {
  const start = '2026-06-02T00:00:00Z';
  using home = new RecordedHome(start, {
    pollIntervalMs: MINUTE_MS,
    setsOf: (topic, fromMs, toMs) => sets.of(topic, fromMs, toMs),
  });
  const db = openDatabase(home.folder);
  const sets = new CounterSets(db);
  const { publisher: snapshots, history, clock } = home;
  /** A process of the device that has this energy period, and polls 6 kW for an hour or some. */
  const runs = (period: EnergyPeriod, hours: number): void => {
    const shared = { store: new EnergyStore(db), clock, logger: silentLogger, zone: 'UTC' };
    const meter = new EnergyMeter({ ...shared, period });
    home.polls(hours * HOUR_MS, () => {
      const readings = new Map([['PV power', { powerW: 6_000, readAtMs: clock.monotonic() }] as const]);
      const kwh = meter.advance(readings, 3 * MINUTE_MS).get('PV energy') ?? null;
      return { [PV_ENERGY]: kwh === null ? null : Math.round(kwh * 100) / 100 };
    });
  };
  runs('daily', 26);
  runs('weekly', 1);
  runs('monthly', 1);
  runs('daily', 1);

  const tool = caller(
    historyTool({ snapshots, history, clock, calendar: { timeZone: 'UTC', energyPeriod: 'daily' } }),
  );
  const read = async (topics: string[], step?: '1h') =>
    (await tool({ topics, from: '2026-06-03', ...(step && { as: 'curve', step }) })).series[0];
  expect((await read([PV_ENERGY]))?.summary?.energy_kwh).toBeCloseTo(5 * 6, 0);
  const perHour = (await read([PV_ENERGY], '1h'))?.points?.map(({ kwh }) => Math.round(kwh ?? 0));
  expect(perHour).toEqual([6, 6, 6, 6, 6]);
  expect((await home.curve(PV_ENERGY, { from: '2026-06-03T00:00:00Z' })).sets).toMatchObject([
    { at: testMoment('2026-06-03T02:00:00Z') / 1000 },
    { at: testMoment('2026-06-03T04:00:00Z') / 1000 },
  ]);
  db.close();
});
