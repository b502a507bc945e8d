import { expect, it } from 'vitest';
import { contrastRatio } from './contrast.ts';

it.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48],
  ['#ff0000', '#ffffff', 4],
  ['#ffffff', '#0000ff', 8.59],
])('%s against %s has a contrast of %f', (first, second, expected) => {
  expect(contrastRatio(first, second)).toBeCloseTo(expected, 2);
});
