import type { MetricDefinition } from '@heliograph/client';
import { expect, it } from 'vitest';
import { batteryDirection, unitsOf } from './units.ts';

function metric(
  topic: string,
  device: MetricDefinition['device'],
  number: number | null,
  name: string,
): MetricDefinition {
  return { topic, device, number, name, group: 'Status', unit: '' };
}

it('every inverter and battery is a unit, inverters first, and totals and meters are none', () => {
  const units = unitsOf([
    metric('total/pv_power', 'totals', null, 'PV power'),
    metric('battery_10/power', 'batteries', 9, 'Power'),
    metric('battery_2/power', 'batteries', 1, 'Power'),
    metric('meter_1/power', 'meters', 0, 'Power'),
    metric('inverter_1/pv_power', 'inverters', 0, 'PV power'),
  ]);
  expect(units.map(({ prefix }) => prefix)).toEqual(['inverter_1', 'battery_2', 'battery_10']);
});

it('a unit shows the best of the metrics that its hardware reports', () => {
  const [unit] = unitsOf([
    metric('battery_1/temperature_mos', 'batteries', 0, 'Temperature MOS'),
    metric('battery_1/temperature', 'batteries', 0, 'Temperature'),
    metric('battery_1/state_of_charge', 'batteries', 0, 'State of charge'),
  ]);
  expect(unit?.temperature?.topic).toBe('battery_1/temperature');
  expect(unit?.stateOfCharge?.topic).toBe('battery_1/state_of_charge');
  expect(unit?.power).toBeUndefined();
});

it.each([
  [1_600, 'charging'],
  [-1_600, 'discharging'],
  [-9, 'idle'],
  [null, 'idle'],
  [undefined, 'idle'],
] as const)('a battery with %s W is %s', (powerW, direction) => {
  expect(batteryDirection(powerW)).toBe(direction);
});
