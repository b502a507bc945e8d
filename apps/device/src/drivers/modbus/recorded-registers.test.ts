import { describe, expect, it } from 'vitest';
import { BadRecording, type Recording } from '../recording.ts';
import { type RecordingRules, recordedBlocks, recordedRegisters } from './recorded-registers.ts';
import { addressIn } from './register-address.ts';

const recording = (more: Partial<Recording>): Recording => ({ protocol: 'test', ...more });

/** Registers 16 and 17 of unit 1, by both framings. */
const TCP = {
  request_hex: '0001 0000 0006 01 03 0010 0002',
  response_hex: '0001 0000 0007 01 03 04 0005 ffff',
};
const RTU = { request_hex: '01 03 0010 0002 c5ce', response_hex: '01 03 04 0005 ffff eb82' };
/** Register 16 of unit 2 is refused. */
const REFUSED = { request_hex: '0002 0000 0006 02 03 0010 0001', response_hex: '0002 0000 0003 02 83 02' };
const INPUT = { request_hex: '0003 0000 0006 01 04 0010 0001', response_hex: '0003 0000 0005 01 04 02 0007' };

const CONTENTS = new Map([
  [16, 5],
  [17, 0xffff],
]);

describe('recordedRegisters', () => {
  it.each([
    ['Modbus TCP', TCP, {}],
    ['Modbus RTU', RTU, {}],
    ['Modbus TCP of a family that is reached by it', TCP, { framing: 'tcp' }],
    ['Modbus RTU of a family that is reached by Modbus TCP', RTU, { framing: 'tcp' }],
  ] satisfies [string, object, RecordingRules][])('an exchange of %s is read', (_name, exchange, rules) => {
    expect(recordedRegisters(recording({ exchanges: [exchange] }), rules)).toEqual(CONTENTS);
  });

  it('a refused request holds no registers as long as another is answered', () => {
    expect(recordedRegisters(recording({ exchanges: [REFUSED, TCP] }))).toEqual(CONTENTS);
    expect(() => recordedRegisters(recording({ exchanges: [REFUSED] }), { hardware: 'the GX' })).toThrow(
      'the GX refused: the unit has no such register',
    );
  });

  it('input registers have addresses of their own, unless both tables are one', () => {
    expect(recordedRegisters(recording({ exchanges: [INPUT] }))).toEqual(
      new Map([[addressIn('input', 16), 7]]),
    );
    expect(recordedRegisters(recording({ exchanges: [INPUT] }), { oneTable: true })).toEqual(
      new Map([[16, 7]]),
    );
  });

  it('blocks have the unit of their request, and logged registers have none', () => {
    const other = { ...TCP, request_hex: TCP.request_hex.replace('01 03', '09 03') };
    const answer = { ...other, response_hex: TCP.response_hex.replace('01 03', '09 03') };
    expect(
      recordedBlocks(recording({ registers: { 40: 1, 41: 2, 43: 3 }, exchanges: [TCP, answer] })),
    ).toEqual([
      { unitId: undefined, address: 40, registers: [1, 2] },
      { unitId: undefined, address: 43, registers: [3] },
      { unitId: 1, address: 16, registers: [5, 0xffff] },
      { unitId: 9, address: 16, registers: [5, 0xffff] },
    ]);
  });

  it('registers without a frame begin at the recorded address, or at the one of the family', () => {
    const bare = { response_is: 'registers', response: { hex: '0005ffff' } };
    expect(recordedRegisters(recording({ ...bare, first_register: 16 }))).toEqual(CONTENTS);
    expect(recordedRegisters(recording(bare), { assumedFirst: 16 })).toEqual(CONTENTS);
    expect(() => recordedRegisters(recording(bare))).toThrow(/unknown which registers/);
  });

  it.each<[string, Partial<Recording>, RecordingRules, RegExp]>([
    ['nothing', {}, {}, /^the recording holds no frames and no registers$/],
    [
      'a wrong CRC',
      { exchanges: [{ ...RTU, response_hex: '01 03 04 0005 ffff eb83' }] },
      {},
      /CRC .* is wrong/,
    ],
    [
      'a truncated frame of Modbus TCP',
      { exchanges: [TCP, { ...TCP, response_hex: TCP.response_hex.slice(0, -2) }] },
      { framing: 'tcp' },
      /^exchange 2: the answer is not one whole frame: .* announces 7 bytes, and 6 follow/,
    ],
    [
      'an answer in another framing than its request',
      { exchanges: [{ ...TCP, response_hex: RTU.response_hex }] },
      { framing: 'tcp' },
      /another request/,
    ],
    [
      'the answer to another transaction',
      { exchanges: [{ ...TCP, response_hex: TCP.response_hex.replace('0001', '0002') }] },
      {},
      /another request/,
    ],
    [
      'the answer to a write',
      { exchanges: [{ ...TCP, request_hex: TCP.request_hex.replace('01 03', '01 06') }] },
      {},
      /the request is no read/,
    ],
  ])('%s is rejected with its reason', (_name, more, rules, reason) => {
    expect(() => recordedRegisters(recording(more), rules)).toThrow(BadRecording);
    expect(() => recordedRegisters(recording(more), rules)).toThrow(reason);
  });
});
