import { expect, it } from 'vitest';
import { type Device, isNumbered, topicOf } from './topic.ts';

// Topics that existing clients read, with the display names they belong to.
it.each<[Device, number | null, string, string]>([
  ['totals', null, 'PV power', 'total/pv_power'],
  ['totals', null, 'Battery state of charge', 'total/battery_state_of_charge'],
  ['batteries', 0, 'Cell voltage - Highest', 'battery_1/cell_voltage_-_highest'],
  ['batteries', 1, 'Voltage', 'battery_2/voltage'],
  ['inverters', 0, 'Combine PV/AC supply', 'inverter_1/combine_pv/ac_supply'],
  ['inverters', 0, 'Load power non-essential', 'inverter_1/load_power_non-essential'],
  ['inverters', 9, 'On-grid mode', 'inverter_10/on-grid_mode'],
  ['system', null, 'Site ID', 'system/site_id'],
  ['weather', null, 'PV energy progress', 'weather/pv_energy_progress'],
  ['grid', null, 'Voltage', 'grid/voltage'],
])('%s %j "%s" has the topic %s', (device, number, name, topic) => {
  expect(topicOf(device, number, name)).toBe(topic);
});

it('inverters and batteries are the only numbered devices', () => {
  const devices: Device[] = ['totals', 'inverters', 'batteries', 'grid', 'weather', 'system'];
  expect(devices.filter(isNumbered)).toEqual(['inverters', 'batteries']);
});
