/** A quantity as a reader sees it: the number by their locale, and the unit that keeps it short. */
export interface FormattedQuantity {
  readonly number: string;
  readonly unit: string;
}

/** From here on a power in W is shown in kW, and in MW. */
const KILO = 1_000;
const MEGA = 1_000_000;

const formats = new Map<string, Intl.NumberFormat>();

/** Making a format takes longer than using it a thousand times. */
function formatOf(locale: string, digits: number): Intl.NumberFormat {
  const key = `${locale} ${digits}`;
  const known = formats.get(key);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  formats.set(key, format);
  return format;
}

/**
 * A power, always with the unit that keeps it short: 940 W, 1.24 kW, 1.20 MW.
 *
 * @param watts may be negative
 * @param locale BCP 47
 */
export function formatPower(watts: number, locale: string): FormattedQuantity {
  const size = Math.abs(watts);
  if (size < KILO - 0.5)
    return { number: formatOf(locale, 0).format(positiveZero(Math.round(watts))), unit: 'W' };
  if (size < MEGA) return { number: formatOf(locale, 2).format(watts / KILO), unit: 'kW' };
  return { number: formatOf(locale, 2).format(watts / MEGA), unit: 'MW' };
}

/** An energy: two digits below ten, one below a hundred, none above. @param kilowattHours may be negative */
export function formatEnergy(kilowattHours: number, locale: string): FormattedQuantity {
  const size = Math.abs(kilowattHours);
  if (size >= 10_000) return { number: formatOf(locale, 1).format(kilowattHours / KILO), unit: 'MWh' };
  const digits = size < 10 ? 2 : size < 100 ? 1 : 0;
  return { number: formatOf(locale, digits).format(kilowattHours), unit: 'kWh' };
}

/** Any other number, with the digits that it has, at most three. */
export function formatNumber(value: number, locale: string): string {
  const digits = Math.min(3, `${value}`.split('.')[1]?.length ?? 0);
  return formatOf(locale, digits).format(value);
}

function positiveZero(value: number): number {
  return value === 0 ? 0 : value;
}
