import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defineMetric, type MetricValue, platformOf, type Quantity, roundTo } from './metric.ts';
import * as quantities from './quantities.ts';

describe('rounding', () => {
  it.each<[string, Quantity, MetricValue, MetricValue]>([
    ['power to whole watts', quantities.power('P'), 1240.4999, 1240],
    ['halves up', quantities.power('P'), 0.5, 1],
    ['voltage to tenths', quantities.voltage('V'), 230.05, 230.1],
    ['cells to millivolts', quantities.cellVoltage('V'), 3.2124, 3.212],
    ['without the noise of binary fractions', quantities.periodEnergy('E'), 0.1 + 0.2, 0.3],
    ['to no minus zero', quantities.power('P'), -0.2, 0],
    ['not-a-number to unknown', quantities.power('P'), Number.NaN, null],
    ['infinity to unknown', quantities.power('P'), Number.NEGATIVE_INFINITY, null],
    ['unknown to unknown, never to 0', quantities.power('P'), null, null],
    ['no text', quantities.state('Mode'), 'Grid', 'Grid'],
    ['no flag', quantities.state('On'), false, false],
    ['a number without decimals to a whole one', { name: 'n', group: 'Info', unit: '' }, 1.6, 2],
  ])('%s', (_what, quantity, value, rounded) => {
    expect(roundTo(quantity, value)).toBe(rounded);
  });

  it('rounding moves a value by at most half a step and is idempotent', () => {
    const measured = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    const quantity = fc.constantFrom(
      quantities.power('x'),
      quantities.voltage('x'),
      quantities.cellVoltage('x'),
    );
    fc.assert(
      fc.property(measured, quantity, (value, rule) => {
        const rounded = Number(roundTo(rule, value));
        expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.5 * 10 ** -(rule.decimals ?? 0) + 1e-9);
        expect(roundTo(rule, rounded)).toBe(rounded);
        expect(Object.is(rounded, -0)).toBe(false);
      }),
    );
  });
});

it.each<[Quantity, string]>([
  [quantities.power('Power'), 'sensor'],
  [quantities.numberSetting('Reserve', '%', { min: 0, max: 100, step: 1 }), 'number'],
  [quantities.selectSetting('Mode', ['A', 'B']), 'select'],
  [
    { name: 'On', group: 'Settings', unit: 'Enabled', setting: { kind: 'switch', on: '1', off: '0' } },
    'switch',
  ],
])('$name is shown as a %s', (quantity, platform) => {
  expect(platformOf(quantity)).toBe(platform);
});

it('a defined metric knows its topic and its device', () => {
  expect(defineMetric('batteries', 2, quantities.stateOfCharge('State of charge'))).toMatchObject({
    topic: 'battery_3/state_of_charge',
    device: 'batteries',
    number: 2,
    unit: '%',
  });
});
