import { Unprocessable } from '@heliograph/kit';
import { defineMetric, type Quantity, quantities } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { parseValue } from './parse-value.ts';

const CURRENT = quantities.numberSetting('Max charge current', 'A', { min: 0, max: 100, step: 1 });
const POWER = quantities.numberSetting('Export limit', 'W', { min: -5000, max: 5000, step: 50 });
const VOLTAGE = quantities.numberSetting('Float voltage', 'V', { min: 48, max: 58.4, step: 0.1 }, 1);
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
    [ON_OFF_AUTO, '1'],
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
    [MODE, 'inverter_1/work_mode must be one of "Selling first", "Zero export to load", not "?"'],
    [SWITCH, 'inverter_1/grid_charge must be "Enabled" or "Disabled", not "?"'],
    [
      TIME,
      'inverter_1/time_point_1 must be one of 288 options from "00:00:00", "00:05:00" to "23:55:00", not "?"',
    ],
  ])('a refused value for $name lists the allowed ones', (quantity, message) => {
    expect(() => parse(quantity, '?')).toThrow(new Unprocessable(message));
  });

  it('a long text is not repeated whole', () => {
    expect(() => parse(CURRENT, 'x'.repeat(100_000))).toThrow(
      new Unprocessable(
        `inverter_1/max_charge_current must be a number from 0 to 100 A in steps of 1, not "${'x'.repeat(64)}…"`,
      ),
    );
  });
});
