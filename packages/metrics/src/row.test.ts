import { describe, expect, it } from 'vitest';
import { defineMetric } from './metric.ts';
import * as quantities from './quantities.ts';
import { type DiscoveryFields, definitionRow, discoveryFields } from './row.ts';

const NOTHING: DiscoveryFields = {
  platform: 'sensor',
  device_class: null,
  state_class: null,
  unit_of_measurement: null,
  min: null,
  max: null,
  step: null,
  options: null,
  payload_on: null,
  payload_off: null,
};

it('a row names the metric as clients know it', () => {
  expect(
    definitionRow(defineMetric('batteries', 0, quantities.cellVoltage('Cell voltage - Highest'))),
  ).toEqual({
    topic: 'battery_1/cell_voltage_-_highest',
    device: 'batteries',
    number: 0,
    group: 'Status',
    name: 'Cell voltage - Highest',
    unit: 'V',
  });
});

describe('discovery fields', () => {
  const bounds = { min: 5, max: 100, step: 5 };
  const toggle = { kind: 'switch', on: 'Enabled', off: 'Disabled' } as const;

  it.each([
    [
      'a measurement',
      quantities.power('PV power'),
      { device_class: 'power', state_class: 'measurement', unit_of_measurement: 'W' },
    ],
    [
      'an energy total',
      quantities.periodEnergy('PV energy'),
      { device_class: 'energy', state_class: 'total_increasing', unit_of_measurement: 'kWh' },
    ],
    ['a text, which has no classes and no unit', quantities.state('Device mode'), {}],
    [
      'a number setting',
      quantities.numberSetting('Reserve', '%', bounds),
      { platform: 'number', unit_of_measurement: '%', ...bounds },
    ],
    [
      'a choice',
      quantities.selectSetting('Work mode', ['Selling first', 'Load first']),
      { platform: 'select', options: ['Selling first', 'Load first'] },
    ],
    [
      'a switch, whose unit is no unit',
      { name: 'Grid charge', group: 'Settings', unit: 'Enabled', setting: toggle } as const,
      { platform: 'switch', payload_on: 'Enabled', payload_off: 'Disabled' },
    ],
    [
      'a time of day, whose unit is no unit',
      {
        name: 'Time point 1',
        group: 'Settings',
        unit: 'hhmm',
        setting: { kind: 'select', options: [] },
      } as const,
      { platform: 'select', options: [] },
    ],
  ])('discovery fields of %s describe its platform', (_what, quantity, fields) => {
    expect(discoveryFields(defineMetric('inverters', 0, quantity))).toEqual({ ...NOTHING, ...fields });
  });
});
