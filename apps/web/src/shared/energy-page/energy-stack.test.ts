import { describe, expect, it } from 'vitest';
import { scaleLines } from './energy-stack.ts';

describe('the scale of energy', () => {
  it.each([
    [0, 0, [0]],
    [4, 0, [0, 1, 2, 3, 4]],
    [1.7, 3.2, [-4, -2, 0, 2]],
    [0.03, 0, [0, 0.01, 0.02, 0.03]],
    [0.0006, 0.0024, [-0.01, 0, 0.01]],
    [950, 310, [-500, 0, 500, 1000]],
  ])('a scale for %d kWh above and %d below has lines at round numbers', (up, down, lines) => {
    expect(scaleLines(up, down)).toEqual(lines);
  });
});
