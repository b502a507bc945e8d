import { expect, it } from 'vitest';
import { type Device, isUnitKind, topicOf, UNIT_KINDS } from './topic.ts';

// Topics that existing clients read, with the display names they belong to.
it.each<[Device, number | null, string, string]>([
  ['totals', null, 'PV power', 'total/pv_power'],
  ['totals', null, 'Battery state of charge', 'total/battery_state_of_charge'],
  ['batteries', 0, 'Cell voltage - Highest', 'battery_1/cell_voltage_-_highest'],
  ['batteries', 1, 'Voltage', 'battery_2/voltage'],
  ['inverters', 0, 'Combine PV/AC supply', 'inverter_1/combine_pv/ac_supply'],
  ['inverters', 0, 'Load power non-essential', 'inverter_1/load_power_non-essential'],
  ['inverters', 9, 'On-grid mode', 'inverter_10/on-grid_mode'],
  ['meters', 0, 'Power L1', 'meter_1/power_l1'],
  ['chargers', 0, 'Charge power', 'charger_1/charge_power'],
  ['generators', 1, 'Power', 'generator_2/power'],
  ['system', null, 'Site ID', 'system/site_id'],
  ['weather', null, 'PV energy progress', 'weather/pv_energy_progress'],
  ['grid', null, 'Voltage', 'grid/voltage'],
])('%s %j "%s" has the topic %s', (device, number, name, topic) => {
  expect(topicOf(device, number, name)).toBe(topic);
});

it('units of hardware are the only numbered devices', () => {
  const devices: Device[] = ['totals', ...UNIT_KINDS, 'grid', 'weather', 'system'];
  expect(devices.filter(isUnitKind)).toEqual(UNIT_KINDS);
});
