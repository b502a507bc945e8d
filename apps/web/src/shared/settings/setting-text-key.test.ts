import { expect, it } from 'vitest';
import { numberIn, settingTextKey } from './setting-text-key.ts';

it.each([
  ['PV power', 'pv_power', undefined],
  ['Cell voltage - Highest', 'cell_voltage_highest', undefined],
  ['Cell voltage 12', 'cell_voltage_n', '12'],
  ['Grid voltage L3', 'grid_voltage_ln', '3'],
  ['Pre-charge MOSFET', 'pre_charge_mosfet', undefined],
])('the name %s has the key %s and the number %s', (name, key, number) => {
  expect(settingTextKey(name)).toBe(key);
  expect(numberIn(name)).toBe(number);
});
