import type { FrameMatch } from '../../byte-bus.ts';
import { crc16Modbus } from '../../crc16.ts';
import { ModbusException, NotForwarded } from '../modbus-bus.ts';
import { answers, type ModbusPdu } from '../modbus-pdu.ts';
import type { ModbusFraming } from './framing.ts';
import { rtuFrame } from './rtu.ts';

/**
 * Solarman V5, spoken by Wi-Fi and LAN loggers on port 8899; numbers are little-endian:
 *
 *   A5 | length 2 | control 2 | sequence 2 | logger 4 | payload | checksum 1 | 15
 *   payload of a request  02 | sensor 2, zero | three times 4, zero | RTU frame
 *   payload of an answer  02 | status 1 | three times 4 | RTU frame, or a code of the logger's own
 *
 * `length` is that of the payload, the checksum the sum of all bytes between A5 and itself. The first byte of the
 * sequence comes back in the answer. Facts: kbialek/deye-inverter-mqtt `src/deye_modbus.py` and its tests,
 * jmccrohan/pysolarmanv5 `docs/solarmanv5_protocol.rst`.
 */
export function solarmanFraming(logger: number): ModbusFraming {
  // Not the number that this device began with before it was restarted just now: answers may still come.
  let last = Math.floor(Math.random() * 0x100);
  return {
    frame: (unitId, request) => {
      last = (last + 1) & 0xff;
      const sequence = last;
      return {
        bytes: solarmanRequest(logger, sequence, rtuFrame(unitId, request.bytes)),
        find: (bytes) => findAnswer(Buffer.from(bytes), { logger, sequence, unitId, request }),
        open: (frame) => opened(Buffer.from(frame)),
        responseKey: String(sequence),
      };
    },
  };
}

const START = 0xa5;
const END = 0x15;
const REQUEST = 0x4510;
const ANSWER = 0x1510;
const INVERTER = 0x02;
const HEADER_BYTES = 11;
const TRAILER_BYTES = 2;
const REQUEST_PREFIX_BYTES = 15;
const ANSWER_PREFIX_BYTES = 14;
/** More than any RTU frame takes. */
const MAX_PAYLOAD_BYTES = 512;

/** A logger's own answer in place of the inverter's: two bytes, the second zero. */
const LOGGER_CODES: Readonly<Record<number, ModbusException>> = {
  5: new ModbusException(11, 'the logger got no answer from a unit of this number'),
  6: new NotForwarded('the logger has another serial number than the address says'),
};

export function solarmanRequest(logger: number, sequence: number, rtu: Uint8Array): Uint8Array {
  const length = REQUEST_PREFIX_BYTES + rtu.length;
  const frame = Buffer.alloc(HEADER_BYTES + length + TRAILER_BYTES);
  frame.writeUInt8(START, 0);
  frame.writeUInt16LE(length, 1);
  frame.writeUInt16LE(REQUEST, 3);
  frame.writeUInt16LE(sequence, 5);
  frame.writeUInt32LE(logger, 7);
  frame.writeUInt8(INVERTER, HEADER_BYTES);
  frame.set(rtu, HEADER_BYTES + REQUEST_PREFIX_BYTES);
  frame.writeUInt8(checksumOf(frame), frame.length - 2);
  frame.writeUInt8(END, frame.length - 1);
  return frame;
}

interface Expected {
  readonly logger: number;
  readonly sequence: number;
  readonly unitId: number;
  readonly request: ModbusPdu;
}

function findAnswer(bytes: Buffer, expected: Expected): FrameMatch {
  if (bytes[0] !== START) return broken(bytes, 'the answer is not Solarman V5');
  if (bytes.length < HEADER_BYTES) return { is: 'more' };
  const length = bytes.readUInt16LE(1);
  const end = HEADER_BYTES + length + TRAILER_BYTES;
  if (length > MAX_PAYLOAD_BYTES) return broken(bytes, 'the frame would be too long');
  if (bytes.length < end) return { is: 'more' };
  const frame = bytes.subarray(0, end);
  if (frame[end - 1] !== END || frame[end - 2] !== checksumOf(frame)) {
    return broken(bytes, 'the checksum is wrong');
  }
  // Heartbeats and reports, which loggers send to every client.
  if (frame.readUInt16LE(3) !== ANSWER) return { is: 'skip', end, reason: 'not an answer', ignorable: true };
  if (frame[5] !== expected.sequence) return { is: 'skip', end, reason: 'the answer was to another request' };
  if (loggerCode(frame) !== undefined) return { is: 'frame', frame, end };
  const rtu = rtuOf(frame);
  const fits = rtu[0] === expected.unitId && answers(rtu.subarray(1, -2), expected.request);
  if (fits && crc16Modbus(rtu) === 0 && frame.readUInt32LE(7) === expected.logger) {
    return { is: 'frame', frame, end };
  }
  return { is: 'skip', end, reason: 'the answer makes no sense', damaged: true };
}

/** The start of the next frame is lost. */
function broken(bytes: Buffer, reason: string): FrameMatch {
  return { is: 'skip', end: bytes.length, reason, damaged: true };
}

/** @throws ModbusException with the logger's own words */
function opened(frame: Buffer): Uint8Array {
  const code = loggerCode(frame);
  if (code !== undefined) throw LOGGER_CODES[code] ?? new ModbusException(4, `the logger answered ${code}`);
  return rtuOf(frame).subarray(1, -2);
}

function rtuOf(frame: Buffer): Buffer {
  const rtu = frame.subarray(HEADER_BYTES + ANSWER_PREFIX_BYTES, -TRAILER_BYTES);
  // Some loggers append the CRC of the frame with its CRC, which is zero (pysolarmanv5).
  const twice =
    rtu.length > 4 && rtu.readUInt16LE(rtu.length - 2) === 0 && crc16Modbus(rtu.subarray(0, -2)) === 0;
  return twice ? rtu.subarray(0, -2) : rtu;
}

function loggerCode(frame: Buffer): number | undefined {
  const content = frame.subarray(HEADER_BYTES + ANSWER_PREFIX_BYTES, -TRAILER_BYTES);
  return content.length === 2 && content[1] === 0 ? content[0] : undefined;
}

/** Of a whole frame, without looking at the sum that it carries. */
function checksumOf(frame: Buffer): number {
  return frame.subarray(1, -2).reduce((sum, byte) => (sum + byte) & 0xff, 0);
}
