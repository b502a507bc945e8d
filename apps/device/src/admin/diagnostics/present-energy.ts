import { DAY_MS } from '../../common/local-time.ts';
import { kiloWattHours } from '../../energy/energy-amount.ts';
import type { EnergyState } from '../../energy/ledger.ts';
import type { EnergyPeriod } from '../../energy/period.ts';

/** The ledger: the energy of each day by its counters, in kWh. */
export function presentEnergy({ zone, day, days }: EnergyState, period: EnergyPeriod): object {
  return {
    time_zone: zone,
    period,
    day: dateOf(day),
    days: [...days].map(([each, energy]) => ({
      date: dateOf(each),
      kwh: Object.fromEntries(
        Object.entries(energy).map(([counter, amount]) => [counter, kiloWattHours(amount)]),
      ),
    })),
  };
}

function dateOf(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
}
