import type { EnergyAnswer } from '@heliograph/contracts';
import { ManualClock } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDevice, type TestDevice } from '../../../../test/serve/api/test-device.ts';
import { HALF_WMS_PER_WH } from '../../../energy/energy-amount.ts';

const HOUR_MS = 3_600_000;
const KWH = 1000 * HALF_WMS_PER_WH;

/** A Wednesday; the clocks of Berlin went back on Sunday the 25th of October. */
const NOW = Date.parse('2026-11-25T12:30:00+01:00');

let device: TestDevice;
beforeAll(async () => {
  device = await startTestDevice({ clock: new ManualClock(NOW) });
  // 1 kWh of sun an hour since October, of which a quarter is exported; the house uses 1.5 kWh.
  for (let hour = Date.parse('2026-10-01T00:00:00+02:00'); hour < NOW - HOUR_MS; hour += HOUR_MS)
    device.hours.save(hour, {
      covered_ms: HOUR_MS,
      pv: KWH,
      load: 1.5 * KWH,
      grid_in: 0.75 * KWH,
      grid_out: 0.25 * KWH,
      pv_to_load: 0.75 * KWH,
      pv_to_grid: 0.25 * KWH,
      grid_to_load: 0.75 * KWH,
    });
});
afterAll(() => device.stop());

const energy = async (query: string) => {
  const answer = await device.fetch(`/api/v1/energy${query}`);
  return { status: answer.status, body: (await answer.json()) as EnergyAnswer & { error?: string } };
};

describe('GET /api/v1/energy', () => {
  it('a request without parameters gets the days of this month and their sum', async () => {
    const { status, body } = await energy('');
    expect([status, body.step, body.time_zone, body.steps.length]).toEqual([200, 'day', 'Europe/Berlin', 25]);
    expect([body.from, body.to]).toEqual(['2026-11-01T00:00:00+01:00', '2026-11-26T00:00:00+01:00']);
    expect(body.since).toBe('2026-10-01T00:00:00+02:00');
    expect(body.steps[0]).toEqual({
      from: '2026-11-01T00:00:00+01:00',
      pv: 24,
      load: 36,
      battery_in: null,
      battery_out: null,
      grid_in: 18,
      grid_out: 6,
      pv_to_load: 18,
      pv_to_battery: null,
      pv_to_grid: 6,
      battery_to_load: null,
      battery_to_grid: null,
      grid_to_load: 18,
      grid_to_battery: null,
      self_sufficiency: 0.5,
      self_consumption: 0.75,
      coverage: 1,
      import_cost: null,
      export_earnings: null,
      fixed_charges: null,
      net_cost: null,
      savings: null,
      costs_since: null,
      costs_unsettled: null,
    });
    expect(body.total.pv).toBe(24 * 24 + 12);
    expect(body.steps.at(-1)).toMatchObject({ pv: 12, coverage: 0.96 });
  });

  it('a day on which the clock goes back has 25 hours', async () => {
    const day = await energy('?from=2026-10-25&to=2026-10-26');
    expect(day.body.steps.map(({ pv }) => pv)).toEqual([25]);
    const hours = await energy('?from=2026-10-25&to=2026-10-26&step=hour');
    expect(hours.body.steps.map(({ from }) => from.slice(11)).slice(1, 5)).toEqual([
      '01:00:00+02:00',
      '02:00:00+02:00',
      '02:00:00+01:00',
      '03:00:00+01:00',
    ]);
    expect(hours.body.steps).toHaveLength(25);
  });

  it.each([
    ['week', '2026-09-07T00:00:00+02:00', 12],
    ['month', '2026-01-01T00:00:00+01:00', 11],
    ['year', '2026-01-01T00:00:00+01:00', 1],
    ['hour', '2026-11-25T00:00:00+01:00', 13],
  ])('steps of a %s begin at %s', async (step, from, count) => {
    const { body } = await energy(`?step=${step}`);
    expect([body.from, body.steps.length]).toEqual([from, count]);
    const known = body.steps.reduce((sum, { pv }) => sum + (pv ?? 0), 0);
    expect(body.total.pv).toBeCloseTo(known, 4);
  });

  it('a time without energy has null, and nothing covered', async () => {
    const { body } = await energy('?from=2025-06-01&to=2025-06-02');
    expect(body.steps).toMatchObject([{ pv: null, self_sufficiency: null, coverage: 0 }]);
  });

  it.each([
    ['?from=2026-11-31', /from must be a time/],
    ['?from=2026-11-20&to=2026-11-20', /from must be before to/],
    ['?from=1970-01-02&step=hour', /more than 9000 steps/],
    ['?step=minute', /step/],
  ])('%s is refused', async (query, reason) => {
    const { status, body } = await energy(query);
    expect([status, body.error]).toEqual([400, expect.stringMatching(reason)]);
  });

  it('a caller without a password is refused', async () => {
    expect((await fetch(`${device.api.url}/api/v1/energy`)).status).toBe(401);
  });
});
