import { crc16Modbus } from '../../bus/crc16.ts';
import { ModbusException, type RegisterTable } from '../../bus/modbus-bus.ts';
import {
  BadRecording,
  loggedRegisters,
  type RecordedExchange,
  type RecordedFrame,
  type Recording,
} from '../recording.ts';
import type { RegisterValues } from '../registers.ts';
import { dongleRegistersIn } from './luxpower-dongle.ts';
import { plugBlocksIn } from './plug-blocks.ts';
import { addressIn } from './register-address.ts';

/** Modbus over a serial line: unit, function, data, CRC with its low byte first. */
interface RtuFrame {
  readonly unit: number;
  readonly function: number;
  readonly data: Buffer;
}

const CRC_BYTES = 2;
const SHORTEST_RTU = 2 + CRC_BYTES;

const MBAP_BYTES = 6;

const GOODWE_START = 0xaa55;

/** Solarman V5: A5, length, control, sequence, logger's serial number, payload, checksum, 15. */
const START = 0xa5;
const END = 0x15;
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

/** @throws BadRecording when it is not hexadecimal */
function bytesOf(hex: string): Buffer {
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
function rtuFrameOf(bytes: Buffer): RtuFrame {
  if (bytes.toString('latin1', 0, 2) === 'AT') {
    throw new BadRecording('the logger speaks the AT protocol, not Solarman V5');
  }
  // The Wi-Fi module of GoodWe puts AA 55 before the answer. Source: marcelblijleven/goodwe.
  if (bytes.length > 2 && bytes.readUInt16BE(0) === GOODWE_START) return readRtu(bytes.subarray(2));
  if (isTcp(bytes) && crc16Modbus(bytes) !== 0) {
    const [unit = 0, code = 0] = bytes.subarray(MBAP_BYTES);
    return { unit, function: code, data: bytes.subarray(MBAP_BYTES + 2) };
  }
  return readRtu(bytes[0] === START ? unwrapped(bytes) : bytes);
}

/** Modbus TCP: transaction, protocol 0, length of the rest. */
function isTcp(bytes: Buffer): boolean {
  return (
    bytes.length >= MBAP_BYTES + 2 &&
    bytes.readUInt16BE(2) === 0 &&
    bytes.readUInt16BE(4) === bytes.length - MBAP_BYTES
  );
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

const READ_INPUT = 4;
const READ_FUNCTIONS: readonly number[] = [3, READ_INPUT];
/** Coils, discrete inputs and writes: they have no registers. */
const OTHER_FUNCTIONS: readonly number[] = [1, 2, 5, 6, 15, 16];
const REFUSED = 0x80;

/**
 * The registers that a recording holds, by address; none for a write and its confirmation.
 *
 * @param loggedTable the table of registers that were logged without their frames
 * @throws BadRecording when a frame must be rejected, or the registers have no address
 */
export function recordedRegisters(
  recording: Recording,
  loggedTable: RegisterTable = 'holding',
): RegisterValues {
  const { request, response, exchanges = [], first_register: first } = recording;
  const logged = loggedRegisters(recording).map(
    ([register, value]) => [addressIn(loggedTable, register), value] as const,
  );
  const found = new Map(logged);
  const bytes = response?.hex === undefined ? undefined : bytesOf(response.hex);
  const wrapped = bytes && (plugBlocksIn(bytes) ?? dongleRegistersIn(bytes));
  if (wrapped !== undefined) return new Map([...wrapped, ...logged]);

  const requested = frameOf(request);
  const received = frameOf(response);
  if (received !== undefined && (requested !== undefined || first !== undefined || logged.length === 0)) {
    readInto(found, requested, received, first);
  }
  for (const exchange of exchanges) readExchange(found, exchange);

  const frames = [requested, received].filter((frame) => frame !== undefined).length + exchanges.length;
  if (found.size === 0 && frames === 0)
    throw new BadRecording('the recording holds no frames and no registers');
  return found;
}

/** The one Modbus frame that was written down, perhaps with and without what a logger puts around it. */
function frameOf(frame: RecordedFrame | undefined): RtuFrame | undefined {
  const written = [frame?.modbus_rtu_hex, frame?.solarman_v5_hex, frame?.hex].filter(
    (hex) => typeof hex === 'string',
  );
  const [first, ...others] = written.map((hex) => rtuFrameOf(bytesOf(hex)));
  if (first !== undefined && others.some((other) => !sameFrame(first, other))) {
    throw new BadRecording('the Modbus frame is not the one inside the Solarman frame');
  }
  return first;
}

function readExchange(
  found: Map<number, number>,
  { request_hex: request, response_hex: response }: RecordedExchange,
): void {
  const requested = request === undefined ? undefined : rtuFrameOf(bytesOf(request));
  if (response !== undefined) readInto(found, requested, rtuFrameOf(bytesOf(response)), undefined);
}

function readInto(
  found: Map<number, number>,
  requested: RtuFrame | undefined,
  received: RtuFrame,
  first: number | undefined,
): void {
  if ((received.function & REFUSED) !== 0) {
    throw new BadRecording(`the inverter refused: ${new ModbusException(received.data[0] ?? 0).message}`);
  }
  if (
    requested !== undefined &&
    (requested.unit !== received.unit || requested.function !== received.function)
  ) {
    throw new BadRecording('the answer is to another request');
  }
  if (OTHER_FUNCTIONS.includes(received.function)) return;
  if (!READ_FUNCTIONS.includes(received.function)) {
    throw new BadRecording(`Modbus function ${received.function} is none that reads registers`);
  }
  const { data } = received;
  const values = data.subarray(1);
  if (values.length !== data[0] || values.length % 2 !== 0) {
    throw new BadRecording('the answer does not have as many bytes as it says');
  }
  const start = requested === undefined ? first : requestedAddress(requested, values.length / 2);
  if (start === undefined) {
    throw new BadRecording('the request is missing, so it is unknown which registers these are');
  }
  const table = received.function === READ_INPUT ? 'input' : 'holding';
  for (let at = 0; at < values.length; at += 2) {
    found.set(addressIn(table, start + at / 2), values.readUInt16BE(at));
  }
}

function requestedAddress({ data }: RtuFrame, count: number): number {
  const COMPLETE = 4;
  if (data.length !== COMPLETE) throw new BadRecording('the request is not one that reads registers');
  if (data.readUInt16BE(2) !== count) throw new BadRecording('the answer is to another request');
  return data.readUInt16BE(0);
}

function sameFrame(one: RtuFrame, other: RtuFrame): boolean {
  return one.unit === other.unit && one.function === other.function && one.data.equals(other.data);
}
