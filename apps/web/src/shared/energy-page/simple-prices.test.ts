import { expect, it } from 'vitest';
import { parsePrice } from './simple-prices.ts';

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
