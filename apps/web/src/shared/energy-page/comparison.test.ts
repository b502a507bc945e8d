import type { EnergyAnswer } from '@heliograph/client';
import { describe, expect, it } from 'vitest';
import { comparisonOf } from './comparison.ts';

const UNKNOWN = {
  pv: null,
  load: null,
  battery_in: null,
  battery_out: null,
  grid_in: null,
  grid_out: null,
  pv_to_load: null,
  pv_to_battery: null,
  pv_to_grid: null,
  battery_to_load: null,
  battery_to_grid: null,
  grid_to_load: null,
  grid_to_battery: null,
  self_sufficiency: null,
  self_consumption: null,
  import_cost: null,
  export_earnings: null,
  fixed_charges: null,
  net_cost: null,
  savings: null,
};

/** A day of hours with as many kWh of sun as the hour has, and nothing else known. */
function hoursOf(date: string, offset: string, hours: readonly number[], to: string): EnergyAnswer {
  const steps = hours.map((hour) => ({
    ...UNKNOWN,
    from: `${date}T${String(hour).padStart(2, '0')}:00:00${offset}`,
    pv: hour,
    coverage: 1,
  }));
  const total = { ...UNKNOWN, pv: hours.reduce((sum, hour) => sum + hour, 0), coverage: 1 };
  return {
    time_zone: 'Europe/Berlin',
    step: 'hour',
    from: steps[0]?.from ?? to,
    to,
    since: null,
    currency: null,
    total,
    steps,
  };
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

describe('a comparison with the period before', () => {
  const today = hoursOf('2026-11-26', '+01:00', HOURS, '2026-11-27T00:00:00+01:00');
  const yesterday = hoursOf('2026-11-25', '+01:00', HOURS, '2026-11-26T00:00:00+01:00');

  it('a day that is over is compared as a whole', () => {
    const compared = comparisonOf('day', today, yesterday, Date.parse('2026-11-27T00:00:00+01:00'));
    expect(compared).toMatchObject({ now: { pv: 276 }, before: { pv: 276, load: null } });
  });

  it('a day that goes on is compared up to its last whole hour', () => {
    const compared = comparisonOf('day', today, yesterday, Date.parse('2026-11-26T03:30:00+01:00'));
    expect(compared).toMatchObject({ now: { pv: 3, load: null }, before: { pv: 3 } });
  });

  it('hours are compared by the clock of the place on a day when it changes', () => {
    const short = hoursOf(
      '2026-03-29',
      '+02:00',
      HOURS.filter((hour) => hour !== 2),
      '2026-03-30T00:00:00+02:00',
    );
    const compared = comparisonOf('day', today, short, Date.parse('2026-11-26T04:30:00+01:00'));
    expect(compared).toMatchObject({ now: { pv: 6 }, before: { pv: 4 } });
  });

  it('a day in its first hour is compared with nothing', () => {
    expect(comparisonOf('day', today, yesterday, Date.parse('2026-11-26T00:30:00+01:00'))).toBeUndefined();
  });
});
