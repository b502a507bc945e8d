import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Capture, capturesIn, expectTopics, topicsOf } from '../../../test/drivers/captures.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { jbd } from './family.ts';

const CAPTURES = capturesIn(import.meta.dirname);
const capture = (id: string): Capture => {
  const found = CAPTURES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no capture ${id}`);
  return found;
};

describe('recordings of real JBD units', () => {
  it.each(CAPTURES)('$id decodes to its expected topics', (recording) => {
    expectTopics(topicsOf(jbd.decode(recording)), recording.expected_topics ?? {});
  });

  it.each([
    [
      'jbd_4s_idle',
      {
        'battery_1/cell_voltage_3': 3.895,
        'battery_1/cell_voltage_-_average': 3.9015,
        'battery_1/cell_voltage_-_imbalance': 0.014,
        'battery_1/temperature_1': 22.4,
        'battery_1/temperature_3': 21.7,
        'battery_1/charge_mosfet': 'On',
        'battery_1/discharge_mosfet': 'On',
        'battery_1/balancer': 'Off',
        'battery_1/alarms': 'None',
        'battery_1/cell_over_voltage_count': 122,
        'battery_1/cell_under_voltage_count': 2,
        'battery_1/short_circuit_count': 0,
      },
    ],
    [
      'jbd_up_16s_addr1',
      {
        'battery_1/cell_voltage_16': 3.322,
        'battery_1/cell_voltage_-_average': 3.323,
        'battery_1/cell_voltage_-_imbalance': 0.014,
        'battery_1/temperature_1': 20.9,
        'battery_1/temperature_4': 21.2,
        'battery_1/temperature_ambient': 22.6,
        'battery_1/full_capacity': 100,
        'battery_1/charge_mosfet': 'On',
        'battery_1/charge_voltage_limit': 58.4,
        'battery_1/charge_current_limit': 200,
        'battery_1/discharge_voltage_limit': 44.8,
        'battery_1/discharge_current_limit': -200,
      },
    ],
  ])('%s decodes in full', (id, expected) => {
    expectTopics(topicsOf(jbd.decode(capture(id))), expected);
  });
});

describe('bad recordings of JBD units', () => {
  const up = capture('jbd_up_16s_addr1');
  const [values] = capture('jbd_4s_idle').exchanges ?? [];
  const dd = (answer: string | undefined): Recording => ({
    protocol: 'jbd_dd',
    request: { hex: values?.request_hex ?? '' },
    response: { hex: answer ?? '' },
  });
  const answering = (hex: string): Recording => ({ ...up, response: { hex } });

  it.each([
    ['a wrong checksum', dd(values?.response_hex?.replace('8d77', '8e77')), 'the checksum is wrong'],
    ['another end', dd(values?.response_hex?.replace(/77$/, '78')), 'does not end with 77'],
    ['a truncated frame', dd(values?.response_hex?.slice(0, -2)), 'truncated'],
    ['a frame with bytes behind it', dd(`${values?.response_hex}00`), 'bytes follow the frame'],
    ['an error of the BMS', dd('dd038000ff8077'), 'status 80'],
    ['the request alone', dd(values?.request_hex), 'another command'],
    ['a wrong CRC', answering(up.response?.hex?.replace(/6a2e$/, '6a2f') ?? ''), 'the checksum is wrong'],
    ['another unit', answering(up.response?.hex?.replace(/^01/, '02') ?? ''), 'unit 2 answered'],
    ['no answer', { protocol: 'jbd_dd' }, 'no request'],
  ] as [string, Recording, string][])('%s is rejected', (_what, recording, reason) => {
    const decode = () => jbd.decode(recording);
    expect(decode).toThrow(BadRecording);
    expect(decode).toThrow(reason);
  });

  it.each([up, dd(values?.response_hex)])(
    'an answer with a changed or missing byte is rejected',
    (recording) => {
      const bytes = Buffer.from(recording.response?.hex ?? '', 'hex');
      fc.assert(
        fc.property(
          fc.nat(bytes.length - 1),
          fc.integer({ min: 1, max: 255 }),
          fc.boolean(),
          (at, change, cut) => {
            const damaged = Buffer.from(cut ? bytes.subarray(0, at) : bytes);
            if (!cut) damaged[at] = (damaged[at] ?? 0) ^ change;
            const recorded = { ...recording, response: { hex: damaged.toString('hex') } };
            expect(() => jbd.decode(recorded)).toThrow(BadRecording);
          },
        ),
        { numRuns: 300 },
      );
    },
  );
});
