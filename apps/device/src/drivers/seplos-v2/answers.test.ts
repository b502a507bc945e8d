import { describe, expect, it } from 'vitest';
import { capturesIn, expectTopics, topicsOf } from '../../../test/drivers/captures.ts';
import { crc16Xmodem } from '../../bus/crc16.ts';
import { decodeFrame } from '../ascii-frame/frame.ts';
import { readingOf } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import { BadRecording, type Recording } from '../recording.ts';
import { parseAlarms } from './alarms.ts';
import { BLUETOOTH_PROTOCOL, seplosV2 } from './family.ts';
import { parseTelemetry } from './telemetry.ts';

const CAPTURES = capturesIn(import.meta.dirname);
const rs485 = CAPTURES.find(({ id }) => id === 'seplos_v2_16s_discharging');
const bluetooth = CAPTURES.find(({ id }) => id === 'seplos_v2_ble_16s_charging')?.response?.hex ?? '';
const info = decodeFrame(Buffer.from(rs485?.response?.ascii ?? '', 'latin1')).info;

describe('recordings of real Seplos V2 batteries', () => {
  it.each(CAPTURES)('$id decodes to its expected topics', (recording) => {
    expectTopics(topicsOf(seplosV2.decode(recording)), recording.expected_topics ?? {});
  });

  it('the sensors behind those of the cells are ambient and MOSFET', () => {
    expect(rs485 && topicsOf(seplosV2.decode(rs485))).toMatchObject({
      'battery_1/temperature_4': 25.1,
      'battery_1/temperature_ambient': 25,
      'battery_1/temperature_mos': 24.7,
    });
  });

  it('the check value of the CRC is that of CRC-16/XMODEM', () => {
    expect(crc16Xmodem(Buffer.from('123456789'))).toBe(0x31c3);
  });

  it.each([
    ['a wrong checksum', bluetooth.replace(/d8c30d$/, 'd8c40d'), 'checksum'],
    ['a truncated frame', bluetooth.slice(0, -2), 'truncated'],
    ['a frame with bytes behind it', `${bluetooth}00`, 'where its length says'],
    ['another beginning', bluetooth.replace(/^7e/, '7f'), 'does not begin'],
  ])('%s of the Bluetooth module is rejected', (_what, hex, reason) => {
    const recording: Recording = { protocol: BLUETOOTH_PROTOCOL, request: { hex: '7e' }, response: { hex } };
    const decode = () => seplosV2.decode(recording);
    expect(decode).toThrow(BadRecording);
    expect(decode).toThrow(reason);
  });
});

describe('parseTelemetry', () => {
  it('a short answer lacks cycles and health', () => {
    const countAt = info.length - 21;
    expect(info[countAt]).toBe(10);
    const short = parseTelemetry(info.subarray(0, countAt + 5).with(countAt, 2));
    expect(Object.fromEntries(readingOf(short))).toMatchObject({
      'Full capacity': 170,
      'State of charge': 79,
    });
    expect(short.map(([{ name }]) => name)).not.toContain('Cycles');
  });

  it.each([
    ['that are cut off', info.subarray(0, -1)],
    ['with bytes behind them', Uint8Array.of(...info, 0)],
    ['without a cell', Uint8Array.of(0, 1, 0)],
    ['with one number', info.subarray(0, -18).with(info.length - 21, 1)],
  ])('values %s are rejected', (_what, bytes) => {
    expect(() => parseTelemetry(bytes)).toThrow(BadFrame);
  });
});

describe('parseAlarms', () => {
  /** The twenty status bytes behind two cells and two sensors. */
  const alarms = (at: number, byte: number) => {
    const status = new Uint8Array(20).with(at, byte);
    const bytes = Uint8Array.of(0, 1, 2, 0, 0, 2, 0, 0, 0, 0, 20, ...status);
    return Object.fromEntries(readingOf(parseAlarms(bytes)));
  };

  it.each([
    ['a failed sensor', 0, 0x02, 'Temperature sensing failed'],
    ['a protection', 1, 0x08, 'Cell under voltage protection'],
    ['heating', 3, 0x40, 'None'],
    ['a low charge', 5, 0x04, 'Low charge warning'],
    ['a disconnected cell', 11, 0x05, 'Cell 1 disconnected, Cell 3 disconnected'],
    ['a failed clock', 13, 0x02, 'Clock failed'],
  ])('the alarms of %s decode', (_what, at, byte, text) => {
    expect(alarms(at, byte)).toMatchObject({ Alarms: text });
  });

  it.each([
    [0x01, 'Discharging'],
    [0x02, 'Charging'],
    [0x04, 'Float charging'],
    [0x10, 'Standby'],
    [0, 'Idle'],
  ])('the system status %i decodes to the charge state %s', (byte, text) => {
    expect(alarms(9, byte)).toMatchObject({ 'Charge state': text });
  });

  it('an answer with another count of status bytes is rejected', () => {
    expect(() => parseAlarms(Uint8Array.of(0, 1, 0, 0, 0, 0, 1, 0))).toThrow(BadFrame);
  });
});
