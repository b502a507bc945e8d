import type { Money } from '@heliograph/contracts';

/** Amounts beyond this are no prices, and their sums would leave the whole numbers of a double. */
const MAX_AMOUNT = 1_000_000_000_000;

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

/** Digits behind the point: two of the dollar, none of the yen. */
function digitsOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

/** @returns undefined for a code that is no currency of ISO 4217 */
export function currencyOf(code: string): string | undefined {
  const currency = code.toUpperCase();
  return CURRENCIES.has(currency) ? currency : undefined;
}

/**
 * A price as people write it, such as `229.00`, digit by digit: floating point would lose cents.
 *
 * @returns undefined for a text that is no price, and one with more digits than the currency has
 */
export function moneyOf(text: string, currency: string): Money | undefined {
  const [, whole, fraction = ''] = /^(\d{1,13})(?:\.(\d+))?$/.exec(text) ?? [];
  const digits = digitsOf(currency);
  if (whole === undefined || fraction.length > digits) return undefined;
  const amount = Number(whole + fraction.padEnd(digits, '0'));
  return amount > MAX_AMOUNT ? undefined : { amount, currency };
}

/** As {@link moneyOf} reads it, with its currency: `USD 229.00`. */
export function moneyText({ amount, currency }: Money): string {
  return `${currency} ${priceText({ amount, currency })}`;
}

/** As {@link moneyOf} reads it: `229.00`. */
export function priceText({ amount, currency }: Money): string {
  const digits = digitsOf(currency);
  const text = String(amount).padStart(digits + 1, '0');
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
}
