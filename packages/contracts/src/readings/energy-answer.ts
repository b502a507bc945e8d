import { BadRequest } from '@heliograph/kit';
import { firstDay, nextDay } from '@heliograph/kit/calendar-days';
import { hourAfter, hourAt, type LocalHour } from '@heliograph/kit/local-hours';
import { type LocalDay, localDay, localIso, startOfDay } from '@heliograph/kit/local-time';
import {
  type EnergyAmounts,
  type EnergyAnswer,
  type EnergyStep,
  type EnergyStepName,
  MAX_ENERGY_STEPS,
} from './energy.ts';

/** Names of energy in the API. */
export const ENERGY_AMOUNTS = [
  'pv',
  'load',
  'battery_in',
  'battery_out',
  'grid_in',
  'grid_out',
  'pv_to_load',
  'pv_to_battery',
  'pv_to_grid',
  'battery_to_load',
  'battery_to_grid',
  'grid_to_load',
  'grid_to_battery',
] as const;
export type EnergyAmountName = (typeof ENERGY_AMOUNTS)[number];

/** Energy of a time in units of its source, and how much of the time was counted. What is unknown is absent. */
export type CountedAmounts = Readonly<Partial<Record<EnergyAmountName | 'covered_ms', number>>>;

/** Money of a time, in the currency of the source. */
export interface Costs {
  readonly importCost: number;
  readonly exportEarnings: number;
  readonly fixedCharges: number;
  readonly savings: number;
  /** When prices in the currency begin, if within the time, in milliseconds since the epoch: the amounts are for the time since. */
  readonly sinceMs?: number;
  /** Whether net metering or a limit of earnings is left out, which whole months settle. */
  readonly isUnsettled: boolean;
}

/** Costs of the energy of a source. */
export interface CostSource {
  /** ISO 4217 */
  readonly currency: string;
  /** The costs of a time until now at most; undefined where no tariff in this currency applies at its end. */
  readonly costs: (fromMs: number, toMs: number) => Costs | undefined;
}

/** Counted energy of a site. */
export interface EnergySource {
  readonly zone: string;
  readonly nowMs: number;
  readonly unitsPerKwh: number;
  /** The first hour that is known. */
  readonly since: LocalHour | undefined;
  /** The energy of the hours that begin within a time. */
  readonly sum: (fromMs: number, toMs: number) => CountedAmounts;
  /** Undefined without tariffs. */
  readonly money?: CostSource | undefined;
  /** Called now and then: ten years take a small computer long. */
  readonly pause: () => Promise<unknown>;
}

export interface EnergyRequest {
  /** Milliseconds since the epoch. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly step?: EnergyStepName | undefined;
}

/** Weeks of an answer to a request that names no beginning. */
const WEEKS = 12;

/** The energy of a time, by the calendar of the site. @throws BadRequest about the request */
export async function energyAnswer(
  source: EnergySource,
  { fromMs, toMs, step = 'day' }: EnergyRequest,
): Promise<EnergyAnswer> {
  const { zone, nowMs, unitsPerKwh, since, money, pause } = source;
  const to = toMs ?? nextStep(nowMs, step, zone);
  const from = fromMs ?? beginningOf(step, Math.min(nowMs, to - 1), since, zone);
  if (from >= to) throw new BadRequest('from must be before to');
  const steps: EnergyStep[] = [];
  const starts = startsBetween(from, to, step, zone);
  const sum: Partial<Record<keyof CountedAmounts, number>> = {};
  for (const [i, startMs] of starts.entries()) {
    const endMs = starts[i + 1] ?? nextStep(startMs, step, zone);
    const amounts = source.sum(startMs, endMs);
    for (const [field, amount] of Object.entries(amounts)) {
      const name = field as keyof CountedAmounts;
      sum[name] = (sum[name] ?? 0) + amount;
    }
    steps.push({
      from: localIso(startMs, zone),
      ...shown(amounts, Math.min(endMs, nowMs) - startMs, unitsPerKwh),
      ...shownCosts(money?.costs(startMs, endMs), zone),
    });
    if (step !== 'hour' || i % 24 === 0) await pause();
  }
  const first = starts[0] ?? from;
  const end = nextStep(starts.at(-1) ?? first, step, zone);
  return {
    time_zone: zone,
    step,
    from: localIso(first, zone),
    to: localIso(end, zone),
    since: since === undefined ? null : localIso(since, zone),
    currency: money?.currency ?? null,
    total: {
      ...shown(sum, Math.min(end, nowMs) - first, unitsPerKwh),
      ...shownCosts(money?.costs(first, end), zone),
    },
    steps,
  };
}

type CostName =
  | 'import_cost'
  | 'export_earnings'
  | 'fixed_charges'
  | 'net_cost'
  | 'savings'
  | 'costs_since'
  | 'costs_unsettled';

function shown(
  amounts: CountedAmounts,
  lengthMs: number,
  unitsPerKwh: number,
): Omit<EnergyAmounts, CostName> {
  const kwh = Object.fromEntries(
    ENERGY_AMOUNTS.map((field) => [field, kwhOf(amounts[field], unitsPerKwh)]),
  ) as Pick<EnergyAmounts, EnergyAmountName>;
  return {
    ...kwh,
    self_sufficiency: partLeft(amounts.load, amounts.grid_to_load),
    self_consumption: partLeft(amounts.pv, amounts.pv_to_grid),
    coverage: lengthMs <= 0 ? 0 : Math.min(1, rounded((amounts.covered_ms ?? 0) / lengthMs, 4)),
  };
}

/** To a hundredth of a cent. */
function shownCosts(costs: Costs | undefined, zone: string): Required<Pick<EnergyAmounts, CostName>> {
  if (costs === undefined) {
    return {
      import_cost: null,
      export_earnings: null,
      fixed_charges: null,
      net_cost: null,
      savings: null,
      costs_since: null,
      costs_unsettled: null,
    };
  }
  const { importCost, exportEarnings, fixedCharges, savings, sinceMs, isUnsettled } = costs;
  return {
    import_cost: rounded(importCost, 4),
    export_earnings: rounded(exportEarnings, 4),
    fixed_charges: rounded(fixedCharges, 4),
    net_cost: rounded(importCost + fixedCharges - exportEarnings, 4),
    savings: rounded(savings, 4),
    costs_since: sinceMs === undefined ? null : localIso(sinceMs, zone),
    costs_unsettled: isUnsettled,
  };
}

function kwhOf(units: number | undefined, unitsPerKwh: number): number | null {
  return units === undefined ? null : rounded(units / unitsPerKwh, 5);
}

function partLeft(whole: number | undefined, gone: number | undefined): number | null {
  if (whole === undefined || gone === undefined || whole <= 0) return null;
  return rounded(1 - Math.min(1, gone / whole), 4);
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}

/** @throws BadRequest for more than an answer may have */
function startsBetween(fromMs: number, toMs: number, step: EnergyStepName, zone: string): readonly number[] {
  const starts: number[] = [];
  let at = startOf(fromMs, step, zone);
  while (at < toMs) {
    if (starts.length === MAX_ENERGY_STEPS)
      throw new BadRequest(
        `it would be more than ${MAX_ENERGY_STEPS} steps: ask for a shorter time or longer steps`,
      );
    starts.push(at);
    at = nextStep(at, step, zone);
  }
  return starts;
}

function startOf(atMs: number, step: EnergyStepName, zone: string): number {
  if (step === 'hour') return hourAt(atMs, zone);
  return startOfDay(firstDay(localDay(atMs, zone), step), zone);
}

function nextStep(atMs: number, step: EnergyStepName, zone: string): number {
  if (step !== 'hour') return startOfDay(nextDay(firstDay(localDay(atMs, zone), step), step), zone);
  return hourAfter(hourAt(atMs, zone), zone);
}

function beginningOf(step: EnergyStepName, atMs: number, since: number | undefined, zone: string): number {
  const day = localDay(atMs, zone);
  const first = (): LocalDay => {
    switch (step) {
      case 'hour':
        return day;
      case 'day':
        return firstDay(day, 'month');
      case 'week':
        return firstDay(day, 'week') - 7 * (WEEKS - 1);
      case 'month':
        return firstDay(day, 'year');
      case 'year':
        return firstDay(localDay(Math.min(since ?? atMs, atMs), zone), 'year');
    }
  };
  return startOfDay(first(), zone);
}
