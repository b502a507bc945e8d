import type { Tariff, TariffBand } from '@heliograph/contracts';
import { normalizeTyped } from '@heliograph/contracts/typed-text';

export type NetMeteringPeriod = 'month' | 'year';

export const DAY_CHOICES = ['everyDay', 'workdays', 'weekend'] as const;
export type DayChoice = (typeof DAY_CHOICES)[number];

const WEEKDAYS: Readonly<Record<DayChoice, readonly number[] | undefined>> = {
  everyDay: undefined,
  workdays: [1, 2, 3, 4, 5],
  weekend: [6, 7],
};

/** Hours with a price of their own, as a form has them: all texts. */
export interface PriceRow {
  readonly price: string;
  readonly from: string;
  readonly to: string;
  readonly days: DayChoice;
}

/** The prices that a form shows: of a kWh, and for a month. */
export interface SimplePrices {
  readonly validFrom: string;
  readonly currency: string;
  readonly importPrice: string;
  readonly exportPrice: string;
  readonly perMonth: string;
  readonly netMetering: boolean;
  readonly settled: NetMeteringPeriod;
  /** The last month of the year of net metering, from 1. */
  readonly yearEnds: string;
  readonly rows: readonly PriceRow[];
}

/** Time zones of countries whose net metering counts a year as a whole. */
const SETTLED_BY_YEAR: ReadonlySet<string> = new Set(['Europe/Amsterdam', 'Europe/Budapest']);

/** How contracts of a country settle net metering. @param zone IANA name of the time zone of the site */
export function usualSettlement(zone: string): NetMeteringPeriod {
  return SETTLED_BY_YEAR.has(zone) ? 'year' : 'month';
}

/**
 * The prices of a tariff as texts; undefined for one with more parts than a form shows.
 *
 * @param zone IANA name of the time zone of the site
 */
export function simplePrices(tariff: Tariff, zone: string): SimplePrices | undefined {
  const rest = tariff.import.slice(0, -1);
  const rows = rest.map(rowOf).filter((row) => row !== undefined);
  const [charge] = tariff.fixed_charges;
  const netMetering = tariff.net_metering ?? null;
  const isSimple =
    rows.length === rest.length &&
    tariff.export.length === 1 &&
    tariff.fixed_charges.length <= 1 &&
    (charge === undefined || charge.per === 'month') &&
    (tariff.holidays ?? []).length === 0 &&
    tariff.export_limit !== 'import_cost';
  if (!isSimple) return undefined;
  return {
    validFrom: tariff.valid_from,
    currency: tariff.currency,
    importPrice: String(tariff.import.at(-1)?.price ?? ''),
    exportPrice: String(tariff.export[0]?.price ?? ''),
    perMonth: String(charge?.amount ?? 0),
    netMetering: netMetering !== null,
    settled: netMetering === null ? usualSettlement(zone) : (netMetering.settled ?? 'month'),
    yearEnds: String(netMetering?.year_ends ?? 12),
    rows,
  };
}

function rowOf({
  price,
  months,
  weekdays,
  holidays,
  from_hour: from = 0,
  to_hour: to = 24,
}: TariffBand): PriceRow | undefined {
  const days = DAY_CHOICES.find((choice) => String(WEEKDAYS[choice]) === String(weekdays));
  if (months !== undefined || holidays !== undefined || days === undefined) return undefined;
  return { price: String(price), from: String(from), to: String(to), days };
}

/** A price as it is typed, with a comma or a point; NaN for another text. */
export function parsePrice(text: string): number {
  const plain = normalizeTyped(text);
  return plain === '' ? Number.NaN : Number(plain.replace(',', '.'));
}

export function tariffOf(prices: SimplePrices): Tariff {
  const perMonth = parsePrice(prices.perMonth);
  return {
    valid_from: prices.validFrom,
    currency: normalizeTyped(prices.currency).toUpperCase(),
    import: [...prices.rows.map(bandOf), { price: parsePrice(prices.importPrice) }],
    export: [{ price: parsePrice(prices.exportPrice) }],
    fixed_charges: perMonth === 0 ? [] : [{ amount: perMonth, per: 'month' }],
    // The rest of a year is paid at the price of exports.
    ...(prices.netMetering && {
      net_metering: {
        // Left out it is the month, as in the tariffs of earlier versions, which stay equal so.
        ...(prices.settled === 'year' && { settled: prices.settled }),
        surplus_price: parsePrice(prices.exportPrice),
        year_ends: Number(prices.yearEnds),
      },
    }),
  };
}

function bandOf({ price, from, to, days }: PriceRow): TariffBand {
  const weekdays = WEEKDAYS[days];
  const end = Number(to) === 0 ? 24 : Number(to);
  return {
    price: parsePrice(price),
    ...(weekdays !== undefined && { weekdays: [...weekdays] }),
    ...((Number(from) !== 0 || end !== 24) && { from_hour: Number(from), to_hour: end }),
  };
}

/** The list with a tariff in the place of the one of its first day, or as another one. */
export function withTariff(tariffs: readonly Tariff[], tariff: Tariff): Tariff[] {
  return [...tariffs.filter(({ valid_from: from }) => from !== tariff.valid_from), tariff];
}
