import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalOf, nextNumber, parseNumber, typedNumber } from './numbers.ts';

/** The plain decimal numbers that a device accepts. */
const TAKEN = /^[+-]?(\d+(\.\d*)?|\.\d+)$/;
/** How far from a step it may be, as a part of the step. */
const TOLERANCE = 1e-6;

const CURRENT = { min: 0, max: 100, step: 1 };
const VOLTAGE = { min: 48, max: 58.4, step: 0.1 };

/** Bounds as inverters have them, with as many decimals as there are. */
const rules = fc
  .record({
    decimals: fc.integer({ min: 0, max: 3 }),
    min: fc.integer({ min: -100_000, max: 100_000 }),
    steps: fc.integer({ min: 1, max: 20_000 }),
    step: fc.integer({ min: 1, max: 500 }),
  })
  .map(({ decimals, min, steps, step }) => {
    const scale = 10 ** decimals;
    return { min: min / scale, max: (min + steps * step) / scale, step: step / scale, steps, decimals };
  });

describe('parseNumber', () => {
  it.each([
    ['20', CURRENT, '.', '20'],
    [' 20 ', CURRENT, '.', '20'],
    ['+20.', CURRENT, '.', '20'],
    ['−0', CURRENT, '.', '0'],
    ['48.3', VOLTAGE, '.', '48.3'],
    ['４８．３', VOLTAGE, '.', '48.3'],
    ['\u200e48,3', VOLTAGE, ',', '48.3'],
    ['48,3', VOLTAGE, ',', '48.3'],
    ['48,3', VOLTAGE, '.', '48.3'],
    ['57.09999999', VOLTAGE, '.', '57.1'],
    ['-50', { min: -32_000, max: 32_000, step: 10 }, '.', '-50'],
    ['1,000', { min: 0, max: 5, step: 0.001 }, ',', '1.000'],
    ['12.5', { min: -Infinity, max: Infinity, step: 0 }, '.', '12.5'],
  ])('the text "%s" is sent on its step', (text, rule, decimal, payload) => {
    expect(parseNumber(text, rule, decimal)).toMatchObject({ payload });
  });

  it.each([
    ['', CURRENT, 'notNumber'],
    ['ten', CURRENT, 'notNumber'],
    ['5²', CURRENT, 'notNumber'],
    ['1e1', CURRENT, 'notNumber'],
    ['10 A', CURRENT, 'notNumber'],
    ['1,0,0', CURRENT, 'notNumber'],
    ['101', CURRENT, 'outOfRange'],
    ['-1', CURRENT, 'outOfRange'],
    ['10.5', CURRENT, 'offStep'],
    ['48.35', VOLTAGE, 'offStep'],
  ])('the text "%s" is refused', (text, rule, problem) => {
    expect(parseNumber(text, rule, '.')).toBe(problem);
  });

  it('a text that could mean thousands is refused', () => {
    const power = { min: 0, max: 12_000, step: 1 };
    expect(parseNumber('1.000', power, ',')).toBe('notNumber');
    expect(parseNumber('1,000', power, '.')).toBe('notNumber');
  });

  it('every accepted number is one that the device accepts', () => {
    fc.assert(
      fc.property(rules, fc.nat(), fc.constantFrom('.', ','), ({ steps, decimals, ...rule }, at, decimal) => {
        const value = rule.min + (at % (steps + 1)) * rule.step;
        const read = parseNumber(value.toFixed(decimals).replace('.', decimal), rule, decimal);
        if (typeof read === 'string') throw new Error(`${value} is refused: ${read}`);
        const sent = Number(read.payload);
        const offset = (sent - rule.min) / rule.step;
        expect(read.payload).toMatch(TAKEN);
        expect(sent).toBeGreaterThanOrEqual(rule.min);
        expect(sent).toBeLessThanOrEqual(rule.max);
        expect(Math.abs(offset - Math.round(offset))).toBeLessThanOrEqual(TOLERANCE);
        expect(read.value).toBe(sent);
      }),
    );
  });

  it('a formatted number is parsed as itself', () => {
    fc.assert(
      fc.property(
        rules,
        fc.nat(),
        fc.constantFrom('en', 'de', 'fr', 'uk'),
        ({ steps, ...rule }, at, locale) => {
          const value = nextNumber(rule.min + (at % steps) * rule.step, 1, rule);
          const decimal = decimalOf(locale);
          expect(parseNumber(typedNumber(value, decimal), rule, decimal)).toMatchObject({ value });
        },
      ),
    );
  });
});

describe('nextNumber', () => {
  it.each([
    [20, 1, CURRENT, 21],
    [20, -1, CURRENT, 19],
    [100, 1, CURRENT, 100],
    [0, -1, CURRENT, 0],
    [400, 1, CURRENT, 100],
    [54.3, 1, VOLTAGE, 54.4],
    [54.34, 1, VOLTAGE, 54.4],
    [54.34, -1, VOLTAGE, 54.3],
    [null, 1, VOLTAGE, 48],
    [5, 1, { min: 0, max: 9, step: 5 }, 5],
    [3, 1, { min: -Infinity, max: Infinity, step: 0 }, 4],
  ] as const)('a step from %s by %s leads to an accepted number', (value, direction, rule, next) => {
    expect(nextNumber(value, direction, rule)).toBe(next);
  });
});
