import { expect, it } from 'vitest';
import { reportedValue } from './logged-value.ts';

const NUMBER = {
  topic: 'inverter_1/battery_reserve',
  device: 'inverters',
  number: 0,
  group: 'Settings',
  name: 'Battery reserve',
  unit: '%',
  platform: 'number',
} as const;
const SWITCH = { ...NUMBER, platform: 'switch', payload_on: 'true', payload_off: 'false' } as const;
const SELECT = { ...NUMBER, platform: 'select', options: ['1', '2'] } as const;

it.each([
  ['25', NUMBER, 25],
  ['', NUMBER, ''],
  ['off', NUMBER, 'off'],
  ['true', SWITCH, true],
  ['Disabled', SWITCH, false],
  ['neither', SWITCH, 'neither'],
  ['1', SELECT, '1'],
  ['25', undefined, '25'],
  [null, NUMBER, null],
])('the logged text %s of %o is the value %s', (text, definition, value) => {
  expect(reportedValue(text, definition)).toBe(value);
});
