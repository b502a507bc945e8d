import type { FrameMatch } from '../../byte-bus.ts';
import { crc16Modbus } from '../../crc16.ts';
import { answers, lengthOfAnswer, type ModbusPdu, namesOtherContent } from '../modbus-pdu.ts';
import type { ModbusFraming } from './framing.ts';

/**
 * Modbus RTU (Modbus over Serial Line 1.02, section 2.5.1):
 *
 *   unit 1 | PDU | CRC 2, low byte first
 *
 * A frame does not mark where it begins or ends; on a wire silence does, which neither a USB adapter nor a
 * gateway keeps. So an answer is recognised by its unit, function, length and CRC, all known beforehand.
 */
export const rtuFraming: ModbusFraming = {
  frame: (unitId, request) => ({
    bytes: rtuFrame(unitId, request.bytes),
    find: (bytes) => findAnswer(bytes, unitId, request),
    open: (frame) => frame.subarray(1, -CRC_BYTES),
    // Neither address nor count of a read comes back: its answer may be that of any other of the same unit.
    responseKey: `${unitId}/${request.bytes[0]}`,
  }),
};

const CRC_BYTES = 2;
const MAX_FRAME_LENGTH = 256;
/** Looked through again with every byte that comes in; of more than this only the end can still become the answer. */
const MAX_NOISE = 2 * MAX_FRAME_LENGTH;

/** A whole frame around what is said to a unit, or by it. */
export function rtuFrame(unitId: number, pdu: Uint8Array): Uint8Array {
  const frame = Buffer.alloc(1 + pdu.length + CRC_BYTES);
  frame[0] = unitId;
  frame.set(pdu, 1);
  frame.writeUInt16LE(crc16Modbus(frame.subarray(0, -CRC_BYTES)), 1 + pdu.length);
  return frame;
}

/** Looks at every place, because noise may stand before the answer, such as a line driver makes when it turns. */
function findAnswer(bytes: Uint8Array, unitId: number, request: ModbusPdu): FrameMatch {
  let damaged = false;
  for (let start = 0; start < bytes.length; start++) {
    if (bytes[start] !== unitId) continue;
    const length = lengthOfAnswer(bytes.subarray(start + 1), request);
    if (length === undefined) continue;
    const frame = bytes.subarray(start, start + 1 + length + CRC_BYTES);
    if (frame.length < 1 + length + CRC_BYTES) continue;
    const answer = frame.subarray(1, -CRC_BYTES);
    if (crc16Modbus(frame) === 0 && answers(answer, request)) {
      if (start > 0) return { is: 'skip', end: start, reason: 'bytes that belong to no answer' };
      return { is: 'frame', frame, end: frame.length, doubtful: namesOtherContent(answer, request) };
    }
    if (start === 0 && bytes.length === frame.length) damaged = true;
  }
  // A frame of the right length that stood first and alone was the answer.
  if (damaged) return { is: 'skip', end: bytes.length, reason: 'the answer was damaged', damaged: true };
  if (bytes.length <= MAX_NOISE) return { is: 'more' };
  return { is: 'skip', end: bytes.length - MAX_FRAME_LENGTH, reason: 'bytes that belong to no answer' };
}
