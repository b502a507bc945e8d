import { crc16Modbus } from '../../bus/crc16.ts';
import { BadRecording } from '../recording.ts';

/** Modbus over a serial line: unit, function, what it says, CRC with its low byte first. */
export interface RtuFrame {
  readonly unit: number;
  readonly function: number;
  readonly data: Buffer;
}

const CRC_BYTES = 2;
const SHORTEST_RTU = 2 + CRC_BYTES;

/** Solarman V5: A5, length, control, sequence, logger's serial number, payload, checksum, 15. */
const START = 0xa5;
const END = 0x15;
const HEADER_BYTES = 11;
const TRAILER_BYTES = 2;
const ANSWER = 0x1510;
/** What stands in the payload before the Modbus frame. */
const BEFORE_RTU = { request: 15, answer: 14 } as const;

/** What a logger says in two bytes when it has no answer. Source: kbialek/deye-inverter-mqtt. */
const LOGGER_ERRORS: Readonly<Record<number, string>> = {
  5: 'the logger got no answer from the inverter: the Modbus address is another (error 05 00)',
  6: 'the logger has another serial number than the request names (error 06 00)',
};

/** @throws BadRecording when it is not hexadecimal */
export function bytesOf(hex: string): Buffer {
  const digits = hex.replaceAll(/\s/g, '');
  if (digits === '' || digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) {
    throw new BadRecording(`"${hex.slice(0, 32)}" is not hexadecimal`);
  }
  return Buffer.from(digits, 'hex');
}

/**
 * Reads a frame of either kind.
 *
 * @throws BadRecording when it must be rejected
 */
export function rtuFrameOf(bytes: Buffer): RtuFrame {
  if (bytes.toString('latin1', 0, 2) === 'AT') {
    throw new BadRecording('the logger speaks the AT protocol, not Solarman V5');
  }
  return readRtu(bytes[0] === START ? unwrapped(bytes) : bytes);
}

function readRtu(bytes: Buffer): RtuFrame {
  if (bytes.length < SHORTEST_RTU) throw new BadRecording('the Modbus frame is cut short');
  if (crc16Modbus(bytes) !== 0) throw new BadRecording('the CRC of the Modbus frame is wrong');
  const [unit = 0, code = 0] = bytes;
  return { unit, function: code, data: bytes.subarray(2, -CRC_BYTES) };
}

/** @returns the Modbus frame inside */
function unwrapped(bytes: Buffer): Buffer {
  const length = bytes.length > 2 ? bytes.readUInt16LE(1) : Number.POSITIVE_INFINITY;
  const whole = HEADER_BYTES + length + TRAILER_BYTES;
  if (bytes.length < whole) throw new BadRecording('the Solarman frame is cut short');
  if (bytes.length > whole || bytes.at(-1) !== END) {
    throw new BadRecording('the Solarman frame does not end where its length says');
  }
  const before = bytes.readUInt16LE(3) === ANSWER ? BEFORE_RTU.answer : BEFORE_RTU.request;
  const inside = bytes.subarray(HEADER_BYTES + before, -TRAILER_BYTES);
  // Loggers do not always sum up their own errors rightly, and nothing is read from them anyway.
  const error = inside.length === 2 && inside[1] === 0 ? LOGGER_ERRORS[inside[0] ?? 0] : undefined;
  if (error !== undefined) throw new BadRecording(error);
  const sum = bytes.subarray(1, -TRAILER_BYTES).reduce((total, byte) => (total + byte) & 0xff, 0);
  if (sum !== bytes.at(-TRAILER_BYTES)) throw new BadRecording('the checksum of the Solarman frame is wrong');
  // Some loggers add the CRC of the frame with its CRC, which is 0. Source: jmccrohan/pysolarmanv5.
  const twice = inside.length > SHORTEST_RTU && inside.readUInt16LE(inside.length - CRC_BYTES) === 0;
  const once = inside.subarray(0, -CRC_BYTES);
  return twice && crc16Modbus(once) === 0 ? once : inside;
}
