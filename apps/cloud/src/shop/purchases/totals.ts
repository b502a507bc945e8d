import type { Address, ShopTerms, TaxCategory, TaxLine, TaxRate } from '@heliograph/contracts';
import { vatNumberOf } from '@heliograph/contracts/vat-numbers';

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

export interface OrderTotals<Product extends OrderedProduct> {
  readonly lines: readonly (Product & LineTotals)[];
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

/** An amount and the rate of its tax. */
interface Charge {
  readonly subtotal: number;
  readonly applied: AppliedRate;
}

interface TaxedCharge extends Charge {
  readonly tax: number;
}

const NO_TAX: AppliedRate = { name: '', rate: '0' };

/**
 * The tax of a rate is computed from the sum of what has the rate (EN 16931, BR-CO-17); each line has its share of it.
 *
 * @param shipping what delivery costs, which is taxed as `standard`
 */
export function totalsOf<Product extends OrderedProduct>(
  products: readonly Product[],
  shipping: number,
  terms: ShopTerms,
  addressee: Pick<Address, 'country' | 'region' | 'vat_number'> | null,
): OrderTotals<Product> {
  const { prices_include_tax: isIncluded } = terms;
  const charge = (subtotal: number, category: TaxCategory): Charge => ({
    subtotal,
    applied: rateFor(category, terms, addressee),
  });
  const charges = taxed(
    [
      ...products.map(({ unitPrice, quantity, taxCategory }) => charge(unitPrice * quantity, taxCategory)),
      charge(shipping, 'standard'),
    ],
    isIncluded,
  );
  const lines = products.map((product, i) => {
    const { subtotal, applied, tax } = charges[i] as TaxedCharge;
    return {
      ...product,
      subtotal,
      taxRate: applied.rate,
      tax,
      total: isIncluded ? subtotal : subtotal + tax,
    };
  });
  const subtotal = sum(lines.map((line) => line.subtotal));
  const tax = sum(charges.map((one) => one.tax));
  const total = subtotal + shipping + (isIncluded ? 0 : tax);
  return { lines, subtotal, shipping, tax, total, taxLines: taxLinesOf(charges) };
}

/** Charges with their taxes, which add up to the tax on the sum of each rate. */
function taxed(charges: readonly Charge[], isIncluded: boolean): readonly TaxedCharge[] {
  const taxes = new Map<Charge, number>();
  for (const group of Map.groupBy(charges, ({ applied }) => keyOf(applied)).values()) {
    const rate = group[0]?.applied.rate ?? '0';
    const subtotals = group.map(({ subtotal }) => subtotal);
    const shares = sharesOf(taxOf(sum(subtotals), rate, isIncluded), subtotals);
    for (const [i, charge] of group.entries()) taxes.set(charge, shares[i] ?? 0);
  }
  return charges.map((charge) => ({ ...charge, tax: taxes.get(charge) ?? 0 }));
}

/** A whole amount shared out in proportion to others: each rounded down, then units to the largest remainders, the first first. */
function sharesOf(whole: number, amounts: readonly number[]): readonly number[] {
  // Of nothing, each has nothing.
  const total = BigInt(sum(amounts) || 1);
  const products = amounts.map((amount) => BigInt(whole) * BigInt(amount));
  const shares = products.map((product) => Number(product / total));
  const remainders = products.map((product, i) => ({ i, left: product % total }));
  remainders.sort((a, b) => Number(b.left - a.left));
  const missing = whole - sum(shares);
  for (const { i } of remainders.slice(0, missing)) shares[i] = (shares[i] ?? 0) + 1;
  return shares;
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
  const number = vatNumberOf(country, addressee?.vat_number ?? '');
  const isReversed = isReversible && country !== home && number !== undefined;
  return isReversed ? { name: `${rate.name} (reverse charge)`, rate: '0' } : rate;
}

function taxLinesOf(charges: readonly TaxedCharge[]): TaxLine[] {
  const lines = new Map<string, TaxLine>();
  for (const { applied, subtotal, tax } of charges) {
    if (applied.name === '' || subtotal === 0) continue;
    const key = keyOf(applied);
    const amount = (lines.get(key)?.amount ?? 0) + tax;
    lines.set(key, { name: applied.name, rate: applied.rate, amount });
  }
  return [...lines.values()];
}

/** Taxes of one name and rate are one line of a bill. */
function keyOf({ name, rate }: AppliedRate): string {
  return `${name} ${rate}`;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
