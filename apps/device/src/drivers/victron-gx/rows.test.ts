import type { MetricValue } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { decode, encode } from '../modbus/codec.ts';
import type { RegisterRow } from '../modbus/row.ts';
import { chargerRows } from './device-maps.ts';
import { SERVICE_ROWS } from './service-rows.ts';
import { SETTINGS } from './settings-map.ts';

const setting = (wanted: string): RegisterRow => {
  const found = SETTINGS.find(({ row }) => row.quantity.name === wanted);
  if (found === undefined) throw new Error(`there is no ${wanted}`);
  return found.row;
};

describe('rows of a GX', () => {
  it.each<[string, number, MetricValue]>([
    ['Max discharge power', 250, 2500],
    ['Max discharge power', 0xffff, -1],
    ['Max discharge power', 0, null],
    ['Max sell power', 30, 3000],
    ['Max sell power', 0xffff, -1],
    ['Max sell power', 0, null],
    ['Max charge current', 0, 0],
    ['Max charge current', 0xffff, -1],
    ['Grid setpoint', 0xff9c, -100],
    ['Minimum state of charge', 150, 15],
    ['Max charge voltage', 564, 56.4],
    ['Battery life state', 0, 'BatteryLife off'],
    ['Battery life state', 7, 'BatteryLife on'],
    ['Battery life state', 11, 'BatteryLife off'],
    ['Battery life state', 9, 'Unknown (9)'],
    ['ESS mode', 3, 'External control'],
    ['ESS mode', 0, null],
    ['Input current limit', 165, 16.5],
  ])('%s %i is %j', (name, word, value) => {
    expect(decode(setting(name), [word])).toBe(value);
  });

  it.each<[string, MetricValue, number]>([
    ['Max discharge power', -1, 0xffff],
    ['Max discharge power', 5000, 500],
    ['Max sell power', -1, 0xffff],
    ['Grid setpoint', -200, 0xff38],
    ['Battery life state', 'BatteryLife on', 1],
    ['Battery life state', 'BatteryLife off', 0],
    ['Power mode', 'On', 3],
  ])('%s %j is written as %i', (name, value, word) => {
    expect(encode(setting(name), value)).toEqual([word]);
  });

  it('an unknown code decodes to its number', () => {
    const [mode] = SERVICE_ROWS.vebus.filter(({ quantity }) => quantity.name === 'Device mode');
    if (mode === undefined) throw new Error('there is no device mode');
    expect(decode(mode, [99])).toBe('Unknown (99)');
    expect(decode(mode, [0xffff])).toBeNull();
    expect(decode(setting('Power mode'), [99])).toBe('Unknown (99)');
    expect(decode(setting('Power mode'), [0])).toBeNull();
  });
});

it.each([
  [3, 'Bulk'],
  [11, 'Other (Hub-1)'],
  [252, 'External control'],
])('a solar charger in state %i is %s', (state, label) => {
  expect(decode(chargerRows(1).state, [state])).toBe(label);
});
