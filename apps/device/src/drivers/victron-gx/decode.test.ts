import { describe, expect, it } from 'vitest';
import { BadRecording, type Recording } from '../recording.ts';
import { victronGx } from './family.ts';

const recording = (more: Partial<Recording>): Recording => ({ protocol: 'victron_gx_modbus_tcp', ...more });

const decoded = (more: Partial<Recording>) =>
  victronGx.decode(recording(more)).map(({ kind, reading }) => ({ kind, ...Object.fromEntries(reading) }));

/** A request for the battery's voltage to state of charge of the system, and the answer. */
const READ = '0001 0000 0006 64 03 0348 0004';
const ANSWER = '0001 0000 000b 64 03 08 020c 0064 0208 0050';

describe('decodeRecording of a GX', () => {
  it('a recording decodes from its frames', () => {
    const expected = [
      {
        kind: 'inverters',
        'Battery voltage': 52.4,
        'Battery current': 10,
        'Battery power': 520,
        'Battery state of charge': 80,
      },
    ];
    expect(decoded({ request: { hex: READ }, response: { hex: ANSWER } })).toEqual(expected);
    expect(decoded({ exchanges: [{ request_hex: READ, response_hex: ANSWER }] })).toEqual(expected);
  });

  it('each battery service of a recording is a unit of its own', () => {
    const battery = (unit: string, volts: string) => ({
      request_hex: `0002 0000 0006 ${unit} 03 0103 0001`,
      response_hex: `0002 0000 0005 ${unit} 03 02 ${volts}`,
    });
    const absent = {
      request_hex: '0003 0000 0006 e3 03 0003 0001',
      response_hex: '0003 0000 0003 e3 83 0b',
    };
    expect(decoded({ exchanges: [battery('e1', '1478'), absent, battery('df', '1482')] })).toMatchObject([
      { kind: 'batteries', Voltage: 52.4 },
      { kind: 'batteries', Voltage: 52.5 },
    ]);
  });

  it('a recording decodes from registers that were logged without frames', () => {
    const registers = {
      820: 65_036,
      821: 0,
      822: 0,
      840: 524,
      842: 300,
      850: 1200,
      31: 9,
      33: 3,
      2901: 150,
      776: 8000,
    };
    const whole = Object.fromEntries([808, 809, 810, 811, 812, 813, 814, 815, 816].map((at) => [at, 0]));
    expect(decoded({ registers: { ...registers, ...whole } })).toMatchObject([
      {
        'PV power': 1200,
        'Grid power': -500,
        'Battery power': 300,
        'Load power': 400,
        'Device mode': 'Inverting',
        'Power mode': 'On',
        'Minimum state of charge': 15,
        'PV voltage 1': 80,
      },
    ]);
  });

  it('a confirmed write decodes to no units', () => {
    const write = '0004 0000 0006 64 06 0a8c 0064';
    expect(decoded({ exchanges: [{ request_hex: write, response_hex: write }] })).toEqual([]);
  });
});

describe('decodeRecording of bad GX frames', () => {
  it.each<[string, Partial<Recording>, RegExp]>([
    ['what is empty', {}, /no frames and no registers/],
    [
      'what is cut short',
      { request: { hex: READ }, response: { hex: ANSWER.slice(0, -4) } },
      /one whole frame/,
    ],
    [
      'what has more than it says',
      { request: { hex: READ }, response: { hex: `${ANSWER} 00` } },
      /one whole frame/,
    ],
    ['a frame of something else', { response: { hex: `0001 0001${ANSWER.slice(9)}` } }, /one whole frame/],
    ['what is no hexadecimal', { request: { hex: READ }, response: { hex: '0x00' } }, /not hexadecimal/],
    ['an answer without its request', { response: { hex: ANSWER } }, /request is missing/],
    [
      'an answer of another unit',
      { request: { hex: READ }, response: { hex: ANSWER.replace(' 64 ', ' 65 ') } },
      /another request/,
    ],
    [
      'a late answer',
      { request: { hex: READ.replace('0001', '0002') }, response: { hex: ANSWER } },
      /another request/,
    ],
    [
      'an answer of another length',
      { request: { hex: READ.replace('0004', '0003') }, response: { hex: ANSWER } },
      /another request/,
    ],
    [
      'nothing but a refusal',
      { request: { hex: READ }, response: { hex: '0001 0000 0003 64 83 0a' } },
      /the GX refused/,
    ],
    ['a register that is none', { registers: { 70000: 1 } }, /no register address/],
    ['a value that is none', { registers: { 840: -1 } }, /no register's value/],
  ])('%s', (_name, more, reason) => {
    expect(() => decoded(more)).toThrow(BadRecording);
    expect(() => decoded(more)).toThrow(reason);
  });
});
