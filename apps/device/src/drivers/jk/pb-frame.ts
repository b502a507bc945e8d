import type { FrameMatch, FrameRule } from '../../bus/byte-bus.ts';
import { crc16Modbus } from '../../bus/crc16.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';
import { sumOf, viewOf } from './bytes.ts';

/*
 * Request: unit 1 | 10 | register 2 | 00 01 | 02 | 00 00 | CRC 2
 *
 * It has the form of a Modbus write and changes nothing: the register selects the record.
 *
 * Answer:  55 AA EB 90 | kind 1 | counter 1 | data | SUM 1      a record of 300 bytes, the lowest byte first
 *          unit 1 | 10 | register 2 | 00 01 | CRC 2             an ordinary acknowledgement
 *
 * The record does not say whose it is and the acknowledgement does, so one is no answer without the other.
 */

const START = Uint8Array.of(0x55, 0xaa, 0xeb, 0x90);
const KIND_OFFSET = 4;
export const RECORD_LENGTH = 300;
const ACKNOWLEDGEMENT_LENGTH = 8;
const EXCEPTION_LENGTH = 5;
/** Some adapters put zeros between the two. */
const MAX_PADDING = 2;
/** Behind so much without a beginning nothing is waited for. */
const MAX_NOISE = 1_024;

const WRITE = 0x10;
const EXCEPTION = 0x90;

/** The kinds of record: what stands in the record, and the register that asks for it. */
export const RECORD = {
  settings: { kind: 1, register: 0x161e },
  status: { kind: 2, register: 0x1620 },
  info: { kind: 3, register: 0x161c },
} as const;

export type RecordKind = keyof typeof RECORD;

export function encodePbRequest(unit: number, kind: RecordKind): Uint8Array {
  const { register } = RECORD[kind];
  return withCrc([unit, WRITE, register >> 8, register & 0xff, 0, 1, 2, 0, 0]);
}

export function acknowledgement(unit: number, kind: RecordKind): Uint8Array {
  const { register } = RECORD[kind];
  return withCrc([unit, WRITE, register >> 8, register & 0xff, 0, 1]);
}

function withCrc(body: readonly number[]): Uint8Array {
  const crc = crc16Modbus(Uint8Array.from(body));
  return Uint8Array.from([...body, crc & 0xff, crc >> 8]);
}

/**
 * @param bytes a record of 300 bytes and nothing else
 * @throws BadFrame unless it is a sound record of that kind
 */
export function checkRecord(bytes: Uint8Array, kind: RecordKind): void {
  if (!startsWith(bytes, START)) throw new BadFrame('the record does not begin with 55 AA EB 90');
  if (bytes.length < RECORD_LENGTH) throw new BadFrame('the record is truncated');
  if (bytes.length > RECORD_LENGTH) throw new BadFrame('more than one record was recorded');
  const sum = sumOf(bytes.subarray(0, RECORD_LENGTH - 1)) & 0xff;
  if (sum !== bytes[RECORD_LENGTH - 1]) throw new BadFrame('the checksum is wrong');
  const found = bytes[KIND_OFFSET] ?? 0;
  if (found !== RECORD[kind].kind)
    throw new BadFrame(`the record is of kind ${found}, not ${RECORD[kind].kind}`);
}

/** A record, and what follows it, with the checksum of its content. */
export function withRecordChecksum(frame: Uint8Array): Uint8Array {
  const sum = sumOf(frame.subarray(0, RECORD_LENGTH - 1)) & 0xff;
  return Uint8Array.from(frame, (byte, index) => (index === RECORD_LENGTH - 1 ? sum : byte));
}

export function isRecord(frame: Uint8Array): boolean {
  return startsWith(frame, START);
}

/** Passes the record of that kind with its acknowledgement, or the exception by which the unit refuses. */
export function pbRule(unit: number, kind: RecordKind, timeoutMs: number): FrameRule {
  // An exception names its unit alone; every other answer names both unit and kind.
  return { timeoutMs, responseKey: `JK-PB ${unit}`, find: (bytes) => find(viewOf(bytes), unit, kind) };
}

/** @throws RequestRefused when the frame is an exception */
export function recordOf(frame: Uint8Array): Uint8Array {
  if (frame.length === EXCEPTION_LENGTH)
    throw new RequestRefused(`the BMS refuses (Modbus exception ${frame[2]})`);
  return frame.subarray(0, RECORD_LENGTH);
}

function find(bytes: Buffer, unit: number, kind: RecordKind): FrameMatch {
  const start = bytes.indexOf(START);
  if (start < 0) return findException(bytes, unit);
  if (start > 0) {
    const isEcho = bytes.subarray(0, start).equals(encodePbRequest(unit, kind));
    return { is: 'skip', end: start, reason: 'noise', ...(isEcho ? { ignorable: true } : {}) };
  }
  if (bytes.length < RECORD_LENGTH) return { is: 'more' };
  const record = bytes.subarray(0, RECORD_LENGTH);
  try {
    checkRecord(record, kind);
  } catch (error) {
    if (error instanceof BadFrame) return { is: 'skip', end: START.length, reason: error.message };
    throw error;
  }
  const rest = bytes.subarray(RECORD_LENGTH);
  const padding = rest.findIndex((byte) => byte !== 0);
  const tail = padding < 0 ? rest.subarray(rest.length) : rest.subarray(padding);
  if (rest.length - tail.length <= MAX_PADDING && tail.length < ACKNOWLEDGEMENT_LENGTH) return { is: 'more' };
  if (!startsWith(tail, acknowledgement(unit, kind))) {
    return { is: 'skip', end: RECORD_LENGTH, reason: `the record is not of unit ${unit}` };
  }
  const end = bytes.length - tail.length + ACKNOWLEDGEMENT_LENGTH;
  return { is: 'frame', frame: bytes.subarray(0, end), end };
}

function findException(bytes: Buffer, unit: number): FrameMatch {
  const at = bytes.indexOf(Uint8Array.of(unit, EXCEPTION));
  const exception = bytes.subarray(at, at + EXCEPTION_LENGTH);
  if (at >= 0 && exception.length === EXCEPTION_LENGTH && crc16Modbus(exception) === 0) {
    return { is: 'frame', frame: exception, end: at + EXCEPTION_LENGTH };
  }
  return bytes.length > MAX_NOISE ? { is: 'skip', end: bytes.length, reason: 'noise' } : { is: 'more' };
}

function startsWith(bytes: Uint8Array, beginning: Uint8Array): boolean {
  return beginning.every((byte, index) => bytes[index] === byte);
}
