import { defineMetric, type MetricValue, type Quantity, quantities } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { BrokerTopics } from './broker/broker-topics.ts';
import { attributesText, stateText } from './payloads.ts';

const SWITCH: Quantity = {
  name: 'Grid charge',
  group: 'Settings',
  unit: 'Enabled',
  setting: { kind: 'switch', on: 'Enabled', off: 'Disabled' },
};
const FLAG: Quantity = { name: 'Combine PV/AC supply', group: 'Settings', unit: 'Enabled' };

describe('a state', () => {
  it.each<[Quantity, MetricValue, string]>([
    [quantities.power('PV power'), 0, '0'],
    [quantities.power('PV power'), -11, '-11'],
    [quantities.voltage('PV voltage'), 0, '0.0'],
    [quantities.voltage('PV voltage'), 26.6, '26.6'],
    [quantities.temperature('Temperature'), 34, '34.0'],
    [quantities.current('Current'), -0.4, '-0.4'],
    [quantities.frequency('Grid frequency'), 59.99, '59.99'],
    [quantities.cellVoltage('Cell voltage - Highest'), 3.33, '3.33'],
    [quantities.state('Device mode'), 'Solar/Battery', 'Solar/Battery'],
    [FLAG, true, 'true'],
    [FLAG, false, 'false'],
    [SWITCH, 'Enabled', 'true'],
    [SWITCH, 'Disabled', 'false'],
    [SWITCH, true, 'true'],
    [SWITCH, null, 'None'],
    [quantities.power('PV power'), null, 'None'],
    [quantities.info('Software version'), '', 'None'],
    [quantities.state('Alarms'), 'None', 'none'],
    [quantities.selectSetting('Limit', ['None', '90 %']), 'None', 'None'],
  ])('the state of $name %j is "%s"', (quantity, value, text) => {
    expect(stateText({ definition: defineMetric('inverters', 0, quantity), value })).toBe(text);
  });
});

describe('the attributes', () => {
  const definition = defineMetric('inverters', 0, quantities.power('PV power'));

  it.each([
    [{ value: 5, readAt: 1_800_000_000_000, stale: false }, '{"stale":false}'],
    [
      { value: null, readAt: 1_800_000_000_000, stale: true },
      '{"stale":true,"updated_at":"2027-01-15T08:00:00.000Z"}',
    ],
    [{ value: null, readAt: 0, stale: true }, '{"stale":true,"updated_at":null}'],
  ])('the attributes describe %j', (sample, text) => {
    expect(attributesText({ definition, ...sample })).toBe(text);
  });
});

it.each(['battery_1/voltage', 'inverter_1/combine_pv/ac_supply'])(
  'the set topic of %s leads back to it',
  (metric) => {
    const topics = new BrokerTopics('garage/solar');
    expect(topics.metricOf(topics.set(metric))).toBe(metric);
  },
);
