import type { EnergyAmounts, EnergyAnswer } from '@heliograph/contracts';
import type { EnergyRequest } from '@heliograph/contracts/energy-answer';
import { BadRequest } from '@heliograph/kit';
import type { Static } from 'typebox';
import { type getEnergy, MAX_ENERGY_STEPS } from './get-energy.ts';
import { parseTimeRange } from './parse-time-range.ts';

type Output = Static<typeof getEnergy.output>;

/** The energy of a site, and its calendar. */
export interface ReadableEnergy {
  readonly zone: string;
  readonly nowMs: number;
  readonly read: (request: EnergyRequest) => Promise<EnergyAnswer>;
}

/** The answer of `get_energy`. @throws BadRequest about the request */
export async function readEnergy(
  { zone, nowMs, read }: ReadableEnergy,
  { from = 'today', to = 'now', step = 'day' }: Static<typeof getEnergy.input>,
): Promise<Output> {
  const { fromMs, toMs } = parseTimeRange(from, to, nowMs, zone);
  const answer = await read({ fromMs, toMs, step });
  const { steps, total } = answer;
  if (steps.length > MAX_ENERGY_STEPS)
    throw new BadRequest(
      `that is ${steps.length} steps, and an answer has at most ${MAX_ENERGY_STEPS}: ask for a shorter time or longer steps`,
    );
  return {
    from: answer.from,
    to: answer.to,
    time_zone: answer.time_zone,
    currency: answer.currency,
    known_since: answer.since,
    total: amountsOf(total),
    hardware_counters: (answer.counters ?? []).map(({ energy, kwh, difference }) => ({
      energy,
      kwh,
      difference_kwh: difference,
    })),
    steps: steps.map((each) => ({ from: each.from, ...amountsOf(each) })),
  };
}

function amountsOf(amounts: EnergyAmounts): Output['total'] {
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
    import_cost: money(amounts.import_cost),
    export_earnings: money(amounts.export_earnings),
    net_cost: money(amounts.net_cost),
    savings: money(amounts.savings),
    costs_since: amounts.costs_since ?? null,
    costs_unsettled: amounts.costs_unsettled ?? null,
    covered_percent: percent(amounts.coverage) ?? 0,
  };
}

function kwh(amount: number | null): number | null {
  return amount === null ? null : Number(amount.toFixed(3));
}

function money(amount: number | null): number | null {
  return amount === null ? null : Number(amount.toFixed(2));
}

function percent(share: number | null): number | null {
  return share === null ? null : Number((share * 100).toFixed(1));
}
