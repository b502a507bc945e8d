import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Capture, capturesIn, expectTopics, topicsOf } from '../../../test/drivers/captures.ts';
import type { DecodedUnit } from '../driver.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { jk } from './family.ts';
import { acknowledgement } from './pb-frame.ts';

interface JkCapture extends Capture {
  readonly expected: { readonly cell_voltages: readonly number[] };
  readonly expected_topics: Readonly<Record<string, number>>;
}

const CAPTURES = capturesIn(import.meta.dirname) as readonly JkCapture[];
const capture = (id: string): JkCapture => {
  const found = CAPTURES.find((one) => one.id === `jk_${id}`);
  if (found === undefined) throw new Error(`there is no capture ${id}`);
  return found;
};

const decodeOne = (recording: Recording): DecodedUnit => {
  const [unit] = jk.decode(recording);
  if (unit === undefined) throw new Error('nothing was decoded');
  return unit;
};

describe('recordings of real JK units', () => {
  it.each(CAPTURES)('$id decodes to its expected topics', (recording) => {
    const topics = topicsOf([decodeOne(recording)]);
    expectTopics(topics, recording.expected_topics);
    recording.expected.cell_voltages.forEach((volts, cell) => {
      expect(topics[`battery_1/cell_voltage_${cell + 1}`]).toBe(volts);
    });
  });

  it.each([
    [
      '14s_charging',
      'JK BMS',
      {
        'battery_1/temperature_mos': 29,
        'battery_1/temperature_2': 28,
        'battery_1/cell_count': 14,
        'battery_1/charge_capacity': 2.1,
        'battery_1/alarms': 'None',
        'battery_1/charge_mosfet': 'On',
        'battery_1/discharge_mosfet': 'On',
        'battery_1/balancer': 'On',
        'battery_1/balancing': 'Enabled',
        'battery_1/charge_switch': 'On',
        'battery_1/battery_type': 'Ternary',
        'battery_1/cell_over_voltage_protection': 4.05,
        'battery_1/cell_under_voltage_protection': 3.05,
        'battery_1/max_discharge_current': 7,
        'battery_1/max_charge_current': 5,
        'battery_1/firmware_version': 'H6.X__S6.1.3S',
        'battery_1/manufacturer_id': 'BT3072020120000200521001',
        'battery_1/runtime': 57_856 * 60,
      },
    ],
    [
      '13s_idle_mos_off',
      'JK-B2A24S15P',
      {
        'battery_1/charge_mosfet': 'Off',
        'battery_1/discharge_mosfet': 'Off',
        'battery_1/balancer': 'On',
        'battery_1/charge_switch': 'Off',
        'battery_1/firmware_version': '10.XW_S10.07',
        'battery_1/max_discharge_current': 150,
        'battery_1/model_name': 'JK-B2A24S15P',
      },
    ],
    [
      'pb_16s_charging',
      null,
      {
        'battery_1/temperature': 13.4,
        'battery_1/temperature_2': 12.8,
        'battery_1/temperature_3': 20.5,
        'battery_1/temperature_4': 19.5,
        'battery_1/temperature_5': 19.1,
        'battery_1/temperature_mos': 12.9,
        'battery_1/cell_voltage_-_average': 3.327,
        'battery_1/cell_voltage_-_highest': 3.337,
        'battery_1/cell_voltage_-_lowest': 3.32,
        'battery_1/cell_count': 16,
        'battery_1/alarms': 'None',
        'battery_1/charge_limit_reached': 'No',
        'battery_1/balance_current': 0,
        'battery_1/balancer': 'Off',
        'battery_1/charge_mosfet': 'On',
      },
    ],
    [
      'pb_8s_discharging',
      null,
      { 'battery_1/temperature': 28.4, 'battery_1/temperature_mos': 31, 'battery_1/temperature_4': null },
    ],
  ])('%s decodes in full', (id, model, expected) => {
    const unit = decodeOne(capture(id));
    expect(unit.model).toBe(model);
    expectTopics(topicsOf([unit]), expected);
  });

  it('no reading holds the password of the settings', () => {
    for (const recording of CAPTURES) {
      expect(JSON.stringify(topicsOf([decodeOne(recording)]))).not.toContain('1234');
    }
  });

  it('a record decodes with the acknowledgement that follows it on RS485', () => {
    const recording = capture('pb_8s_discharging');
    const whole = `${recording.response?.hex}${Buffer.from(acknowledgement(3, 'status')).toString('hex')}`;
    expect(decodeOne({ ...recording, response: { hex: whole } })).toEqual(decodeOne(recording));
  });
});

describe('bad recordings of JK units', () => {
  const uart = capture('14s_charging');
  const pb = capture('pb_16s_charging');
  const hexOf = ({ response }: Recording): string => response?.hex ?? '';
  const answering = (recording: Recording, hex: string): Recording => ({ ...recording, response: { hex } });

  it.each([
    [
      'a wrong checksum',
      answering(uart, hexOf(uart).replace('4e57', '4e57').replace(/d1$/, 'd2')),
      'checksum',
    ],
    ['a truncated frame', answering(uart, hexOf(uart).slice(0, -2)), 'truncated'],
    ['two frames', answering(uart, hexOf(uart) + hexOf(uart)), 'bytes follow the frame'],
    ['the request alone', answering(uart, uart.request?.hex ?? ''), 'not an answer'],
    ['another protocol', answering(uart, hexOf(pb)), 'does not begin'],
    ['a record with a wrong checksum', answering(pb, hexOf(pb).replace(/bb$/, 'bc')), 'checksum'],
    ['a truncated record', answering(pb, hexOf(pb).slice(0, 400)), 'truncated'],
    ['a record with something behind it', answering(pb, `${hexOf(pb)}0110`), 'acknowledgement'],
    ['half a byte', answering(pb, hexOf(pb).slice(1)), 'not hexadecimal'],
    ['nothing', { protocol: 'jk_bms_uart' }, 'no response'],
  ] as [string, Recording, string][])('%s', (_what, recording, reason) => {
    const decode = () => jk.decode(recording);
    expect(decode).toThrow(BadRecording);
    expect(decode).toThrow(reason);
  });

  it.each([uart, pb])('$id with a changed or missing byte is rejected', (recording) => {
    const bytes = Buffer.from(hexOf(recording), 'hex');
    const anywhere = fc.nat(bytes.length - 1);
    fc.assert(
      fc.property(anywhere, fc.integer({ min: 1, max: 255 }), fc.boolean(), (at, change, cut) => {
        const damaged = Buffer.from(cut ? bytes.subarray(0, at) : bytes);
        if (!cut) damaged[at] = (damaged[at] ?? 0) ^ change;
        expect(() => jk.decode(answering(recording, damaged.toString('hex')))).toThrow(BadRecording);
      }),
      { numRuns: 300 },
    );
  });
});
