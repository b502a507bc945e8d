import { normalizeTyped } from '@heliograph/contracts/typed-text';
import type { NumberRule } from './control-rule.ts';

/** How far from a step a number may be for being binary, as a part of the step: the same as devices allow. */
const STEP_TOLERANCE = 1e-6;

/** More digits than any step has. */
const MAX_DECIMALS = 9;

const NUMBER = /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/;

type Bounds = Omit<NumberRule, 'kind'>;

export type NumberProblem = 'notNumber' | 'outOfRange' | 'offStep';

/**
 * Reads a number that a person typed, with a point or a comma before the decimals.
 *
 * @param decimal what the reader's language has there: with the other one, `1.000` may mean a thousand, and is refused
 * @returns the number on its step, and as text for the device
 */
export function parseNumber(
  text: string,
  { min, max, step }: Bounds,
  decimal: string,
): { readonly value: number; readonly payload: string } | NumberProblem {
  const plain = normalizeTyped(text);
  if (!NUMBER.test(plain) || isAmbiguous(plain, decimal)) return 'notNumber';
  const typed = Number(plain.replace(',', '.'));
  if (typed < min || typed > max) return 'outOfRange';
  if (step <= 0) return { value: typed, payload: plain.replace(',', '.') };
  const base = baseOf(min);
  const steps = (typed - base) / step;
  if (Math.abs(steps - Math.round(steps)) > STEP_TOLERANCE) return 'offStep';
  return onStep(Math.round(steps), { min, max, step });
}

/** A number as text for its input, with the decimal separator only. */
export function typedNumber(value: number, decimal: string): string {
  return String(value).replace('.', decimal);
}

/** The decimal separator of the reader's language. */
export function decimalOf(locale: string): string {
  return (
    new Intl.NumberFormat(locale).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.'
  );
}

/** The next number up or down that the setting accepts. @param value null when it is unknown */
export function nextNumber(value: number | null, direction: 1 | -1, rule: Bounds): number {
  const { min, max } = rule;
  const step = rule.step > 0 ? rule.step : 1;
  const base = baseOf(min);
  if (value === null) return base;
  const steps = (value - base) / step;
  const next =
    direction === 1 ? Math.floor(steps + STEP_TOLERANCE) + 1 : Math.ceil(steps - STEP_TOLERANCE) - 1;
  const lowest = Math.ceil((min - base) / step - STEP_TOLERANCE);
  const highest = Math.floor((max - base) / step + STEP_TOLERANCE);
  return onStep(Math.max(lowest, Math.min(highest, next)), { min, max, step }).value;
}

/** Steps count from the lowest number, as devices count them. */
function baseOf(min: number): number {
  return Number.isFinite(min) ? min : 0;
}

function onStep(steps: number, { min, step }: Bounds): { value: number; payload: string } {
  const base = baseOf(min);
  const payload = (base + steps * step).toFixed(Math.max(decimalsOf(base), decimalsOf(step)));
  return { value: Number(payload), payload };
}

function decimalsOf(value: number): number {
  for (let digits = 0; digits < MAX_DECIMALS; digits += 1) {
    if (Number(value.toFixed(digits)) === value) return digits;
  }
  return MAX_DECIMALS;
}

function isAmbiguous(plain: string, decimal: string): boolean {
  const other = decimal === ',' ? /^[+-]?\d{1,3}\.\d{3}$/ : /^[+-]?\d{1,3},\d{3}$/;
  return other.test(plain);
}
