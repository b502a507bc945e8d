import type { FrameMatch } from '../../byte-bus.ts';
import { answers, type ModbusPdu } from '../modbus-pdu.ts';
import type { ModbusFraming } from './framing.ts';

/**
 * Modbus TCP (Modbus Messaging on TCP/IP 1.0b, section 3.1.3):
 *
 *   transaction 2 | protocol 2, zero | length 2, of what follows | unit 1 | what is said
 */
export function tcpFraming(): ModbusFraming {
  let last = 0;
  return {
    frame: (unitId, request) => {
      last = (last + 1) & 0xffff;
      const transaction = last;
      return {
        bytes: tcpFrame(transaction, unitId, request.bytes),
        find: (bytes) => findAnswer(Buffer.from(bytes), { transaction, unitId, request }),
        open: (frame) => frame.subarray(HEADER_BYTES),
        responseKey: String(transaction),
      };
    },
  };
}

const HEADER_BYTES = 7;
const LENGTH_END = 6;
/** The unit and at least two bytes, at most 253. */
const MIN_LENGTH = 3;
const MAX_LENGTH = 254;

function tcpFrame(transaction: number, unitId: number, pdu: Uint8Array): Uint8Array {
  const frame = Buffer.alloc(HEADER_BYTES + pdu.length);
  frame.writeUInt16BE(transaction, 0);
  frame.writeUInt16BE(1 + pdu.length, 4);
  frame.writeUInt8(unitId, LENGTH_END);
  frame.set(pdu, HEADER_BYTES);
  return frame;
}

interface Expected {
  readonly transaction: number;
  readonly unitId: number;
  readonly request: ModbusPdu;
}

function findAnswer(bytes: Buffer, { transaction, unitId, request }: Expected): FrameMatch {
  if (bytes.length < LENGTH_END) return { is: 'more' };
  const length = bytes.readUInt16BE(4);
  if (bytes.readUInt16BE(2) !== 0 || length < MIN_LENGTH || length > MAX_LENGTH) {
    // The start of the next frame is lost.
    return { is: 'skip', end: bytes.length, reason: 'the answer is not Modbus TCP', damaged: true };
  }
  const end = LENGTH_END + length;
  if (bytes.length < end) return { is: 'more' };
  if (bytes.readUInt16BE(0) !== transaction) {
    return { is: 'skip', end, reason: 'the answer was to another request' };
  }
  const frame = bytes.subarray(0, end);
  if (frame[LENGTH_END] === unitId && answers(frame.subarray(HEADER_BYTES), request)) {
    return { is: 'frame', frame, end };
  }
  return { is: 'skip', end, reason: 'the answer makes no sense', damaged: true };
}
