import type { Tariff } from '@heliograph/contracts';
import type { CostSource, Costs } from '@heliograph/contracts/energy-answer';
import { firstDay, nextDay } from '@heliograph/kit/calendar-days';
import { type LocalDay, localDay, startOfDay } from '../../common/local-time.ts';
import { HALF_WMS_PER_WH } from '../energy-amount.ts';
import type { EnergyHistory } from '../energy-history.ts';
import type { LocalHour } from '../hours/hour.ts';
import type { HourAmounts } from '../hours/hour-ledger.ts';
import { bandAt, type TariffDay, TariffDays } from './tariff-days.ts';

export interface EnergyCostsOptions {
  /** At least one, in the order of their first days. */
  readonly tariffs: readonly Tariff[];
  readonly zone: string;
  readonly nowMs: number;
  /** The first hour of which energy is known. */
  readonly since: LocalHour;
  /** The energy of the hours that begin within a time, in order. */
  readonly hours: (fromMs: number, toMs: number) => ReadonlyMap<LocalHour, HourAmounts>;
}

/** The costs of energy; undefined without tariffs, and before any energy. */
export function energyCosts(
  energy: Pick<EnergyHistory, 'since' | 'hours'>,
  tariffs: readonly Tariff[],
  zone: string,
  nowMs: number,
): EnergyCosts | undefined {
  const since = energy.since();
  if (tariffs.length === 0 || since === undefined) return undefined;
  return new EnergyCosts({
    tariffs,
    zone,
    nowMs,
    since,
    hours: (fromMs, toMs) => energy.hours(fromMs, toMs),
  });
}

/** kWh of a band within a month. */
interface Metered {
  imported: number;
  exported: number;
}

type NetMetering = NonNullable<Tariff['net_metering']>;

interface Sum {
  importCost: number;
  exportEarnings: number;
  fixedCharges: number;
  savings: number;
  isUnsettled: boolean;
}

function nothing(): Sum {
  return { importCost: 0, exportEarnings: 0, fixedCharges: 0, savings: 0, isUnsettled: false };
}

/** kWh of a band that count against each other, and what the imported ones cost at their prices. */
interface Balance extends Readonly<Metered> {
  readonly cost: number;
}

/** Balances that are carried to the next month, by the name of the band. */
type Balances = ReadonlyMap<string, Balance>;

const NO_BALANCE: Balance = { imported: 0, exported: 0, cost: 0 };
const NO_BALANCES: Balances = new Map();

/**
 * The costs of energy. A whole month is a bill: net metering sets imports off against exports, and a limit of earnings holds. Where
 * net metering is settled by the year, a month has what it adds to the bill of that year, which is negative where it takes off. In a
 * part of a month each kWh has its price, where net metering gives an exported one the price of an imported one.
 */
export class EnergyCosts implements CostSource {
  readonly currency: string;
  readonly #options: EnergyCostsOptions;
  readonly #days: TariffDays;
  readonly #balancesAfter = new Map<LocalDay, Balances>();

  constructor(options: EnergyCostsOptions) {
    const { tariffs, zone, nowMs } = options;
    this.#options = options;
    this.#days = new TariffDays(tariffs, zone);
    const current = this.#days.on(localDay(nowMs, zone))?.tariff ?? tariffs[0];
    this.currency = current?.currency ?? '';
  }

  costs(fromMs: number, toMs: number): Costs | undefined {
    const { zone, nowMs, since } = this.#options;
    const beginMs = Math.max(fromMs, since);
    const endMs = Math.min(toMs, nowMs);
    const pricedMs = this.#pricedSince(beginMs, endMs);
    if (pricedMs === undefined) return undefined;
    const sum = nothing();
    let month = firstDay(localDay(pricedMs, zone), 'month');
    while (startOfDay(month, zone) < endMs) {
      const monthMs = startOfDay(month, zone);
      const next = nextDay(month, 'month');
      const nextMs = startOfDay(next, zone);
      const [partMs, partEndMs] = [Math.max(beginMs, monthMs), Math.min(endMs, nextMs)];
      const isBill = partMs <= Math.max(monthMs, since) && partEndMs >= Math.min(nextMs, nowMs);
      this.#addMonth(sum, month, Math.max(partMs, pricedMs), partEndMs, isBill);
      month = next;
    }
    return pricedMs > beginMs ? { ...sum, sinceMs: pricedMs } : sum;
  }

  /** When the prices begin that apply without a gap up to the end of a time; undefined where its last day has none. */
  #pricedSince(fromMs: number, toMs: number): number | undefined {
    const { zone } = this.#options;
    const first = localDay(fromMs, zone);
    let date = localDay(toMs - 1, zone);
    if (toMs <= fromMs || this.#known(date) === undefined) return undefined;
    while (date > first && this.#known(date - 1) !== undefined) date--;
    return Math.max(fromMs, startOfDay(date, zone));
  }

  #addMonth(sum: Sum, month: LocalDay, fromMs: number, toMs: number, isBill: boolean): void {
    this.#addFixedCharges(sum, fromMs, toMs);
    const limited = nothing();
    for (const [hour, amounts] of this.#options.hours(fromMs, toMs)) {
      const day = this.#dayOf(hour);
      if (day === undefined) continue;
      const { tariff } = day;
      if (!isBill && isSettledByBill(tariff)) sum.isUnsettled = true;
      const clock = this.#days.hourOf(day, hour);
      const price = tariff.import[bandAt(tariff.import, day, clock)]?.price ?? 0;
      sum.savings += (kwh(amounts.pv_to_load) + kwh(amounts.battery_to_load)) * price;
      if (isNetMetered(tariff)) {
        if (isBill) continue;
        sum.importCost += kwh(amounts.grid_in) * price;
        sum.exportEarnings += kwh(amounts.grid_out) * price;
        continue;
      }
      const into = tariff.export_limit === 'import_cost' ? limited : sum;
      into.importCost += kwh(amounts.grid_in) * price;
      into.exportEarnings +=
        kwh(amounts.grid_out) * (tariff.export[bandAt(tariff.export, day, clock)]?.price ?? 0);
    }
    sum.importCost += limited.importCost;
    sum.exportEarnings += isBill
      ? Math.min(limited.exportEarnings, limited.importCost)
      : limited.exportEarnings;
    if (isBill) this.#addNetMetering(sum, month);
  }

  #addFixedCharges(sum: Sum, fromMs: number, toMs: number): void {
    const { zone } = this.#options;
    for (let date = localDay(fromMs, zone); date <= localDay(toMs - 1, zone); date++) {
      const day = this.#known(date);
      if (day === undefined) continue;
      const { startMs, endMs, fixedCharges } = day;
      // A date that the zone left out.
      if (startMs === endMs) continue;
      sum.fixedCharges +=
        (fixedCharges * (Math.min(endMs, toMs) - Math.max(startMs, fromMs))) / (endMs - startMs);
    }
  }

  /** The bill of a month, as far as it is net-metered. */
  #addNetMetering(sum: Sum, month: LocalDay): void {
    const { nowMs, zone } = this.#options;
    const balances = new Map(this.#balancesInto(month));
    let yearly: NetMetering | undefined;
    for (const [index, bands] of this.#metered(month)) {
      const tariff = this.#options.tariffs[index] as Tariff;
      const isYearly = tariff.net_metering?.settled === 'year';
      if (isYearly) yearly = tariff.net_metering ?? undefined;
      for (const [band, { imported, exported }] of bands) {
        const key = keyOf(tariff, band);
        const before = balances.get(key) ?? NO_BALANCE;
        const after: Balance = {
          imported: before.imported + imported,
          exported: before.exported + exported,
          cost: before.cost + imported * (tariff.import[band]?.price ?? 0),
        };
        sum.importCost += dueOf(after) - dueOf(before);
        balances.set(key, isYearly ? after : { ...NO_BALANCE, exported: surplusOf(after) });
      }
    }
    const last = nextDay(month, 'month') - 1;
    const netMetering = this.#known(last)?.tariff.net_metering ?? yearly;
    if (netMetering !== undefined && startOfDay(last + 1, zone) <= nowMs) {
      const isLast = netMetering.settled === 'year' && !isNetMetered(this.#known(last + 1)?.tariff);
      if (isLast || netMetering.year_ends === monthOf(month)) {
        for (const balance of balances.values())
          sum.exportEarnings += surplusOf(balance) * netMetering.surplus_price;
        balances.clear();
      }
    }
    this.#balancesAfter.set(month, balances);
  }

  /** The balances that the months before have left, from the first one that is known. */
  #balancesInto(month: LocalDay): Balances {
    const { since, zone } = this.#options;
    const first = firstDay(localDay(since, zone), 'month');
    const missing: LocalDay[] = [];
    let before = firstDay(month - 1, 'month');
    while (before >= first && !this.#balancesAfter.has(before)) {
      const last = this.#known(nextDay(before, 'month') - 1)?.tariff;
      // Nothing is carried into a new year, or from a contract without net metering.
      if (!isNetMetered(last) || last?.net_metering?.year_ends === monthOf(before)) break;
      missing.push(before);
      before = firstDay(before - 1, 'month');
    }
    for (const each of missing.toReversed()) this.#addNetMetering(nothing(), each);
    return this.#balancesAfter.get(firstDay(month - 1, 'month')) ?? NO_BALANCES;
  }

  /** kWh of the net-metered tariffs of a month, by their places and bands. */
  #metered(month: LocalDay): ReadonlyMap<number, ReadonlyMap<number, Metered>> {
    const { zone, nowMs } = this.#options;
    const byTariff = new Map<number, Map<number, Metered>>();
    const endMs = Math.min(startOfDay(nextDay(month, 'month'), zone), nowMs);
    for (const [hour, amounts] of this.#options.hours(startOfDay(month, zone), endMs)) {
      const day = this.#dayOf(hour);
      if (day === undefined || !isNetMetered(day.tariff)) continue;
      const bands = byTariff.get(day.index) ?? new Map<number, Metered>();
      byTariff.set(day.index, bands);
      const band = bandAt(day.tariff.import, day, this.#days.hourOf(day, hour));
      const metered = bands.get(band) ?? { imported: 0, exported: 0 };
      bands.set(band, metered);
      metered.imported += kwh(amounts.grid_in);
      metered.exported += kwh(amounts.grid_out);
    }
    return byTariff;
  }

  #dayOf(hour: LocalHour): TariffDay | undefined {
    return this.#known(localDay(hour, this.#options.zone));
  }

  /** Undefined where no tariff in this currency applies. */
  #known(date: LocalDay): TariffDay | undefined {
    const day = this.#days.on(date);
    return day?.tariff.currency === this.currency ? day : undefined;
  }
}

function isNetMetered(tariff: Tariff | undefined): boolean {
  return tariff?.net_metering !== undefined && tariff.net_metering !== null;
}

function isSettledByBill(tariff: Tariff): boolean {
  return isNetMetered(tariff) || tariff.export_limit === 'import_cost';
}

/** The cost of imports that no export pays for. */
function dueOf({ imported, exported, cost }: Balance): number {
  return imported > exported ? (cost * (imported - exported)) / imported : 0;
}

/** kWh of exports that no import has used. */
function surplusOf({ imported, exported }: Balance): number {
  return Math.max(0, exported - imported);
}

/** Bands of two tariffs are the same by their name, or by their place. */
function keyOf(tariff: Tariff, band: number): string {
  return tariff.import[band]?.name ?? String(band);
}

function monthOf(day: LocalDay): number {
  return new Date(day * 24 * 60 * 60 * 1000).getUTCMonth() + 1;
}

function kwh(halfWms: number | undefined): number {
  return (halfWms ?? 0) / (HALF_WMS_PER_WH * 1000);
}
