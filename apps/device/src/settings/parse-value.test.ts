import { Unprocessable } from '@heliograph/kit';
import { defineMetric, type Quantity, quantities } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { parseValue } from './parse-value.ts';

const CURRENT = quantities.numberSetting('Max charge current', 'A', { min: 0, max: 100, step: 1 });
const POWER = quantities.numberSetting('Export limit', 'W', { min: -5000, max: 5000, step: 50 });
const VOLTAGE = quantities.numberSetting('Float voltage', 'V', { min: 48, max: 58.4, step: 0.1 }, 1);
const FRACTION = quantities.numberSetting('Charge rate', 'A', { min: 0, max: 1, step: 0.05 }, 2);
const FROM_ONE = quantities.numberSetting('Start slot', '', { min: 1, max: 91, step: 10 });
const MODE = quantities.selectSetting('Work mode', ['Selling first', 'Zero export to load']);
const AMBIGUOUS = quantities.selectSetting('Mode', ['ECO', 'Eco', 'Off']);
const SYNONYMS: Quantity = {
  ...quantities.selectSetting('Output source priority', ['Utility first', 'SBU']),
  setting: {
    kind: 'select',
    options: ['Utility first', 'SBU'],
    synonyms: { 'Solar/Battery/Utility': 'SBU' },
  },
};
const SWITCH: Quantity = {
  name: 'Grid charge',
  group: 'Settings',
  unit: 'Enabled',
  setting: { kind: 'switch', on: 'Enabled', off: 'Disabled' },
};

const ON_OFF = quantities.selectSetting('Grid charge', ['Disabled', 'Enabled']);
const STATES: Quantity = {
  ...SWITCH,
  setting: { kind: 'switch', on: 'Running', off: 'Stopped' },
};
const ON_AUTO = quantities.selectSetting('Pump', ['On', 'Auto']);
const OFF_AUTO = quantities.selectSetting('Heater', ['Off', 'Auto']);
const optionsOf = (count: number): Quantity =>
  quantities.selectSetting(
    'Slot',
    Array.from({ length: count }, (_, index) => `Slot ${index + 1}`),
  );
const ON_OFF_AUTO = quantities.selectSetting('Fan', ['On', 'Off', 'Auto']);
const TIMER = quantities.switchSetting('Use timer');
const TIME = quantities.timeSetting('Time point 1', 5);

const parse = (quantity: Quantity, text: string): number | string => {
  const definition = defineMetric('inverters', 0, quantity);
  if (quantity.setting === undefined) throw new Error('not a setting');
  return parseValue(definition, quantity.setting, text);
};

describe('parseValue', () => {
  it.each<[Quantity, string, number | string]>([
    [CURRENT, '20', 20],
    [CURRENT, '20.0', 20],
    [CURRENT, ' 20 ', 20],
    [CURRENT, '+20.', 20],
    [CURRENT, '0', 0],
    [CURRENT, '-0', 0],
    [CURRENT, '100', 100],
    [CURRENT, '19.99999999', 20],
    [POWER, '-5000', -5000],
    [POWER, '-150', -150],
    [VOLTAGE, '48.3', 48.3],
    [VOLTAGE, '58.4', 58.4],
    [VOLTAGE, '57.099999999', 57.1],
    [FRACTION, '.25', 0.25],
    [FRACTION, '-.00', 0],
    [FROM_ONE, '1', 1],
    [FROM_ONE, '11', 11],
    [MODE, 'Selling first', 'Selling first'],
    [MODE, 'zero EXPORT to load', 'Zero export to load'],
    [AMBIGUOUS, 'Eco', 'Eco'],
    [AMBIGUOUS, 'off', 'Off'],
    [SYNONYMS, 'sbu', 'SBU'],
    [SYNONYMS, 'Solar/Battery/Utility', 'SBU'],
    [SYNONYMS, 'solar/battery/utility', 'SBU'],
    [SWITCH, 'Enabled', 'Enabled'],
    [SWITCH, 'enabled', 'Enabled'],
    [SWITCH, '1', 'Enabled'],
    [SWITCH, 'TRUE', 'Enabled'],
    [SWITCH, 'on', 'Enabled'],
    [SWITCH, '0', 'Disabled'],
    [SWITCH, 'False', 'Disabled'],
    [SWITCH, 'OFF', 'Disabled'],
    [SWITCH, 'disabled', 'Disabled'],
    [SWITCH, 'yes', 'Enabled'],
    [SWITCH, 'No', 'Disabled'],
    [STATES, 'Running', 'Running'],
    [STATES, 'running', 'Running'],
    [STATES, 'Stopped', 'Stopped'],
    [STATES, 'STOPPED', 'Stopped'],
    [STATES, '1', 'Running'],
    [STATES, '0', 'Stopped'],
    [ON_AUTO, 'on', 'On'],
    [OFF_AUTO, 'OFF', 'Off'],
    [ON_OFF, 'disabled', 'Disabled'],
    [ON_OFF, 'True', 'Enabled'],
    [ON_OFF, 'off', 'Disabled'],
    [ON_OFF, '1', 'Enabled'],
    [ON_OFF_AUTO, 'off', 'Off'],
    [TIMER, 'True', 'true'],
    [TIMER, '0', 'false'],
    [TIME, '16:35', '16:35:00'],
    [TIME, '16:35:00', '16:35:00'],
    [TIME, '23:55', '23:55:00'],
  ])('the value for $name "%s" is accepted', (quantity, text, expected) => {
    expect(parse(quantity, text)).toBe(expected);
  });

  it.each<[Quantity, string]>([
    ...[
      '',
      ' ',
      'abc',
      'NaN',
      'Infinity',
      '1e1',
      '0x10',
      '10,5',
      '10 A',
      '--5',
      '.',
      '101',
      '-1',
      '10.5',
    ].map((text) => [CURRENT, text] as [Quantity, string]),
    [CURRENT, '9'.repeat(250)],
    [POWER, '5050'],
    [POWER, '120'],
    [VOLTAGE, '48.35'],
    [VOLTAGE, '58.5'],
    [VOLTAGE, '47.9'],
    [MODE, ''],
    [MODE, 'Selling'],
    [MODE, '0'],
    [MODE, 'Selling first; Zero export to load'],
    [AMBIGUOUS, 'eco'],
    [ON_OFF, '2'],
    [FROM_ONE, '10'],
    [FROM_ONE, '19'],
    [FROM_ONE, '20'],
    [ON_OFF_AUTO, '1'],
    [ON_AUTO, '1'],
    [ON_AUTO, '0'],
    [OFF_AUTO, '1'],
    [OFF_AUTO, '0'],
    [STATES, 'Running!'],
    [SWITCH, ''],
    [SWITCH, '2'],
    [SWITCH, 'toggle'],
    [TIME, '24:00'],
    [TIME, '16:36'],
    [TIME, '16:35:30'],
    [TIME, '6:35'],
  ])('the value for $name "%s" is refused, naming the topic', (quantity, text) => {
    const { topic } = defineMetric('inverters', 0, quantity);
    expect(() => parse(quantity, text)).toThrow(Unprocessable);
    expect(() => parse(quantity, text)).toThrow(`${topic} must be `);
  });

  it.each<[Quantity, string]>([
    [CURRENT, 'inverter_1/max_charge_current must be a number from 0 to 100 A in steps of 1, not "?"'],
    [FROM_ONE, 'inverter_1/start_slot must be a number from 1 to 91 in steps of 10, not "?"'],
    [MODE, 'inverter_1/work_mode must be one of "Selling first", "Zero export to load", not "?"'],
    [SWITCH, 'inverter_1/grid_charge must be "Enabled" or "Disabled", not "?"'],
    [
      TIME,
      'inverter_1/time_point_1 must be one of 288 options from "00:00:00", "00:05:00" to "23:55:00", not "?"',
    ],
  ])('a refused value for $name lists the allowed ones', (quantity, message) => {
    expect(() => parse(quantity, '?')).toThrow(new Unprocessable(message));
  });

  it('a refused value for a choice of 32 options lists all of them, and of 33 only the ends', () => {
    const all = Array.from({ length: 32 }, (_, index) => `"Slot ${index + 1}"`).join(', ');
    expect(() => parse(optionsOf(32), '?')).toThrow(
      new Unprocessable(`inverter_1/slot must be one of ${all}, not "?"`),
    );
    expect(() => parse(optionsOf(33), '?')).toThrow(
      new Unprocessable(
        'inverter_1/slot must be one of 33 options from "Slot 1", "Slot 2" to "Slot 33", not "?"',
      ),
    );
  });

  it('a refused text of 64 characters is repeated whole', () => {
    const text = 'x'.repeat(64);
    expect(() => parse(SWITCH, text)).toThrow(
      new Unprocessable(`inverter_1/grid_charge must be "Enabled" or "Disabled", not "${text}"`),
    );
  });

  it('a long text is not repeated whole', () => {
    expect(() => parse(CURRENT, 'x'.repeat(100_000))).toThrow(
      new Unprocessable(
        `inverter_1/max_charge_current must be a number from 0 to 100 A in steps of 1, not "${'x'.repeat(63)}…"`,
      ),
    );
  });
});
