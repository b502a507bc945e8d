import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Capture, capturesIn, expectTopics, topicsOf } from '../../../test/drivers/captures.ts';
import { readingOf } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { a5Entries, boardCounts, COMMAND } from './a5-commands.ts';
import { daly } from './family.ts';

const CAPTURES = capturesIn(import.meta.dirname);
const capture = (id: string): Capture => {
  const found = CAPTURES.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no capture ${id}`);
  return found;
};

describe('recordings of real Daly boards', () => {
  it.each(CAPTURES)('$id decodes to its expected topics', (recording) => {
    expectTopics(topicsOf(daly.decode(recording)), recording.expected_topics ?? {});
  });

  it('the current is unknown in a recording without the state that gives its direction', () => {
    expect(topicsOf(daly.decode(capture('daly_a5_16s')))).toMatchObject({
      'battery_1/current': null,
      'battery_1/power': null,
      'battery_1/cell_count': 16,
      'battery_1/cell_temperature_-_highest': 15,
    });
  });

  it('cells without a voltage behind the last one are left out', () => {
    const topics = topicsOf(daly.decode(capture('daly_a5_16s_discharging')));
    expect(topics).toHaveProperty('battery_1/cell_voltage_16');
    expect(topics).not.toHaveProperty('battery_1/cell_voltage_17');
  });

  it('registers of the 81 protocol decode in full', () => {
    expectTopics(topicsOf(daly.decode(capture('daly_81_16s_discharging'))), {
      'battery_1/cell_voltage_1': 3.316,
      'battery_1/cell_voltage_-_average': 3.315,
      'battery_1/temperature_4': 22,
      'battery_1/charge_state': 'Discharging',
      'battery_1/balancer': 'On',
      'battery_1/charge_mosfet': 'On',
      'battery_1/pre-charge_mosfet': 'Off',
      'battery_1/temperature_board': 30,
    });
  });
});

describe('a5Entries', () => {
  it.each([
    ['nothing', [], 'None'],
    [
      'a warning and a protection',
      [0x01, 0x02],
      'Cell over voltage warning, Charge over temperature protection',
    ],
    ['a high charge', [0, 0, 0x10], 'High charge warning'],
    ['a failed clock', [0, 0, 0, 0, 0, 0x10], 'Clock failed'],
  ])('the alarms list %s', (_what, bytes, text) => {
    const data = Uint8Array.from({ length: 8 }, (_, index) => bytes[index] ?? 0);
    expect(readingOf(a5Entries(new Map([[COMMAND.alarms, data]]))).get('Alarms')).toBe(text);
  });

  it('the counts of no board are rejected', () => {
    expect(() => boardCounts(Uint8Array.of(0, 1))).toThrow(BadFrame);
    expect(() => boardCounts(Uint8Array.of(49, 1))).toThrow(BadFrame);
  });
});

describe('bad recordings of Daly boards', () => {
  const a5: Recording = {
    protocol: 'daly_a5_uart',
    request: { hex: 'a540900800000000000000007d' },
    response: { hex: 'a5019008021400007545037889' },
  };
  const p81: Recording = {
    protocol: 'daly_modbus_81',
    request: { hex: capture('daly_81_16s_discharging').exchanges?.[0]?.request_hex ?? '' },
    response: { hex: capture('daly_81_16s_discharging').exchanges?.[0]?.response_hex ?? '' },
  };
  const answering = (recording: Recording, hex: string): Recording => ({ ...recording, response: { hex } });
  const hexOf = ({ response }: Recording): string => response?.hex ?? '';

  it.each([
    ['a wrong checksum', answering(a5, hexOf(a5).replace(/89$/, '88')), 'the checksum is wrong'],
    ['a truncated frame', answering(a5, hexOf(a5).slice(0, -2)), 'truncated'],
    ['two frames', answering(a5, hexOf(a5) + hexOf(a5)), 'more than one frame'],
    ['another answer', answering(a5, 'a50191080d000f0cfe010378e1'), 'another command'],
    ['an unknown request', { ...a5, request: { hex: 'a540d9080000000000000000c6' } }, 'unknown kind'],
    ['a wrong CRC', answering(p81, hexOf(p81).replace(/99ef$/, '99ee')), 'the checksum is wrong'],
    ['another board', answering(p81, hexOf(p81).replace(/^51/, '52')), 'not of board 1'],
  ] as [string, Recording, string][])('%s is rejected', (_what, recording, reason) => {
    const decode = () => daly.decode(recording);
    expect(decode).toThrow(BadRecording);
    expect(decode).toThrow(reason);
  });

  it.each([a5, p81])('an answer with a changed or missing byte is rejected', (recording) => {
    const bytes = Buffer.from(hexOf(recording), 'hex');
    fc.assert(
      fc.property(
        fc.nat(bytes.length - 1),
        fc.integer({ min: 1, max: 255 }),
        fc.boolean(),
        (at, change, cut) => {
          const damaged = Buffer.from(cut ? bytes.subarray(0, at) : bytes);
          if (!cut) damaged[at] = (damaged[at] ?? 0) ^ change;
          expect(() => daly.decode(answering(recording, damaged.toString('hex')))).toThrow(BadRecording);
        },
      ),
      { numRuns: 300 },
    );
  });
});
