import type { MetricValue } from '@heliograph/metrics';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  topicsOf as allTopicsOf,
  type Capture,
  capturesIn,
  expectTopics,
} from '../../../test/drivers/captures.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { pylontech } from './family.ts';

const CAPTURES = capturesIn(import.meta.dirname);
const capture = (id: string): Capture => {
  const found = CAPTURES.find((one) => one.id === `pylontech_${id}`);
  if (found === undefined) throw new Error(`there is no capture ${id}`);
  return found;
};

const topicsOf = (recording: Recording) => allTopicsOf(pylontech.decode(recording));

describe('recordings of real Pylontech batteries', () => {
  it.each(CAPTURES.filter((one) => one.expected_topics !== undefined))('$id', (recording) => {
    expectTopics(topicsOf(recording), recording.expected_topics ?? {});
  });

  it.each([
    [
      'us2000_alarm',
      {
        'battery_1/alarms': 'None',
        'battery_1/charge_state': 'Charging',
        'battery_1/charge_mosfet': 'On',
        'battery_1/discharge_mosfet': 'On',
        'battery_1/pre-charge_mosfet': 'Off',
        'battery_1/heater': 'Off',
        'battery_1/buzzer': 'Off',
      },
    ],
    [
      'us2000_manufacturer',
      {
        'battery_1/manufacturer': 'Pylon',
        'battery_1/model_name': 'US2KBPL',
        'battery_1/software_version': '2.3',
      },
    ],
    ['protocol_version', { 'battery_1/protocol_version': '2.0' }],
    [
      'us2000_system_parameters',
      {
        'battery_1/cell_high_voltage_limit': 3.65,
        'battery_1/cell_low_voltage_limit': 3.05,
        'battery_1/cell_under_voltage_limit': 2.9,
        'battery_1/charge_high_temperature_limit': 61,
        'battery_1/charge_low_temperature_limit': -11,
        'battery_1/maximum_charge_current': 102,
        'battery_1/module_high_voltage_limit': 54,
        'battery_1/module_low_voltage_limit': 46,
        'battery_1/module_under_voltage_limit': 44.5,
        'battery_1/discharge_high_temperature_limit': 61,
        'battery_1/discharge_low_temperature_limit': -11,
        'battery_1/maximum_discharge_current': -100,
      },
    ],
    [
      'up2500_management',
      {
        'battery_1/charge_voltage_limit': 28.4,
        'battery_1/discharge_voltage_limit': 23.2,
        'battery_1/charge_current_limit': 55.5,
        'battery_1/discharge_current_limit': -55.5,
        'battery_1/charge_allowed': 'Yes',
        'battery_1/discharge_allowed': 'Yes',
        'battery_1/charge_immediately_1': 'No',
        'battery_1/charge_immediately_2': 'No',
        'battery_1/full_charge_request': 'No',
      },
    ],
  ])('%s', (id, expected) => {
    const topics = topicsOf(capture(id));
    expectTopics(topics, expected);
    expect(Object.keys(topics)).toEqual(Object.keys(expected));
  });

  it('cells, groups of cells and capacities decode', () => {
    expectTopics(topicsOf(capture('us5000_full')), {
      'battery_1/cell_voltage_1': 3.434,
      'battery_1/cell_voltage_15': 3.461,
      'battery_1/cell_voltage_-_imbalance': 0.029,
      'battery_1/temperature_1': 28.9,
      'battery_1/temperature_5': 29.2,
      'battery_1/capacity': 100,
      'battery_1/charge_capacity': 100,
    });
    expectTopics(topicsOf(capture('up2500_single')), {
      'battery_1/cell_voltage_-_average': 3.33,
      'battery_1/capacity': 111,
      'battery_1/charge_capacity': 95.46,
    });
  });

  it('the five present modules of a console decode', () => {
    const recording = capture('console_pwr');
    expect(pylontech.decode(recording)).toHaveLength(5);
    expectTopics(topicsOf(recording), {
      'battery_1/voltage': 49.726,
      'battery_1/current': -3.04,
      'battery_1/power': -151,
      'battery_1/temperature': 29.3,
      'battery_1/cell_temperature_-_highest': 26.6,
      'battery_1/temperature_mos': 27.1,
      'battery_1/cell_voltage_-_lowest': 3.315,
      'battery_1/cell_voltage_-_highest': 3.316,
      'battery_1/charge_state': 'Discharging',
      'battery_1/alarms': 'None',
      'battery_1/state_of_charge': 96,
      'battery_3/temperature_mos': null,
      'battery_5/current': -3.598,
      'battery_5/state_of_charge': 95,
    });
  });
});

describe('bad recordings of Pylontech batteries', () => {
  const single = capture('up2500_single');
  const response = single.response?.ascii ?? '';
  const answering = (ascii: string): Recording => ({ ...single, response: { ascii } });

  it.each([
    ['a frame without its end', answering(response.slice(0, -1)), 'truncated'],
    ['a wrong checksum', answering(response.replace('E906', 'E907')), 'the checksum is wrong'],
    ['a changed digit', answering(response.replace('FFFA', 'FFFB')), 'the checksum is wrong'],
    ['small letters', answering(response.toLowerCase()), 'more than hexadecimal digits'],
    ['a return code', answering('~20024606000000000\r'.replace('000000000', '0000FDAC')), 'does not take'],
    ['another battery', answering('~200346000000FDB1\r'), 'battery 3 answered in place of 2'],
    ['two frames', answering(response + response), 'more than hexadecimal digits'],
    ['the answer to another command', { ...capture('us2000_alarm'), request: single.request }, 'answer'],
    ['no request', { protocol: 'pylontech_rs485', response: { ascii: response } }, 'no request'],
    ['nothing', { protocol: 'pylontech_rs485' }, 'no request'],
    [
      'half a table',
      {
        ...capture('console_pwr'),
        response: { text: (capture('console_pwr').response?.text ?? '').slice(0, 1500) },
      },
      'truncated',
    ],
  ] as [string, Recording, string][])('%s', (_what, recording, reason) => {
    const decode = () => pylontech.decode(recording);
    expect(decode).toThrow(BadRecording);
    expect(decode).toThrow(reason);
  });

  const damagedAt = (text: string, at: number, character: string): string =>
    text.slice(0, at) + character + text.slice(at + 1);

  it.each(CAPTURES.filter(({ protocol }) => protocol === 'pylontech_rs485'))(
    '$id with any character changed or cut off',
    (recording) => {
      const ascii = recording.response?.ascii ?? '';
      const anywhere = fc.nat(ascii.length - 1);
      const characters = fc.constantFrom(...'0123456789ABCDEF~\rx');
      fc.assert(
        fc.property(anywhere, characters, fc.boolean(), (at, character, cut) => {
          fc.pre(cut || ascii[at] !== character);
          const damaged = cut ? ascii.slice(0, at) : damagedAt(ascii, at, character);
          const decode = () => pylontech.decode({ ...recording, response: { ascii: damaged } });
          expect(decode).toThrow(BadRecording);
        }),
      );
    },
  );

  it('a truncated or corrupted console recording is rejected', () => {
    const recording = capture('console_pwr');
    const text = recording.response?.text ?? '';
    const begin = text.indexOf('pylon_debug>pwr');
    const end = text.lastIndexOf('>');
    const whole = topicsOf(recording);
    fc.assert(
      fc.property(fc.integer({ min: begin, max: end }), fc.constantFrom(...'#?.\0é'), (at, character) => {
        const cut = { ...recording, response: { text: text.slice(0, at) } };
        expect(() => pylontech.decode(cut)).toThrow(BadRecording);
        const changed = { ...recording, response: { text: damagedAt(text, at, character) } };
        let topics: Record<string, MetricValue>;
        try {
          topics = topicsOf(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(BadRecording);
          return;
        }
        for (const [topic, value] of Object.entries(topics)) expect([whole[topic], null]).toContain(value);
      }),
      { numRuns: 150 },
    );
  });

  it.each([
    ['the first digit of a voltage', '49726', '19726', 'do not fit together'],
    ['a cell that is higher than the highest', '3315   3316', '3817   3316', 'lowest cell is above'],
    ['a state of charge beyond full', '96%', '196%', 'no state of charge'],
    ['a number with a letter', '-3037', '-3O37', 'no number'],
    ['a line that is missing', /^2 .*\n/m, '', 'another module'],
    ['a word that is missing', '27100    Normal', '27100', 'columns'],
    ['a number with a nought before it', '3316   3319', '03316   3319', 'no number'],
    ['a temperature below its lowest', '26600', '-26600', 'lowest temperature is above'],
    ['another table', 'Power Volt', 'Power Milk', 'no column Volt'],
    ['an error', 'Command completed successfully', 'Command failed', 'did not carry out'],
    ['another command', '>pwr', '>bat 1', 'not the answer to "pwr"'],
  ] as [string, string | RegExp, string, string][])('%s', (_what, from, to, reason) => {
    const recording = capture('console_pwr');
    const text = (recording.response?.text ?? '').replace(from, to);
    expect(text).not.toBe(recording.response?.text);
    expect(() => pylontech.decode({ ...recording, response: { text } })).toThrow(reason);
  });
});
