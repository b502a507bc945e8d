import type { ShopTerms } from '@heliograph/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type OrderedProduct, taxOf, totalsOf } from './totals.ts';

const TERMS: ShopTerms = {
  prices_include_tax: false,
  country: 'DE',
  reverse_charge: true,
  tax_rates: [
    { country: 'DE', region: null, category: 'standard', name: 'VAT', rate: '0.19' },
    { country: 'DE', region: null, category: 'reduced', name: 'VAT', rate: '0.07' },
    { country: 'FR', region: null, category: 'standard', name: 'TVA', rate: '0.2' },
    { country: 'GR', region: null, category: 'standard', name: 'FPA', rate: '0.24' },
    { country: 'US', region: 'CA', category: 'standard', name: 'Sales tax', rate: '0.0725' },
    { country: 'US', region: null, category: 'standard', name: 'Sales tax', rate: '0' },
  ],
  shipping: [],
};

const to = (country: string, more: { region?: string; vat_number?: string } = {}) => ({
  country,
  region: more.region ?? null,
  vat_number: more.vat_number ?? null,
});

const device = { unitPrice: 10_000, quantity: 2, taxCategory: 'standard' } as const;
const book = { unitPrice: 1_000, quantity: 1, taxCategory: 'reduced' } as const;
const gift = { unitPrice: 500, quantity: 1, taxCategory: 'exempt' } as const;

describe('the tax on an amount', () => {
  it.each([
    [10_000, '0.19', false, 1_900],
    [11_900, '0.19', true, 1_900],
    // Half a cent is rounded up.
    [50, '0.05', false, 3],
    [30, '0.05', false, 2],
    [29, '0.05', false, 1],
    [999_999_999_999, '0.0725', false, 72_500_000_000],
    [100, '0', true, 0],
  ])('the tax on %i at %s (included: %s) is %i', (amount, rate, isIncluded, tax) => {
    expect(taxOf(amount, rate, isIncluded)).toBe(tax);
  });

  it('tax that is in a price is what would come on top of the rest, to a unit of rounding', () => {
    const rates = fc.constantFrom('0.19', '0.2', '0.077', '0.0725', '0');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), rates, (gross, rate) => {
        const tax = taxOf(gross, rate, true);
        expect(Math.abs(taxOf(gross - tax, rate, false) - tax)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

describe('the totals of an order', () => {
  it('taxes come on top of prices, by name and rate', () => {
    expect(totalsOf([device, book, gift], 500, TERMS, to('DE'))).toEqual({
      lines: [
        { ...device, subtotal: 20_000, taxRate: '0.19', tax: 3_800, total: 23_800 },
        { ...book, subtotal: 1_000, taxRate: '0.07', tax: 70, total: 1_070 },
        { ...gift, subtotal: 500, taxRate: '0', tax: 0, total: 500 },
      ],
      subtotal: 21_500,
      shipping: 500,
      tax: 3_965,
      total: 25_965,
      taxLines: [
        { name: 'VAT', rate: '0.19', amount: 3_895 },
        { name: 'VAT', rate: '0.07', amount: 70 },
      ],
    });
  });

  it('prices that include taxes stay what is paid', () => {
    const { total, tax } = totalsOf([device], 0, { ...TERMS, prices_include_tax: true }, to('DE'));
    expect({ total, tax }).toEqual({ total: 20_000, tax: 3_193 });
  });

  it.each([
    ['the country of the seller without an address', null, 3_800],
    ['the country of the buyer', to('FR'), 4_000],
    ['the region of the buyer, in any letter case', to('US', { region: 'ca' }), 1_450],
    ['the rest of that country', to('US', { region: 'TX' }), 0],
    ['a country without a rate', to('CH'), 0],
    ['a business of another country', to('FR', { vat_number: 'FR 40 303 265 045' }), 0],
    ['a business of the own country', to('DE', { vat_number: 'DE136695976' }), 3_800],
    ['a business whose number has dots and small letters', to('FR', { vat_number: 'fr.40-303 265.045' }), 0],
    ['a business whose number is typed in full width', to('FR', { vat_number: 'ＦＲ　４０–303 265 045' }), 0],
    ['a business of Greece, whose numbers begin with EL', to('GR', { vat_number: 'EL123456789' }), 0],
    ['a business of Greece, by the letters of the country', to('GR', { vat_number: 'GR123456789' }), 0],
    ['a business without the letters of its country', to('FR', { vat_number: '40303265045' }), 0],
    ['a number with more before it', to('FR', { vat_number: 'XFR40303265045' }), 4_000],
    ['a number with more after it', to('FR', { vat_number: 'FR40303265045678' }), 4_000],
    ["a business with another country's number", to('FR', { vat_number: 'DE136695976' }), 4_000],
  ])('the tax is that of %s', (_rule, addressee, tax) => {
    expect(totalsOf([device], 0, TERMS, addressee).tax).toBe(tax);
  });

  it('a seller without reverse charges takes the tax of businesses abroad', () => {
    const terms = { ...TERMS, reverse_charge: false };
    expect(totalsOf([device], 0, terms, to('FR', { vat_number: 'FR40303265045' })).tax).toBe(4_000);
  });

  it('a bill has a line for each name and rate of a tax, and none for a parcel that costs nothing', () => {
    const terms = {
      ...TERMS,
      tax_rates: [
        { country: 'DE', region: null, category: 'standard', name: 'VAT', rate: '0.1' },
        { country: 'DE', region: null, category: 'reduced', name: 'Levy', rate: '0.1' },
      ],
    } as const;
    const levy = { name: 'Levy', rate: '0.1', amount: 100 };
    expect(totalsOf([book], 0, terms, to('DE')).taxLines).toEqual([levy]);
    const vat = { name: 'VAT', rate: '0.1', amount: 2_000 };
    expect(totalsOf([device, book], 0, terms, to('DE')).taxLines).toEqual([vat, levy]);
  });

  it('a reverse charge is named on the bill', () => {
    const { taxLines } = totalsOf([device], 0, TERMS, to('FR', { vat_number: 'FR40303265045' }));
    expect(taxLines).toEqual([{ name: 'TVA (reverse charge)', rate: '0', amount: 0 }]);
  });

  const licence = { unitPrice: 999, quantity: 1, taxCategory: 'standard' } as const;

  it.each<[string, readonly OrderedProduct[], readonly number[]]>([
    ['three products', [licence, licence, licence], [190, 190, 189]],
    ['one product three times', [{ ...licence, quantity: 3 }], [569]],
    ['one product and the same twice', [licence, { ...licence, quantity: 2 }], [190, 379]],
    // 549.25, 0.38, 18.99 and 0.38: the two units that rounding down leaves go to the largest remainders.
    [
      'products of different prices',
      [2_893, 2, 100, 2].map((unitPrice) => ({ ...licence, unitPrice })),
      [549, 1, 19, 0],
    ],
  ])('the tax is that of the sum of its rate, for %s', (_how, products, taxes) => {
    const totals = totalsOf(products, 0, TERMS, to('DE'));
    expect(totals).toMatchObject({ subtotal: 2_997, tax: 569, total: 3_566 });
    expect(totals.taxLines).toEqual([{ name: 'VAT', rate: '0.19', amount: 569 }]);
    expect(totals.lines.map(({ tax }) => tax)).toEqual(taxes);
    expect(totals.lines.map(({ subtotal, total }) => total - subtotal)).toEqual(taxes);
  });

  it('delivery is in the sum of its rate', () => {
    const { tax, lines } = totalsOf([licence], 999, TERMS, to('DE'));
    // 19 % of 19.98, and not twice 19 % of 9.99.
    expect([tax, lines[0]?.tax]).toEqual([380, 190]);
    expect(totalsOf([licence, licence], 999, TERMS, to('DE')).tax).toBe(569);
  });

  it('tax that is in prices is that of their sum, too', () => {
    const included = { ...TERMS, prices_include_tax: true };
    // 19/119 of 30.03 is 4.79, while three times 19/119 of 10.01 are 4.80.
    const product = { ...licence, unitPrice: 1_001 };
    expect(totalsOf([product, product, product], 0, included, to('DE'))).toMatchObject({
      tax: 479,
      total: 3_003,
    });
  });

  it('amounts of an order add up', () => {
    const products = fc.array(
      fc.record({
        unitPrice: fc.nat(1_000_000),
        quantity: fc.integer({ min: 1, max: 100 }),
        taxCategory: fc.constantFrom('standard', 'reduced', 'exempt'),
      }),
      { minLength: 1, maxLength: 10 },
    );
    fc.assert(
      fc.property(products, fc.nat(10_000), fc.boolean(), (ordered, shipping, isIncluded) => {
        const totals = totalsOf(ordered, shipping, { ...TERMS, prices_include_tax: isIncluded }, to('DE'));
        const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
        expect(sum(totals.taxLines.map(({ amount }) => amount))).toBe(totals.tax);
        expect(totals.total).toBe(totals.subtotal + shipping + (isIncluded ? 0 : totals.tax));
        const standard = totals.lines.filter(({ taxCategory }) => taxCategory === 'standard');
        const taxable = shipping + sum(standard.map(({ subtotal }) => subtotal));
        const line = totals.taxLines.find(({ rate }) => rate === '0.19');
        expect(line?.amount ?? 0).toBe(taxOf(taxable, '0.19', isIncluded));
        for (const { subtotal, taxRate, tax } of totals.lines)
          expect(Math.abs(tax - taxOf(subtotal, taxRate, isIncluded))).toBeLessThanOrEqual(1);
      }),
    );
  });
});
