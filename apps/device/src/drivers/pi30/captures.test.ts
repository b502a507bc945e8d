import type { MetricValue } from '@heliograph/metrics';
import { describe, expect, it } from 'vitest';
import { capturesIn, expectDamageRejected, topicsOf } from '../../../test/drivers/voltronic/captures.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { decode } from './decode.ts';

const CAPTURES = capturesIn(import.meta.dirname);

/** Further values of the recordings, by topic. */
const MORE: Readonly<Record<string, Readonly<Record<string, MetricValue>>>> = {
  pi30_qflag_a: {
    'inverter_1/overload_bypass': 'Enabled',
    'inverter_1/lcd_backlight': 'Enabled',
    'inverter_1/buzzer': 'Disabled',
    'inverter_1/power_saving': 'Disabled',
    'inverter_1/record_fault_code': 'Disabled',
  },
  pi30_qid: { 'inverter_1/serial_number': '92931905106463' },
  pi30_qmchgcr: { 'inverter_1/max_charge_current_options': '10, 20, 30, 40, 50, 60, 70, 80' },
  pi30_qmod_battery: { 'inverter_1/device_mode': 'Battery' },
  pi30_qopm: { 'inverter_1/output_mode': 'Parallel' },
  pi30_qpi: { 'inverter_1/protocol': 'PI30' },
  pi30_qpigs_a: {
    'inverter_1/battery_discharge_current': 1,
    'inverter_1/battery_capacity': 28,
    'inverter_1/pv_current': 0,
    'inverter_1/ac_output_power': 250,
  },
  pi30_qpigs_b: { 'inverter_1/battery_charging_current': 12, 'inverter_1/pv_current': 14 },
  pi30_qpiri_24v: {
    'inverter_1/battery_type': 'AGM',
    'inverter_1/parallel_max_num': null,
    'inverter_1/topology': 'Transformer',
    'inverter_1/output_mode': 'Single',
    'inverter_1/solar_power_balance': 'Disabled',
  },
  pi30_qpiri_a: {
    'inverter_1/max_ac_output_apparent_power': 5000,
    'inverter_1/battery_type': 'User',
    'inverter_1/input_voltage_range': 'UPS',
    'inverter_1/parallel_max_num': 9,
    'inverter_1/machine_type': 'Off grid',
    'inverter_1/output_mode': 'Parallel',
    'inverter_1/output_frequency': '50 Hz',
    'inverter_1/pv_ok_condition': 'Any unit',
    'inverter_1/solar_power_balance': 'Enabled',
  },
  pi30_qpiri_b: { 'inverter_1/max_ac_output_power': 4000, 'inverter_1/battery_rating_voltage': 48 },
  pi30_qpiri_lvx: {
    'inverter_1/ac_output_rating_voltage': 120,
    'inverter_1/output_frequency': '60 Hz',
    'inverter_1/output_mode': 'Phase 2 of 2 (120)',
    'inverter_1/operation_logic': 'Automatic',
  },
  pi30_qpiws_36: { 'inverter_1/faults': 'None', 'inverter_1/warnings': 'None' },
  pi30_qpiws_a: {
    'inverter_1/faults': 'Inverter fault, Battery voltage high',
    'inverter_1/warnings': 'None',
  },
  pi30_qpiws_c: { 'inverter_1/faults': 'None', 'inverter_1/warnings': 'Line fail, Overload' },
  pi30_qpgs0: {
    'inverter_1/serial_number': '92931905106458',
    'inverter_1/device_mode': 'Battery',
    'inverter_1/faults': 'None',
    'inverter_1/grid_voltage': 232,
    'inverter_1/ac_output_frequency': 50.02,
    'inverter_1/load_apparent_power': 412,
    'inverter_1/ac_output_power': 323,
    'inverter_1/load_power': 323,
    'inverter_1/grid_power': 0,
    'inverter_1/battery_power': 0,
    'inverter_1/pv_power': 323,
    'inverter_1/load_percentage': 8,
    'inverter_1/battery_voltage': 52.2,
    'inverter_1/battery_capacity': 30,
    'inverter_1/pv_voltage': 299.6,
    'inverter_1/output_mode': 'Parallel',
    'inverter_1/charger_source_priority': 'Solar first',
    'inverter_1/max_charge_current': 60,
    'inverter_1/max_grid_charge_current': 60,
  },
  pi30_set_pop02_ack: { 'inverter_1/output_source_priority': 'SBU' },
};

const REJECTED: Readonly<Record<string, RegExp>> = {
  pi30_qboot_nak: /refused QBOOT/,
  pi30_qopm_bad_crc: /QOPM must be rejected: its checksum \(CRC\) is wrong/,
};

const topics = (recording: Recording) => topicsOf(decode, recording);

const recorded = (...ids: string[]): Recording => ({
  protocol: 'voltronic_pi30',
  exchanges: ids.map((id) => {
    const { request, response } = CAPTURES.find((capture) => capture.id === id) ?? {};
    return { request_hex: request?.hex ?? '', response_hex: response?.hex ?? '' };
  }),
});

const hexOf = (text: string): string => Buffer.from(text, 'latin1').toString('hex');

describe('what real inverters said', () => {
  it.each(CAPTURES.filter(({ id }) => !(id in REJECTED)))('$id', (capture) => {
    const expected = { ...capture.expected_topics, ...MORE[capture.id] };
    expect(Object.keys(expected).length).toBeGreaterThan(0);
    expect(topics(capture)).toMatchObject(expected);
  });

  it.each(CAPTURES.filter(({ id }) => id in REJECTED))('$id is rejected', (capture) => {
    expect(() => decode(capture)).toThrow(BadRecording);
    expect(() => decode(capture)).toThrow(REJECTED[capture.id]);
  });

  it('grid power is left out while the mode is unknown', () => {
    expect(topics(recorded('pi30_qpigs_a'))).not.toHaveProperty('inverter_1/grid_power');
    expect(topics(recorded('pi30_qpigs_a', 'pi30_qmod_battery'))).toMatchObject({
      'inverter_1/pv_power': 241,
      'inverter_1/grid_power': 0,
      'inverter_1/battery_power': -52,
      'inverter_1/load_power': 293,
      'inverter_1/ac_output_power': 250,
    });
  });

  it('a recording of several answers decodes to one unit for each inverter', () => {
    const units = decode(
      recorded('pi30_qid', 'pi30_qpiri_a', 'pi30_qmchgcr', 'pi30_qboot_nak', 'pi30_qpgs0'),
    );
    expect(units).toHaveLength(2);
    expect(units[0]?.quantities.find(({ name }) => name === 'Max charge current')?.setting).toEqual({
      kind: 'number',
      min: 10,
      max: 80,
      step: 10,
    });
    expect(units[1]?.reading.get('Serial number')).toBe('92931905106458');
  });

  it('an answer without its request is identified by its form', () => {
    const { response = {} } = CAPTURES.find(({ id }) => id === 'pi30_qpiri_b') ?? {};
    expect(topics({ protocol: 'voltronic_pi30', response })).toHaveProperty('inverter_1/battery_type', 'AGM');
    const list = { ascii: '(010 020 030' };
    expect(() => decode({ protocol: 'voltronic_pi30', response: list })).toThrow(/say in "request"/);
  });
});

describe('what must never become a value', () => {
  it.each([
    ['the answer to another question', { request: { ascii: 'QMOD' }, response: { ascii: '(00000100' } }],
    ['a question that is not known', { request: { ascii: 'QXYZ' }, response: { ascii: '(1' } }],
    ['no answer', { request: { ascii: 'QMOD' } }],
    ['no answer at all', {}],
    ['a text without a beginning', { request: { ascii: 'QMOD' }, response: { ascii: 'B' } }],
    ['half a byte', { request: { ascii: 'QMOD' }, response: { hex: '2842e7c90' } }],
    ['two answers at once', { request: { ascii: 'QMOD' }, response: { hex: '2842e7c90d2842e7c90d' } }],
    ['an acknowledgement of something else', { request: { ascii: 'PF' }, response: { ascii: '(ACK' } }],
    ['an empty field', { request: { ascii: 'QPIGS2' }, response: { ascii: '(02.1  112.4 00236' } }],
  ])('%s', (_name, recording) => {
    expect(() => decode({ protocol: 'voltronic_pi30', ...recording })).toThrow(BadRecording);
  });

  it('a frame with other bits, or one that was cut', () => {
    expectDamageRejected(
      decode,
      CAPTURES.filter(({ id }) => !(id in REJECTED)),
    );
  });

  it('zeros behind a frame are the filling of a USB report, anything else is not', () => {
    const request = { ascii: 'QMOD' };
    const padded = { hex: '2842e7c90d000000' };
    expect(topics({ protocol: 'voltronic_pi30', request, response: padded })).toHaveProperty(
      'inverter_1/device_mode',
      'Battery',
    );
    const more = { hex: `2842e7c90d${hexOf('x')}` };
    expect(() => decode({ protocol: 'voltronic_pi30', request, response: more })).toThrow(BadRecording);
  });
});
