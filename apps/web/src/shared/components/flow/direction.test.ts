import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { directionOf, placesPerTick, strengthOf, thicknessOf } from './direction.ts';

it.each([
  [2_400, 1],
  [-2_400, -1],
  [9, 0],
  [-9, 0],
  [0, 0],
  [null, 0],
  [undefined, 0],
])('a power of %s W flows in direction %i', (powerW, direction) => {
  expect(directionOf(powerW)).toBe(direction);
});

describe('the look of a flow', () => {
  const watts = fc.integer({ min: -1_000_000, max: 1_000_000 });

  it('a larger power looks stronger, within bounds', () => {
    fc.assert(
      fc.property(watts, watts, (one, other) => {
        const [less = 0, more = 0] = [Math.abs(one), Math.abs(other)].toSorted((a, b) => a - b);
        expect(strengthOf(less)).toBeLessThanOrEqual(strengthOf(more));
        expect(placesPerTick(less)).toBeLessThanOrEqual(placesPerTick(more));
        expect([1, 2, 3]).toContain(placesPerTick(more));
        expect(thicknessOf(less)).toBeLessThanOrEqual(thicknessOf(more));
        expect(thicknessOf(more)).toBeLessThanOrEqual(6);
      }),
    );
  });

  it('the sign of a power does not change its strength', () => {
    expect(strengthOf(-800)).toBe(strengthOf(800));
  });
});
