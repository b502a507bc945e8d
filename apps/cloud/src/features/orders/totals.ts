import type { Address, ShopTerms, TaxCategory, TaxLine, TaxRate } from '@heliograph/contracts';

/** A product that is ordered. Amounts are in the smallest unit of one currency. */
export interface OrderedProduct {
  readonly unitPrice: number;
  readonly quantity: number;
  readonly taxCategory: TaxCategory;
}

export interface LineTotals {
  readonly subtotal: number;
  readonly taxRate: string;
  readonly tax: number;
  readonly total: number;
}

export interface OrderTotals {
  readonly lines: readonly LineTotals[];
  readonly subtotal: number;
  readonly shipping: number;
  readonly tax: number;
  readonly total: number;
  readonly taxLines: readonly TaxLine[];
}

interface AppliedRate {
  readonly name: string;
  readonly rate: string;
}

const NO_TAX: AppliedRate = { name: '', rate: '0' };

/** @param shipping what delivery costs, which is taxed as `standard` */
export function totalsOf(
  products: readonly OrderedProduct[],
  shipping: number,
  terms: ShopTerms,
  addressee: Pick<Address, 'country' | 'region' | 'vat_number'> | null,
): OrderTotals {
  const { prices_include_tax: isIncluded } = terms;
  const charged = [
    ...products.map(({ unitPrice, quantity, taxCategory }) => ({
      subtotal: unitPrice * quantity,
      applied: rateFor(taxCategory, terms, addressee),
    })),
    { subtotal: shipping, applied: rateFor('standard', terms, addressee) },
  ].map(({ subtotal, applied }) => ({ subtotal, applied, tax: taxOf(subtotal, applied.rate, isIncluded) }));
  const lines = charged.slice(0, -1).map(({ subtotal, applied, tax }) => ({
    subtotal,
    taxRate: applied.rate,
    tax,
    total: isIncluded ? subtotal : subtotal + tax,
  }));
  const subtotal = sum(lines.map((line) => line.subtotal));
  const tax = sum(charged.map((line) => line.tax));
  const total = subtotal + shipping + (isIncluded ? 0 : tax);
  return { lines, subtotal, shipping, tax, total, taxLines: taxLinesOf(charged) };
}

/**
 * The tax on an amount, in whole units, rounded half up.
 *
 * @param rate a decimal fraction, read digit by digit
 * @param isIncluded whether the amount has the tax in it
 */
export function taxOf(amount: number, rate: string, isIncluded: boolean): number {
  const [whole = '0', fraction = ''] = rate.split('.');
  const one = 10n ** BigInt(fraction.length);
  const share = BigInt(whole + fraction);
  const base = isIncluded ? one + share : one;
  return Number((2n * BigInt(amount) * share + base) / (2n * base));
}

function rateFor(
  category: TaxCategory,
  { tax_rates: rates, country: home, reverse_charge: isReversible }: ShopTerms,
  addressee: Pick<Address, 'country' | 'region' | 'vat_number'> | null,
): AppliedRate {
  const country = addressee?.country ?? home;
  if (category === 'exempt' || country === null) return NO_TAX;
  const isOf = (rate: TaxRate) => rate.country === country && rate.category === category;
  const region = addressee?.region?.toLowerCase();
  const rate =
    rates.find((one) => isOf(one) && one.region !== null && one.region.toLowerCase() === region) ??
    rates.find((one) => isOf(one) && one.region === null);
  if (rate === undefined) return NO_TAX;
  const isReversed = isReversible && country !== home && hasVatNumberOf(country, addressee?.vat_number);
  return isReversed ? { name: `${rate.name} (reverse charge)`, rate: '0' } : rate;
}

/** Whether a text has the form of a VAT number; Greece writes EL where ISO 3166 has GR. */
function hasVatNumberOf(country: string, text: string | null | undefined): boolean {
  const prefix = country === 'GR' ? 'EL' : country;
  const number = (text ?? '').replaceAll(/[\s.-]/g, '').toUpperCase();
  return new RegExp(`^${prefix}[0-9A-Z]{7,13}$`).test(number);
}

function taxLinesOf(
  charged: readonly { readonly applied: AppliedRate; readonly subtotal: number; readonly tax: number }[],
): TaxLine[] {
  const lines = new Map<string, TaxLine>();
  for (const { applied, subtotal, tax } of charged) {
    if (applied.name === '' || subtotal === 0) continue;
    const key = `${applied.name} ${applied.rate}`;
    const amount = (lines.get(key)?.amount ?? 0) + tax;
    lines.set(key, { name: applied.name, rate: applied.rate, amount });
  }
  return [...lines.values()];
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
