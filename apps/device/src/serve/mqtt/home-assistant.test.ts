import { defineMetric, type MetricDefinition, quantities } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { homeAssistantWith } from '../../../test/serve/mqtt/home-assistant-with.ts';
import type { HomeAssistantOptions, NamedUnit } from './home-assistant.ts';

const UNITS: readonly NamedUnit[] = [
  { kind: 'inverters', number: 0, model: 'Axpert Max' },
  { kind: 'inverters', number: 1, model: 'Axpert Max' },
  { kind: 'batteries', number: 0, model: null },
  { kind: 'meters', number: 0, model: 'SDM630' },
];

const inverter = (quantity: Parameters<typeof defineMetric>[2], number = 0) =>
  defineMetric('inverters', number, quantity);

const DEFINITIONS: readonly MetricDefinition[] = [
  defineMetric('totals', null, quantities.power('PV power')),
  defineMetric('totals', null, quantities.periodEnergy('PV energy')),
  inverter(quantities.power('PV power')),
  inverter(quantities.power('PV power'), 1),
  inverter(quantities.info('Serial number')),
  inverter(quantities.numberSetting('Float voltage', 'V', { min: 48, max: 58.4, step: 0.1 }, 1)),
  inverter(quantities.numberSetting('Fixed', 'A', { min: 5, max: 5, step: 1 })),
  inverter(quantities.selectSetting('Output source priority', ['Utility first', 'Solar first'])),
  inverter({
    name: 'Combine PV/AC supply',
    group: 'Settings',
    unit: 'Enabled',
    setting: { kind: 'switch', on: 'Enabled', off: 'Disabled' },
  }),
  defineMetric('batteries', 0, quantities.cellVoltage('Cell voltage - Highest')),
  defineMetric('meters', 0, quantities.power('Power')),
];

const discovered = (
  options: Partial<HomeAssistantOptions> = {},
  units = UNITS,
  definitions = DEFINITIONS,
) => {
  const messages = homeAssistantWith(options).messages(definitions, units);
  return new Map([...messages].map(([topic, text]) => [topic, JSON.parse(text) as Record<string, unknown>]));
};

const COMMON = {
  availability_topic: 'solar_assistant/status',
  origin: { name: 'Heliograph', sw_version: '2026-11-20' },
};
const MAIN = {
  identifiers: ['abc_inverter_1'],
  name: 'Axpert Max',
  model: 'Axpert Max',
  sw_version: '2026-11-20',
};

describe('an entity', () => {
  it.each([
    [
      'sensor/total_pv_power',
      {
        ...COMMON,
        name: 'PV power',
        unique_id: 'abc_total_pv_power',
        device: MAIN,
        state_topic: 'solar_assistant/total/pv_power/state',
        json_attributes_topic: 'solar_assistant/total/pv_power/attributes',
        unit_of_measurement: 'W',
        device_class: 'power',
        state_class: 'measurement',
        suggested_display_precision: 0,
      },
    ],
    [
      'sensor/inverter_1_serial_number',
      {
        ...COMMON,
        name: 'Serial number',
        unique_id: 'abc_inverter_1_serial_number',
        device: MAIN,
        state_topic: 'solar_assistant/inverter_1/serial_number/state',
        json_attributes_topic: 'solar_assistant/inverter_1/serial_number/attributes',
        value_template: '{{ value[:255] }}',
        entity_category: 'diagnostic',
      },
    ],
    [
      'number/inverter_1_float_voltage',
      {
        ...COMMON,
        name: 'Float voltage',
        device_class: 'voltage',
        unique_id: 'abc_inverter_1_float_voltage',
        device: MAIN,
        state_topic: 'solar_assistant/inverter_1/float_voltage/state',
        json_attributes_topic: 'solar_assistant/inverter_1/float_voltage/attributes',
        command_topic: 'solar_assistant/inverter_1/float_voltage/set',
        unit_of_measurement: 'V',
        min: 48,
        max: 58.4,
        step: 0.1,
        mode: 'box',
        entity_category: 'config',
      },
    ],
    [
      'select/inverter_1_output_source_priority',
      {
        ...COMMON,
        name: 'Output source priority',
        unique_id: 'abc_inverter_1_output_source_priority',
        device: MAIN,
        state_topic: 'solar_assistant/inverter_1/output_source_priority/state',
        json_attributes_topic: 'solar_assistant/inverter_1/output_source_priority/attributes',
        command_topic: 'solar_assistant/inverter_1/output_source_priority/set',
        options: ['Utility first', 'Solar first'],
        entity_category: 'config',
      },
    ],
    [
      'switch/inverter_1_combine_pv_ac_supply',
      {
        ...COMMON,
        name: 'Combine PV/AC supply',
        unique_id: 'abc_inverter_1_combine_pv_ac_supply',
        device: MAIN,
        state_topic: 'solar_assistant/inverter_1/combine_pv/ac_supply/state',
        json_attributes_topic: 'solar_assistant/inverter_1/combine_pv/ac_supply/attributes',
        command_topic: 'solar_assistant/inverter_1/combine_pv/ac_supply/set',
        payload_on: 'true',
        payload_off: 'false',
        entity_category: 'config',
      },
    ],
    [
      'sensor/battery_1_cell_voltage_-_highest',
      {
        ...COMMON,
        name: 'Cell voltage - Highest',
        unique_id: 'abc_battery_1_cell_voltage_-_highest',
        device: { identifiers: ['abc_battery_1'], name: 'Battery', sw_version: '2026-11-20' },
        state_topic: 'solar_assistant/battery_1/cell_voltage_-_highest/state',
        json_attributes_topic: 'solar_assistant/battery_1/cell_voltage_-_highest/attributes',
        unit_of_measurement: 'V',
        device_class: 'voltage',
        state_class: 'measurement',
        suggested_display_precision: 3,
      },
    ],
    [
      'sensor/meter_1_power',
      {
        ...COMMON,
        name: 'Power',
        unique_id: 'abc_meter_1_power',
        device: { identifiers: ['abc_meter_1'], name: 'SDM630', model: 'SDM630', sw_version: '2026-11-20' },
        state_topic: 'solar_assistant/meter_1/power/state',
        json_attributes_topic: 'solar_assistant/meter_1/power/attributes',
        unit_of_measurement: 'W',
        device_class: 'power',
        state_class: 'measurement',
        suggested_display_precision: 0,
      },
    ],
    [
      'sensor/set_response_message',
      {
        ...COMMON,
        name: 'Response',
        unique_id: 'abc_set_response_message',
        device: MAIN,
        state_topic: 'solar_assistant/set/response_message/state',
        // A longer state is refused, and the reason of a failed write may be longer.
        value_template: '{{ value[:255] }}',
        entity_category: 'diagnostic',
      },
    ],
  ])('%s', (id, config) => {
    expect(discovered().get(`homeassistant/${id}/config`)).toEqual(config);
  });

  it('an entity has a unique name on its device', () => {
    const named = [...discovered().values()].map(({ device, name }) => `${JSON.stringify(device)} ${name}`);
    expect(new Set(named).size).toBe(named.length);
    const nameOf = (id: string) => discovered().get(`homeassistant/sensor/${id}/config`)?.name;
    expect([nameOf('total_pv_power'), nameOf('inverter_1_pv_power'), nameOf('inverter_2_pv_power')]).toEqual([
      'PV power',
      'Inverter PV power',
      'PV power',
    ]);
  });

  it('an entity with a single allowed value is a sensor, since no control for it is valid', () => {
    expect(discovered().has('homeassistant/number/inverter_1_fixed/config')).toBe(false);
    expect(discovered().get('homeassistant/sensor/inverter_1_fixed/config')).not.toHaveProperty(
      'command_topic',
    );
  });

  it('an entity is a sensor without a command topic while writes are not allowed', () => {
    const configs = discovered({ isWritable: () => false });
    expect([...configs.keys()].filter((topic) => !/^homeassistant\/(sensor|event)\//.test(topic))).toEqual(
      [],
    );
    expect([...configs.values()].filter((config) => 'command_topic' in config)).toEqual([]);
    expect(configs.has('homeassistant/sensor/set_response_message/config')).toBe(false);
    expect(configs.get('homeassistant/sensor/inverter_1_float_voltage/config')).toMatchObject({
      unit_of_measurement: 'V',
      entity_category: 'diagnostic',
    });
  });

  it('an entity has an id of its own in every alphabet', () => {
    const topicOf = (name: string) =>
      [...discovered({}, UNITS, [inverter(quantities.voltage(name))]).keys()].find((topic) =>
        /sensor\/inv/.test(topic),
      );
    expect([topicOf('Größe'), topicOf('Grüße')]).toEqual([
      'homeassistant/sensor/inverter_1_grc3b6c39fe/config',
      'homeassistant/sensor/inverter_1_grc3bcc39fe/config',
    ]);
    expect(topicOf('电压')).not.toBe(topicOf('电流'));
  });

  it('an entity of a second device on the broker has topics of its own', () => {
    const topics = [...discovered({ topicPrefix: 'Garage/Solar' }).keys()];
    expect(topics).toContain('homeassistant/sensor/garage_solar/total_pv_power/config');
  });
});

describe('a device', () => {
  const deviceOf = (id: string, units: readonly NamedUnit[]) =>
    discovered({}, units).get(`homeassistant/sensor/${id}/config`)?.device;

  it.each([
    [
      'inverter_2_pv_power',
      UNITS,
      { identifiers: ['abc_inverter_2'], name: 'Axpert Max 2', model: 'Axpert Max' },
    ],
    ['total_pv_power', [], { identifiers: ['abc_inverter_1'], name: 'Inverter' }],
    ['inverter_2_pv_power', [], { identifiers: ['abc_inverter_2'], name: 'Inverter 2' }],
  ])('the %s of the device is of %j', (id, units, device) => {
    expect(deviceOf(id, units)).toEqual({ ...device, sw_version: '2026-11-20' });
  });
});
