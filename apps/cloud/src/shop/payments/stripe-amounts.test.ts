import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fromStripe, toStripe } from './stripe-amounts.ts';

it.each([
  [{ amount: 22_900, currency: 'USD' }, 22_900],
  [{ amount: 500, currency: 'JPY' }, 500],
  [{ amount: 5, currency: 'ISK' }, 500],
  [{ amount: 50_000, currency: 'MGA' }, 500],
  [{ amount: 50_001, currency: 'MGA' }, undefined],
  [{ amount: 5_120, currency: 'KWD' }, 5_120],
  [{ amount: 5_124, currency: 'KWD' }, undefined],
  [{ amount: 500, currency: 'UGX' }, undefined],
  [{ amount: 0, currency: 'USD' }, undefined],
  [{ amount: 100_000_000, currency: 'USD' }, undefined],
])('%j is %s at Stripe', (money, expected) => {
  expect(toStripe(money)).toBe(expected);
});

it('an amount that Stripe takes comes back as it was', () => {
  const currency = fc.constantFrom('USD', 'EUR', 'JPY', 'ISK', 'MGA', 'KWD', 'TND', 'KRW', 'CHF');
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999 }), currency, (amount, code) => {
      const sent = toStripe({ amount, currency: code });
      fc.pre(sent !== undefined);
      expect(fromStripe(sent, code.toLowerCase())).toEqual({ amount, currency: code });
    }),
  );
});

it.each([
  [null, 'usd'],
  [100, null],
  [100, 'xxx-'],
  [150, 'isk'],
])('an amount of %s %s cannot be one that Stripe was to take', (amount, currency) => {
  expect(fromStripe(amount, currency)).toBeUndefined();
});
