import fc from 'fast-check';
import { expect, it } from 'vitest';
import { currencyOf, formatMoney, formatRate, moneyOf, moneyText, priceText } from './currencies.ts';

it.each([
  ['229.00', 'USD', 22_900],
  ['229', 'USD', 22_900],
  ['229.9', 'USD', 22_990],
  ['0.07', 'EUR', 7],
  ['0', 'EUR', 0],
  ['25000', 'JPY', 25_000],
  ['1.005', 'KWD', 1_005],
  // Floating point makes 114.99 * 100 11498.999….
  ['114.99', 'USD', 11_499],
])('%s %s is %i of the smallest unit', (text, currency, amount) => {
  expect(moneyOf(text, currency)).toEqual({ amount, currency });
});

it.each([
  ['229.001', 'USD'],
  ['1.5', 'JPY'],
  ['-1', 'USD'],
  ['1e3', 'USD'],
  ['1,000', 'USD'],
  ['', 'USD'],
  ['.5', 'USD'],
  ['10000000001', 'USD'],
])('%j is no price in %s', (text, currency) => {
  expect(moneyOf(text, currency)).toBeUndefined();
});

it('a price that is written is read as the same', () => {
  const currencies = fc.constantFrom('USD', 'JPY', 'KWD', 'EUR', 'VND');
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_000_000_000_000 }), currencies, (amount, currency) => {
      expect(moneyOf(priceText({ amount, currency }), currency)).toEqual({ amount, currency });
    }),
  );
});

it('a currency is a code of ISO 4217, in any letter case', () => {
  expect(['usd', 'EUR', 'XYZ', 'dollar', ''].map(currencyOf)).toEqual([
    'USD',
    'EUR',
    undefined,
    undefined,
    undefined,
  ]);
  expect(moneyText({ amount: 7, currency: 'USD' })).toBe('USD 0.07');
});

it.each([
  [{ amount: 22_900, currency: 'USD' }, 'en', '$229.00'],
  [{ amount: 22_900, currency: 'EUR' }, 'de', '229,00\u00a0€'],
  [{ amount: 25_000, currency: 'JPY' }, 'en', '¥25,000'],
  [{ amount: 1_005, currency: 'KWD' }, 'en', 'KWD\u00a01.005'],
  [{ amount: 999_999_999_999, currency: 'EUR' }, 'en', '€9,999,999,999.99'],
])('%j is written in the language %s as %s', (money, locale, text) => {
  expect(formatMoney(money, locale)).toBe(text);
});

it('a rate of tax is written as a percentage with all its digits', () => {
  expect([formatRate('0.19', 'en'), formatRate('0.0725', 'en'), formatRate('0', 'en')]).toEqual([
    '19%',
    '7.25%',
    '0%',
  ]);
});
