import { expect, it } from 'vitest';
import { namePartsOf, numberIn, textKey } from './text-key.ts';

it.each([
  ['PV power', { key: 'pv_power' }],
  ['Cell voltage - Highest', { key: 'cell_voltage_highest' }],
  ['Cell voltage 12', { key: 'cell_voltage', number: '12' }],
  ['Grid voltage L3', { key: 'grid_voltage', number: 'L3' }],
  ['Total PV energy', { key: 'pv_energy', period: 'total' }],
  ['Day PV energy 2', { key: 'pv_energy', period: 'day', number: '2' }],
])('the name %s has the parts %o', (name, parts) => {
  expect(namePartsOf(name)).toEqual(parts);
});

it.each([
  ['PV power', 'pv_power', undefined],
  ['Cell voltage - Highest', 'cell_voltage_highest', undefined],
  ['Time point 12', 'time_point_n', '12'],
  ['Grid voltage L3', 'grid_voltage_ln', '3'],
  ['Pre-charge MOSFET', 'pre_charge_mosfet', undefined],
])('the text %s has the key %s and the number %s', (text, key, number) => {
  expect(textKey(text)).toBe(key);
  expect(numberIn(text)).toBe(number);
});
