import { expect, it } from 'vitest';
import { formatFor } from '../format/use-format.ts';
import { formatValue } from './format-value.ts';

const labels = { on: 'An', off: 'Aus' };

it.each([
  [4720.5, 'W', '4.720,5\u{A0}W'],
  [0, 'W', '0\u{A0}W'],
  [3.282, 'V', '3,282\u{A0}V'],
  [288, '', '288'],
  [true, 'Enabled', 'An'],
  [false, 'Enabled', 'Aus'],
  ['Charging', '', 'Charging'],
  ['16:35:00', 'hhmm', '16:35'],
  ['never', 'hhmm', 'never'],
])('the value %s %s is formatted as %s', (value, unit, shown) => {
  expect(formatValue(value, unit, formatFor('de'), labels)).toBe(shown);
});
