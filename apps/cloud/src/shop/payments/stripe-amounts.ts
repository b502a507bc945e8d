import { currencyDigits, currencyOf, type Money } from '@heliograph/contracts';

/** Digits of Stripe's smallest unit where they differ from ISO 4217 (docs.stripe.com/currencies). */
const STRIPE_DIGITS: Readonly<Record<string, number>> = { MGA: 0, ISK: 2 };

/** Currencies with units of which Stripe's own pages disagree, or which it does not take. */
const NOT_TAKEN: ReadonlySet<string> = new Set(['UGX', 'CLF', 'UYW', 'UYI', 'IQD', 'LYD']);

/** Stripe takes eight digits. */
const MAX_STRIPE_AMOUNT = 99_999_999;

/** @returns undefined for what Stripe does not take: currencies with three digits end in 0 there */
export function toStripe({ amount, currency }: Money): number | undefined {
  if (NOT_TAKEN.has(currency)) return undefined;
  const scaled = amount * 10 ** shiftOf(currency);
  const isTaken =
    Number.isInteger(scaled) &&
    scaled > 0 &&
    scaled <= MAX_STRIPE_AMOUNT &&
    (currencyDigits(currency) < 3 || scaled % 10 === 0);
  return isTaken ? scaled : undefined;
}

/** @returns undefined for a currency that Stripe is never asked to take, and what is no whole number of its units */
export function fromStripe(amount: number | null, code: string | null): Money | undefined {
  const currency = currencyOf(code ?? '');
  if (amount === null || currency === undefined || NOT_TAKEN.has(currency)) return undefined;
  const scaled = amount / 10 ** shiftOf(currency);
  return Number.isInteger(scaled) ? { amount: scaled, currency } : undefined;
}

function shiftOf(currency: string): number {
  const digits = currencyDigits(currency);
  return (STRIPE_DIGITS[currency] ?? digits) - digits;
}
