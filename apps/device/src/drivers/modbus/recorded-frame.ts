import { crc16Modbus } from '../../bus/crc16.ts';
import { BadRecording } from '../recording.ts';

/** How Modbus frames are delimited: a head with their length (TCP), or a checksum (RTU), perhaps inside a logger's frame. */
export type RecordedFraming = 'tcp' | 'rtu';

/** A Modbus frame of either kind: unit, function, data. */
export interface ParsedModbusFrame {
  readonly framing: RecordedFraming;
  /** Of Modbus TCP: an answer has that of its request. */
  readonly transaction: number | undefined;
  readonly unit: number;
  readonly function: number;
  readonly data: Buffer;
}

/*
 * Modbus TCP:   transaction 2 | protocol 2, always 0 | bytes that follow 2 | unit 1 | function 1 | data
 * Modbus RTU:   unit 1 | function 1 | data | CRC 2, low byte first
 * Solarman V5:  A5 | length 2 | control 2 | sequence 2 | logger 4 | payload, Modbus RTU at its end | checksum 1 | 15
 */
const TCP_HEAD_BYTES = 6;
const PROTOCOL_AT = 2;
const LENGTH_AT = 4;

const CRC_BYTES = 2;
const MIN_RTU_LENGTH = 2 + CRC_BYTES;

const GOODWE_START = 0xaa55;

const SOLARMAN_START = 0xa5;
const SOLARMAN_END = 0x15;
const HEADER_BYTES = 11;
const TRAILER_BYTES = 2;
const ANSWER = 0x1510;
/** Bytes of the payload before the Modbus frame. */
const BEFORE_RTU = { request: 15, answer: 14 } as const;

/** The two-byte error codes of a logger without an answer. Source: kbialek/deye-inverter-mqtt. */
const LOGGER_ERRORS: Readonly<Record<number, string>> = {
  5: 'the logger got no answer from the inverter: the Modbus address is another (error 05 00)',
  6: 'the logger has another serial number than the request names (error 06 00)',
};

/**
 * Reads a frame of either kind.
 *
 * @param what the frame is, for errors
 * @param usual the framing of most recordings of the family, which errors are about
 * @throws BadRecording when it must be rejected
 */
export function parseModbusFrame(
  bytes: Buffer,
  what: 'the request' | 'the answer',
  usual: RecordedFraming,
): ParsedModbusFrame {
  const isTcp = hasTcpHead(bytes);
  const isSealed = bytes.length >= MIN_RTU_LENGTH && crc16Modbus(bytes) === 0;
  if (usual === 'tcp' && !isTcp && !isSealed) throw notTcp(bytes, what);
  // Either may look like the other by chance.
  if (isTcp && (usual === 'tcp' || !isSealed)) {
    const [unit = 0, code = 0] = bytes.subarray(TCP_HEAD_BYTES);
    return {
      framing: 'tcp',
      transaction: bytes.readUInt16BE(0),
      unit,
      function: code,
      data: bytes.subarray(TCP_HEAD_BYTES + 2),
    };
  }
  if (bytes.toString('latin1', 0, 2) === 'AT') {
    throw new BadRecording('the logger speaks the AT protocol, not Solarman V5');
  }
  // The Wi-Fi module of GoodWe puts AA 55 before the answer. Source: marcelblijleven/goodwe.
  if (bytes.length > 2 && bytes.readUInt16BE(0) === GOODWE_START) return parseRtu(bytes.subarray(2));
  return parseRtu(bytes[0] === SOLARMAN_START ? unwrapped(bytes) : bytes);
}

/** @throws BadRecording when it is not hexadecimal */
export function bytesOf(hex: string): Buffer {
  const digits = hex.replaceAll(/\s/g, '');
  if (digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) {
    throw new BadRecording(`"${hex.slice(0, 32)}" is not hexadecimal`);
  }
  return Buffer.from(digits, 'hex');
}

function hasTcpHead(bytes: Buffer): boolean {
  return (
    bytes.length >= TCP_HEAD_BYTES + 2 &&
    bytes.readUInt16BE(PROTOCOL_AT) === 0 &&
    bytes.readUInt16BE(LENGTH_AT) === bytes.length - TCP_HEAD_BYTES
  );
}

function notTcp(bytes: Buffer, what: string): BadRecording {
  const whole = `${what} is not one whole frame`;
  if (bytes.length < TCP_HEAD_BYTES + 2) return new BadRecording(`${whole}: it is too short`);
  if (bytes.readUInt16BE(PROTOCOL_AT) !== 0) {
    return new BadRecording(`${whole}: it is no Modbus TCP frame, and no other one with a right CRC`);
  }
  const [announced, following] = [bytes.readUInt16BE(LENGTH_AT), bytes.length - TCP_HEAD_BYTES];
  return new BadRecording(
    `${whole}: it is truncated or corrupt, for it announces ${announced} bytes, and ${following} follow`,
  );
}

function parseRtu(bytes: Buffer): ParsedModbusFrame {
  if (bytes.length < MIN_RTU_LENGTH) throw new BadRecording('the Modbus frame is cut short');
  if (crc16Modbus(bytes) !== 0) throw new BadRecording('the CRC of the Modbus frame is wrong');
  const [unit = 0, code = 0] = bytes;
  return {
    framing: 'rtu',
    transaction: undefined,
    unit,
    function: code,
    data: bytes.subarray(2, -CRC_BYTES),
  };
}

/** @returns the Modbus frame inside */
function unwrapped(bytes: Buffer): Buffer {
  const length = bytes.length > 2 ? bytes.readUInt16LE(1) : Number.POSITIVE_INFINITY;
  const whole = HEADER_BYTES + length + TRAILER_BYTES;
  if (bytes.length < whole) throw new BadRecording('the Solarman frame is cut short');
  if (bytes.length > whole || bytes.at(-1) !== SOLARMAN_END) {
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
  const twice = inside.length > MIN_RTU_LENGTH && inside.readUInt16LE(inside.length - CRC_BYTES) === 0;
  const once = inside.subarray(0, -CRC_BYTES);
  return twice && crc16Modbus(once) === 0 ? once : inside;
}
