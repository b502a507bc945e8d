import type { EnergyAmounts } from '@heliograph/contracts';
import { BadRequest } from '@heliograph/kit';
import { getEnergy, MAX_ENERGY_STEPS, type Tool } from '@heliograph/mcp';
import type { Static } from 'typebox';
import type { Caller } from '../auth/caller.ts';
import { parseTimeRange } from './parse-time-range.ts';
import type { SiteSources } from './site-sources.ts';

type Amounts = Static<typeof getEnergy.output>['total'];

/** The energy of a time, and of its hours, days, weeks, months or years. */
export function energyTool({
  energy,
  clock,
  calendar: { timeZone: zone },
}: Pick<SiteSources, 'energy' | 'clock' | 'calendar'>): Tool<
  Caller,
  typeof getEnergy.input,
  typeof getEnergy.output
> {
  return {
    ...getEnergy,
    isFor: () => true,
    async run({ from = 'today', to = 'now', step = 'day' }) {
      const { fromMs, toMs } = parseTimeRange(from, to, clock.now(), zone);
      const answer = await energy.read({ fromMs, toMs, step });
      const { steps, total } = answer;
      if (steps.length > MAX_ENERGY_STEPS)
        throw new BadRequest(
          `that is ${steps.length} steps, and an answer has at most ${MAX_ENERGY_STEPS}: ask for a shorter time or longer steps`,
        );
      return {
        from: answer.from,
        to: answer.to,
        time_zone: answer.time_zone,
        known_since: answer.since,
        total: amountsOf(total),
        steps: steps.map((each) => ({ from: each.from, ...amountsOf(each) })),
      };
    },
  };
}

function amountsOf(amounts: EnergyAmounts): Amounts {
  return {
    pv_kwh: kwh(amounts.pv),
    load_kwh: kwh(amounts.load),
    battery_in_kwh: kwh(amounts.battery_in),
    battery_out_kwh: kwh(amounts.battery_out),
    grid_in_kwh: kwh(amounts.grid_in),
    grid_out_kwh: kwh(amounts.grid_out),
    pv_to_load_kwh: kwh(amounts.pv_to_load),
    pv_to_battery_kwh: kwh(amounts.pv_to_battery),
    battery_to_load_kwh: kwh(amounts.battery_to_load),
    grid_to_load_kwh: kwh(amounts.grid_to_load),
    self_sufficiency_percent: percent(amounts.self_sufficiency),
    self_consumption_percent: percent(amounts.self_consumption),
    covered_percent: percent(amounts.coverage) ?? 0,
  };
}

function kwh(amount: number | null): number | null {
  return amount === null ? null : Number(amount.toFixed(3));
}

function percent(share: number | null): number | null {
  return share === null ? null : Number((share * 100).toFixed(1));
}
