import { answerOf } from '../modbus/register-pdu.ts';
import type { RegisterBank } from '../modbus/register-server.ts';
import type { Attach } from './serve-line.ts';

/** Functions whose requests have eight bytes, and the one whose requests hold their length. */
const FIXED = [3, 4, 6];
const FIXED_BYTES = 8;
const WRITE_SEVERAL = 16;
const LENGTH_AT = 6;
const AROUND_DATA = 9;

/** A request is over long before; what is left of one that was damaged is forgotten. */
const MAX_PENDING_BYTES = 512;

/** Modbus RTU units on a line; units that are not there say nothing. */
export function rtuUnits(bank: RegisterBank, unitIds: readonly number[] = [1]): Attach {
  return (line) => {
    let pending = Buffer.alloc(0);
    const take = (bytes: Buffer): void => {
      pending = Buffer.concat([pending, bytes]).subarray(-MAX_PENDING_BYTES);
      for (let found = findRequest(pending); found !== undefined; found = findRequest(pending)) {
        pending = pending.subarray(found.end);
        const answer = rtuAnswer(bank, unitIds, found.request);
        if (answer !== undefined) line.write(answer);
      }
    };
    line.on('data', take);
    return () => void line.off('data', take);
  };
}

/** A unit's answer to a whole request, and undefined when no unit here is meant or its CRC is wrong. */
export function rtuAnswer(
  bank: RegisterBank,
  unitIds: readonly number[],
  request: Buffer,
): Buffer | undefined {
  const unitId = request.readUInt8(0);
  if (rtuCrc(request) !== 0 || !unitIds.includes(unitId)) return undefined;
  return withCrc(Buffer.concat([request.subarray(0, 1), answerOf(bank, unitId, request.subarray(1, -2))]));
}

export function withCrc(frame: Buffer): Buffer {
  const crc = rtuCrc(frame);
  return Buffer.concat([frame, Buffer.from([crc & 0xff, crc >>> 8])]);
}

/** Bit by bit and apart from the device's own: a mistake in one shall not be made by the other too. */
export function rtuCrc(frame: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of frame) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xa001 : crc >>> 1;
  }
  return crc;
}

function findRequest(bytes: Buffer): { readonly request: Buffer; readonly end: number } | undefined {
  for (let start = 0; start + FIXED_BYTES <= bytes.length; start++) {
    const length = lengthAt(bytes.subarray(start));
    const request = bytes.subarray(start, start + length);
    if (length > 0 && request.length === length && rtuCrc(request) === 0) {
      return { request, end: start + length };
    }
  }
  return undefined;
}

function lengthAt(bytes: Buffer): number {
  const code = bytes.readUInt8(1);
  if (FIXED.includes(code)) return FIXED_BYTES;
  return code === WRITE_SEVERAL ? AROUND_DATA + bytes.readUInt8(LENGTH_AT) : 0;
}
