import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FrameMatch } from '../../byte-bus.ts';
import { crc16Modbus } from '../../crc16.ts';
import { answers, type ModbusPdu, readPdu, registersOf, writePdu } from '../modbus-pdu.ts';
import type { FramedRequest, ModbusFraming } from './framing.ts';
import { rtuFrame, rtuFraming } from './rtu.ts';
import { tcpFraming } from './tcp.ts';

const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** Everything that a link would take out of these bytes when they come in such pieces. */
function takeAll({ find }: FramedRequest, pieces: readonly Uint8Array[]) {
  const frames: Uint8Array[] = [];
  let dropped = 0;
  let pending: Buffer = Buffer.alloc(0);
  for (const piece of pieces) {
    pending = Buffer.concat([pending, piece]);
    for (
      let found: FrameMatch = find(pending);
      found.is !== 'more' && pending.length > 0;
      found = find(pending)
    ) {
      pending = pending.subarray(found.end);
      if (found.is === 'frame') frames.push(found.frame);
      else dropped += 1;
    }
  }
  return { frames, dropped, left: pending.length };
}

/** The worked example of Deye's documentation of its registers (kbialek/deye-inverter-mqtt). */
describe('Modbus RTU', () => {
  it('the CRC equals the example’s', () => {
    expect(crc16Modbus(hex('01 03 02 4A 00 06'))).toBe(0xa6e5);
    expect(crc16Modbus(hex('01 03 02 4A 00 06 E5 A6'))).toBe(0);
  });

  it('request and answer equal the example’s', () => {
    const framed = rtuFraming.frame(1, readPdu(586, 6));
    expect(Buffer.from(framed.bytes)).toEqual(hex('01 03 02 4A 00 06 E5 A6'));
    const answer = hex('01 03 0C 04 80 14 04 00 15 00 00 02 D1 05 81 6F 8D');
    expect(takeAll(framed, [answer])).toEqual({ frames: [answer], dropped: 0, left: 0 });
    expect(registersOf(framed.open(answer))).toEqual([1152, 5124, 21, 0, 721, 1409]);
  });

  it('the response key names the unit and the function', () => {
    const keyOf = (unit: number, pdu: ModbusPdu): string => rtuFraming.frame(unit, pdu).responseKey;
    const key = keyOf(1, readPdu(586, 6));
    expect(keyOf(1, readPdu(5, 1))).toBe(key);
    expect(keyOf(2, readPdu(586, 6))).not.toBe(key);
    expect(keyOf(1, writePdu(18, [1], true))).not.toBe(key);
  });

  it('the answer is found behind any amount of noise, of which little is kept', () => {
    const framed = rtuFraming.frame(1, readPdu(586, 6));
    const answer = hex('01 03 0C 04 80 14 04 00 15 00 00 02 D1 05 81 6F 8D');
    // The beginning of the answer again and again.
    const noise = Array.from({ length: 100 }, () => Buffer.alloc(90, answer.subarray(0, 9)));
    const { left, dropped } = takeAll(framed, noise);
    expect(left).toBeLessThanOrEqual(512);
    expect(dropped).toBeGreaterThan(10);
    expect(takeAll(framed, [...noise, answer]).frames).toEqual([answer]);
  });

  it('a write of one register with function 16 equals the example’s', () => {
    const framed = rtuFraming.frame(1, writePdu(18, [0xa3d4], true));
    expect(Buffer.from(framed.bytes)).toEqual(hex('01 10 00 12 00 01 02 A3 D4 DD 8D'));
    const answer = hex('01 10 00 12 00 01 A1 CC');
    expect(takeAll(framed, [answer])).toEqual({ frames: [answer], dropped: 0, left: 0 });
  });
});

const unitId = fc.integer({ min: 1, max: 247 });
const register = fc.integer({ min: 0, max: 0xffff });
const request = fc.oneof(
  fc
    .record({ address: fc.nat(65_000), count: fc.integer({ min: 1, max: 125 }) })
    .map(({ address, count }) => ({
      pdu: readPdu(address, count),
      answer: Buffer.concat([Buffer.from([3, count * 2]), Buffer.alloc(count * 2, 0x5a)]),
    })),
  fc
    .record({ address: fc.nat(65_000), values: fc.array(register, { minLength: 1, maxLength: 123 }) })
    .map(({ address, values }) => {
      const pdu = writePdu(address, values, true);
      return { pdu, answer: Buffer.from(pdu.bytes.subarray(0, 5)) };
    }),
);

describe.each<[string, () => ModbusFraming]>([
  ['Modbus RTU', () => rtuFraming],
  ['Modbus TCP', tcpFraming],
])('%s', (name, newFraming) => {
  /** The frame that a unit would answer with. */
  const answerTo = (framed: FramedRequest, unit: number, pdu: Uint8Array): Buffer => {
    if (name === 'Modbus RTU') return Buffer.from(rtuFrame(unit, pdu));
    const frame = Buffer.concat([Buffer.from(framed.bytes.subarray(0, 7)), pdu]);
    frame.writeUInt16BE(pdu.length + 1, 4);
    return frame;
  };

  it('the answer is found however it is cut into pieces', () => {
    fc.assert(
      fc.property(unitId, request, fc.array(fc.nat(260), { maxLength: 6 }), (unit, { pdu, answer }, cuts) => {
        const framed = newFraming().frame(unit, pdu);
        const frame = answerTo(framed, unit, answer);
        const edges = [0, ...cuts.map((cut) => cut % frame.length).toSorted((a, b) => a - b), frame.length];
        const pieces = edges.slice(1).map((edge, index) => frame.subarray(edges[index], edge));
        const { frames, dropped, left } = takeAll(framed, pieces);
        expect(frames.map((found) => Buffer.from(framed.open(found)))).toEqual([answer]);
        expect([dropped, left]).toEqual([0, 0]);
      }),
    );
  });

  it('a frame with a changed byte, or one cut short, is not taken', () => {
    fc.assert(
      fc.property(
        unitId,
        request,
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (unit, { pdu, answer }, at, bits) => {
          const framed = newFraming().frame(unit, pdu);
          const frame = answerTo(framed, unit, answer);
          const place = at % frame.length;
          expect(takeAll(framed, [frame.subarray(0, place)]).frames).toEqual([]);
          if (name === 'Modbus TCP' && place >= 9) return;
          const other = Buffer.from(frame.map((byte, index) => (index === place ? byte ^ bits : byte)));
          expect(takeAll(framed, [other]).frames).toEqual([]);
        },
      ),
    );
  });

  it('random bytes yield no frame', () => {
    const anything = fc.uint8Array({ maxLength: 300 });
    fc.assert(
      fc.property(unitId, request, fc.array(anything, { maxLength: 4 }), (unit, { pdu }, pieces) => {
        expect(takeAll(newFraming().frame(unit, pdu), pieces).frames).toEqual([]);
      }),
    );
  });
});

describe('Modbus PDUs', () => {
  it.each<[string, () => ModbusPdu]>([
    ['no register', () => readPdu(0, 0)],
    ['more than 125', () => readPdu(0, 126)],
    ['more than there are', () => readPdu(65_535, 2)],
    ['half a register', () => readPdu(0.5, 1)],
    ['more than 123 to write', () => writePdu(0, new Array<number>(124).fill(0), true)],
    ['two with function 6', () => writePdu(0, [1, 2], false)],
    ['a value that is none', () => writePdu(0, [-1], false)],
    ['a value that is too large', () => writePdu(0, [0x1_0000], true)],
  ])('the request is refused: %s', (_what, make) => {
    expect(make).toThrow(RangeError);
  });

  it('the answer to a request is not taken for that to another', () => {
    fc.assert(
      fc.property(request, request, (one, other) => {
        const isSame = Buffer.from(one.answer).equals(other.answer);
        expect(answers(one.answer, one.pdu)).toBe(true);
        expect(answers(other.answer, one.pdu)).toBe(isSame);
      }),
    );
  });

  it('an answer or a refusal with too few or too many bytes is not taken', () => {
    fc.assert(
      fc.property(request, fc.nat(), ({ pdu, answer }, kept) => {
        const refusal = Buffer.from([(pdu.bytes[0] ?? 0) | 0x80, 2]);
        for (const whole of [answer, refusal]) {
          expect(answers(whole, pdu)).toBe(true);
          expect(answers(whole.subarray(0, kept % whole.length), pdu)).toBe(false);
          expect(answers(Buffer.concat([whole, Buffer.alloc(1)]), pdu)).toBe(false);
        }
      }),
    );
  });
});
