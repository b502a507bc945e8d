import { expect, it } from 'vitest';
import { namePartsOf } from './text-key.ts';

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
