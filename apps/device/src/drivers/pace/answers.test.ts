import { describe, expect, it } from 'vitest';
import { capturesIn, expectTopics, topicsOf } from '../../../test/drivers/captures.ts';
import { decodeFrame, encodeFrame } from '../ascii-frame/frame.ts';
import { readingOf } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { parseAlarms } from './alarms.ts';
import { VERSION } from './commands.ts';
import { pace } from './family.ts';
import { parseTelemetry } from './telemetry.ts';

const CAPTURES = capturesIn(import.meta.dirname);
const discharging = CAPTURES.find(({ id }) => id === 'pace_rs485_16s_discharging');
const ascii = discharging?.response?.ascii ?? '';
const info = decodeFrame(Buffer.from(ascii, 'latin1')).info;

const ANOTHER = Buffer.from(encodeFrame({ version: VERSION, address: 2, code: 0, info })).toString('latin1');

/** The bytes of an answer to 44H behind cells and sensors: two protections, system, configuration, faults, and so on. */
const alarms = (...status: readonly number[]) => {
  const [cells, sensors] = [
    [2, 0, 0],
    [1, 0],
  ];
  const bytes = Uint8Array.of(0, 1, ...cells, ...sensors, 0, 0, 0, ...status);
  return Object.fromEntries(readingOf(parseAlarms(bytes, 1)));
};

describe('recordings of real PACE batteries', () => {
  it.each(CAPTURES)('$id decodes to its expected topics', (recording) => {
    expectTopics(topicsOf(pace.decode(recording)), recording.expected_topics ?? {});
  });

  it('identity and status decode from the frames of a real pack', () => {
    const recording = CAPTURES.find(({ id }) => id === 'pace_rs485_info');
    expect(recording && topicsOf(pace.decode(recording))).toEqual({
      'battery_1/model_name': 'P16S100A',
      'battery_1/hardware_version': 'P16S100A-1812-1.00',
      'battery_1/serial_number': '1812101380309D',
      'battery_1/alarms': 'None',
      'battery_1/charge_state': 'Discharging',
      'battery_1/charge_mosfet': 'On',
      'battery_1/discharge_mosfet': 'On',
      'battery_1/balancer': 'Off',
    });
  });

  it.each([
    ['a wrong checksum', ascii.replace('E1E4', 'E1E5'), 'the checksum is wrong'],
    ['a frame without its end', ascii.slice(0, -1), 'truncated'],
    ['an answer of another battery', ANOTHER, 'battery 2 answered in place of 1'],
  ])('%s is rejected', (_what, answer, reason) => {
    const recording: Recording = { ...discharging, protocol: 'pace_rs485_v25', response: { ascii: answer } };
    const decode = () => pace.decode(recording);
    expect(decode).toThrow(BadRecording);
    expect(decode).toThrow(reason);
  });
});

describe('parseTelemetry', () => {
  it('items of kind 9 are followed by fourteen unknown bytes', () => {
    const kindAt = info.length - 7;
    const longer = Uint8Array.of(...info.with(kindAt, 9), ...new Uint8Array(14));
    expect(parseTelemetry(longer, 1)).toEqual(parseTelemetry(info, 1));
  });

  it.each([
    ['of another address', info.with(1, 2)],
    ['of unknown items', info.with(info.length - 7, 4)],
    ['that are cut off', info.subarray(0, -1)],
    ['with bytes behind them', Uint8Array.of(...info, 0)],
    ['without a cell', Uint8Array.of(0, 1, 0)],
  ])('values %s are rejected', (_what, bytes) => {
    expect(() => parseTelemetry(bytes, 1)).toThrow(BadFrame);
  });
});

describe('parseAlarms', () => {
  it.each([
    ['a battery at rest', [0, 0, 0, 0, 0, 0, 0, 0, 0], 'None', 'Idle'],
    ['a full battery', [0, 0x80, 0, 0, 0, 0, 0, 0, 0], 'None', 'Full'],
    ['a charging battery', [0, 0, 0x20, 0, 0, 0, 0, 0, 0], 'None', 'Charging'],
    ['a protection', [0x40, 0, 0, 0, 0, 0, 0, 0, 0], 'Short circuit protection', 'Idle'],
    ['a fault', [0, 0, 0, 0, 0x04, 0, 0, 0, 0], 'Temperature sensor failed', 'Idle'],
    ['a warning', [0, 0, 0, 0, 0, 0, 0, 0, 0x80], 'Low charge warning', 'Idle'],
    ['reversed terminals', [0, 0, 0x10, 0, 0, 0, 0, 0, 0], 'Terminals reversed', 'Idle'],
  ])('the alarms and the state of %s decode', (_what, status, text, chargeState) => {
    expect(alarms(...status)).toMatchObject({ Alarms: text, 'Charge state': chargeState });
  });

  it('the balancer is on while any cell is balanced', () => {
    expect(alarms(0, 0, 0, 0, 0, 0, 1, 0, 0)).toMatchObject({ Balancer: 'On' });
  });
});
