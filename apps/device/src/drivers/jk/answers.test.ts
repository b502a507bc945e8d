import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Entry } from '../entries.ts';
import { readingOf } from '../entries.ts';
import { BadFrame } from '../frame-errors.ts';
import type { Recording } from '../recording.ts';
import { pbEntries } from './pb-answer.ts';
import { uartEntries } from './uart-answer.ts';
import { READ_ALL_REQUEST } from './uart-frame.ts';

const read = (entries: readonly Entry[]) => Object.fromEntries(readingOf(entries));
const uart = (...bytes: readonly number[]) => read(uartEntries(Uint8Array.from(bytes)));

describe('uartEntries', () => {
  it('the request is that of the vendor', () => {
    const request = '4e5700130000000006030000000000006800000129';
    expect(Buffer.from(READ_ALL_REQUEST).toString('hex')).toBe(request);
  });

  const VOLTAGE = [0x83, 0x14, 0x50];
  it.each([
    ['charging, as it is written now', [0x84, 0x80, 0xd0, 0xc0, 1], 2.08, 108],
    ['discharging, as it is written now', [0x84, 0x00, 0xd0, 0xc0, 1], -2.08, -108],
    ['charging, as it was written', [0x84, 0x26, 0x40, 0xc0, 0], 2.08, 108],
    ['discharging, as it was written', [0x84, 0x27, 0xe0, 0xc0, 0], -2.08, -108],
    ['written without its format', [0x84, 0x80, 0xd0], null, null],
    ['written in a third way', [0x84, 0x80, 0xd0, 0xc0, 2], null, null],
  ])('the current decodes %s', (_how, tags, current, power) => {
    expect(uart(...VOLTAGE, ...tags)).toMatchObject({ Voltage: 52, Current: current, Power: power });
  });

  it.each([
    [0, 0],
    [100, 100],
    [101, -1],
    [140, -40],
  ])('the raw %i decodes to a temperature of %i °C', (raw, celsius) => {
    expect(uart(0x81, 0, raw).Temperature).toBe(celsius);
  });

  it('every alarm is listed by name', () => {
    expect(uart(0x8b, 0, 0).Alarms).toBe('None');
    expect(uart(0x8b, 0x08, 0x02).Alarms).toBe('MOSFET over temperature, Cell under voltage');
    expect(uart(0x8b, 0x40, 0).Alarms).toBe('Alarm 14');
  });

  it.each([
    ['an unknown tag', [0xee, 1, 2]],
    ['a value that is cut off', [0x83, 0x14]],
    ['a list of cells that is cut off', [0x79, 6, 1, 0x0c, 0xe4]],
    ['cells out of order', [0x79, 6, 2, 0x0c, 0xe4, 1, 0x0c, 0xe4]],
    ['a value twice', [0x85, 50, 0x85, 51]],
  ])('an answer with %s is rejected', (_what, data) => {
    expect(() => uart(...data)).toThrow(BadFrame);
  });
});

describe('pbEntries', () => {
  const file = join(import.meta.dirname, 'captures', 'jk_pb_16s_charging.json');
  const recording = JSON.parse(readFileSync(file, 'utf8')) as Recording;

  /** The recorded status with other bytes at an offset. */
  function status(offset: number, ...bytes: readonly number[]) {
    const record = Buffer.from(recording.response?.hex ?? '', 'hex');
    record.set(bytes, offset);
    return read(pbEntries(record, 'status'));
  }

  it('a sensor that is not connected is null, and one that is not fitted is no quantity', () => {
    expect(status(164, 0x30, 0xf8)['Temperature 2']).toBeNull();
    expect(status(214, 0b0000_0011)).not.toHaveProperty('Temperature 2');
    expect(status(162, 0xce, 0xff).Temperature).toBe(-5);
  });

  it('every alarm is listed by name', () => {
    expect(status(166, 0x41, 0, 0, 0).Alarms).toBe('Balance wire resistance, Charge over current');
    expect(status(166, 0, 0, 0x40, 0x10).Alarms).toBe('Temperature sensor, Locked by GPS');
    expect(status(166, 0, 0, 0, 0x80).Alarms).toBe('Alarm 31');
  });

  it('a charge limit that is reached is no alarm, because programs disagree about what it means', () => {
    expect(status(166, 0x10, 0, 0, 0)).toMatchObject({ Alarms: 'None', 'Charge limit reached': 'Yes' });
  });

  it('the last two sensors are unknown where both read zero', () => {
    expect(status(256, 0, 0, 0, 0)).toMatchObject({ 'Temperature 4': null, 'Temperature 5': null });
    expect(status(256, 0, 0)).toMatchObject({ 'Temperature 4': 0, 'Temperature 5': 19.1 });
  });

  it('the cell count is that of the enabled cells', () => {
    expect(status(70, 0xff, 0, 0, 0)).toMatchObject({ 'Cell count': 8 });
    expect(status(70, 0, 0, 0, 0)).not.toHaveProperty('Cell voltage 1');
    expect(() => status(70, 0xfd, 0, 0, 0)).toThrow(BadFrame);
  });

  it('the balance current has the sign of its direction', () => {
    expect([0, 1, 2].map((byte) => status(172, byte).Balancer)).toEqual(['Off', 'On', 'On']);
  });
});
