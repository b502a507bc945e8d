import type { Money } from './money.ts';

/** Larger amounts are no prices, and their sums would leave the whole numbers of a double. */
export const MAX_AMOUNT = 1_000_000_000_000;

/**
 * Digits behind the point where they are not two (ISO 4217, list one). A table, since amounts are stored: `Intl` has the
 * digits that people use, which differ for some currencies and between releases.
 */
const DIGITS: Readonly<Record<string, number>> = {
  ...digits(0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'),
  ...digits(3, 'BHD IQD JOD KWD LYD OMR TND'),
  ...digits(4, 'CLF UYW'),
};

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'));

function digits(count: number, currencies: string): Record<string, number> {
  return Object.fromEntries(currencies.split(' ').map((currency) => [currency, count]));
}

/** Digits behind the point: two of the dollar, none of the yen. */
export function currencyDigits(currency: string): number {
  return DIGITS[currency] ?? 2;
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
  const count = currencyDigits(currency);
  if (whole === undefined || fraction.length > count) return undefined;
  const amount = Number(whole + fraction.padEnd(count, '0'));
  return amount > MAX_AMOUNT ? undefined : { amount, currency };
}

/** As {@link moneyOf} reads it, with its currency: `USD 229.00`. */
export function moneyText({ amount, currency }: Money): string {
  return `${currency} ${priceText({ amount, currency })}`;
}

/** As {@link moneyOf} reads it: `229.00`. */
export function priceText({ amount, currency }: Money): string {
  const count = currencyDigits(currency);
  const text = String(amount).padStart(count + 1, '0');
  return count === 0 ? text : `${text.slice(0, -count)}.${text.slice(-count)}`;
}

/**
 * As people of a place write it.
 *
 * @param locale BCP 47
 * @param display the currency's sign, such as $, or its code
 */
export function formatMoney(money: Money, locale: string, display: 'symbol' | 'code' = 'symbol'): string {
  const { currency } = money;
  const digits = currencyDigits(currency);
  const format = new Intl.NumberFormat(locale, {
    style: 'currency',
    currency,
    currencyDisplay: display,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
  // A text, so that no digit goes through floating point.
  return format.format(priceText(money) as `${number}`);
}

/** A rate of tax as people of a place write it: `7.25%`. @param rate a decimal fraction @param locale BCP 47 */
export function formatRate(rate: string, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 4 }).format(
    rate as `${number}`,
  );
}
