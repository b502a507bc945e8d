import type { Tariff } from '@heliograph/contracts';
import { describe, expect, it } from 'vitest';
import { parsePrice, simplePrices, tariffOf, usualSettlement } from './simple-prices.ts';

const FLAT: Tariff = {
  valid_from: '2026-01-01',
  currency: 'EUR',
  import: [{ price: 0.3 }],
  export: [{ price: 0.05 }],
  fixed_charges: [],
};

function saved(tariff: Tariff, zone: string): Tariff | undefined {
  const prices = simplePrices(tariff, zone);
  return prices && tariffOf(prices);
}

it.each([
  ['0.30', 0.3],
  [' 0,30 ', 0.3],
  ['０．３０', 0.3],
  ['0。30', 0.3],
  ['\u200e0.30\u202f', 0.3],
  ['−0.05', -0.05],
  ['', Number.NaN],
  ['\u200b', Number.NaN],
  ['free', Number.NaN],
  ['0.3²', Number.NaN],
])('the text %j is the price %d', (text, price) => {
  expect(parsePrice(text)).toBe(price);
});

describe('net metering in the form of prices', () => {
  it.each([
    ['Europe/Amsterdam', 'year'],
    ['Europe/Budapest', 'year'],
    ['Europe/Berlin', 'month'],
    ['America/New_York', 'month'],
  ])('a new contract in %s is settled by the %s', (zone, settled) => {
    expect(usualSettlement(zone)).toBe(settled);
    expect(simplePrices(FLAT, zone)).toMatchObject({ netMetering: false, settled });
  });

  it.each([
    ['that names no period', {}],
    ['that is settled by the year', { settled: 'year' }],
  ] as const)('a saved contract %s stays as it is in every zone', (_what, period) => {
    const net_metering = { ...period, surplus_price: 0.05, year_ends: 5 };
    const tariff = { ...FLAT, net_metering };
    expect(saved(tariff, 'Europe/Amsterdam')).toEqual(tariff);
    expect(saved(tariff, 'America/New_York')).toEqual(tariff);
  });

  it('a contract without net metering is saved without it', () => {
    expect(saved(FLAT, 'Europe/Amsterdam')).toEqual(FLAT);
  });
});
