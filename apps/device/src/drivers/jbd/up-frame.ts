import type { FrameRule } from '../../bus/byte-bus.ts';
import { crc16Modbus } from '../../bus/crc16.ts';
import { type FrameForm, findAnswer } from '../find-answer.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';

/*
 * Request:  unit 1 | 78 | first 2 | end 2 | 0 2 | CRC 2
 * Answer:   unit 1 | 78 | first 2 | end 2 | LENGTH 2 | data n | CRC 2
 * Refusal:  unit 1 | F8 | exception 1 | CRC 2
 *
 * Most significant byte first but for the CRC, which is that of Modbus. 79 would write.
 */

const READ = 0x78;
const REFUSED = 0xf8;
const LENGTH_OFFSET = 6;
const DATA_OFFSET = 8;
const CRC_LENGTH = 2;
const REFUSAL_LENGTH = 5;
/** More than 32 cells and all other values take. */
const LONGEST = 512;

/** A range of addresses that is read at once. */
export interface UpRange {
  readonly first: number;
  readonly end: number;
}

/** All values of a pack. */
export const PACK_STATUS: UpRange = { first: 0x1000, end: 0x10a0 };

type UpAnswer = { readonly exception: number } | { readonly range: UpRange; readonly data: Uint8Array };

export function encodeUpRequest(unit: number, { first, end }: UpRange): Uint8Array {
  const head = Buffer.from([unit, READ, 0, 0, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(first, 2);
  head.writeUInt16BE(end, 4);
  head.writeUInt16LE(crc16Modbus(head.subarray(0, -CRC_LENGTH)), head.length - CRC_LENGTH);
  return head;
}

const answerForm = (unit: number): FrameForm<UpAnswer> => ({
  start: unit,
  seconds: [READ, REFUSED],
  longest: LONGEST,
  lengthIn: lengthInAnswer,
  decode: decodeUpAnswer,
});

function lengthInAnswer(bytes: Uint8Array): number | undefined {
  if (bytes[1] === REFUSED) return REFUSAL_LENGTH;
  const [high, low] = bytes.subarray(LENGTH_OFFSET, DATA_OFFSET);
  if (high === undefined || low === undefined) return undefined;
  return DATA_OFFSET + ((high << 8) | low) + CRC_LENGTH;
}

/** @throws BadFrame */
function decodeUpAnswer(bytes: Uint8Array): UpAnswer {
  const length = lengthInAnswer(bytes);
  if (length === undefined || bytes.length < length) throw new BadFrame('the frame is truncated');
  if (bytes.length > length) throw new BadFrame(`${bytes.length - length} bytes follow the frame`);
  if (crc16Modbus(bytes) !== 0) throw new BadFrame('the checksum is wrong');
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes[1] === REFUSED) return { exception: view.getUint8(2) };
  if (bytes[1] !== READ) throw new BadFrame('the frame does not answer function 78');
  const range = { first: view.getUint16(2), end: view.getUint16(4) };
  return { range, data: bytes.subarray(DATA_OFFSET, -CRC_LENGTH) };
}

/**
 * The data of an answer.
 *
 * @param bytes one frame and nothing else
 * @throws BadFrame, RequestRefused
 */
export function upData(bytes: Uint8Array, unit: number, range: UpRange): Uint8Array {
  if (bytes[0] !== unit) throw new BadFrame(`unit ${bytes[0]} answered in place of ${unit}`);
  const answer = decodeUpAnswer(bytes);
  if ('exception' in answer)
    throw new RequestRefused(`unit ${unit} refuses (Modbus exception ${answer.exception})`);
  if (!isSame(answer.range, range)) throw new BadFrame('the frame answers another request');
  return answer.data;
}

/**
 * Passes the answer to this request, or a refusal.
 *
 * @param check throws BadFrame when the data are not what the answer must hold
 */
export function upRule(
  unit: number,
  range: UpRange,
  check: (data: Uint8Array) => unknown,
  timeoutMs: number,
): FrameRule {
  const answers = (answer: UpAnswer): boolean => {
    if ('exception' in answer) return true;
    if (!isSame(answer.range, range)) return false;
    check(answer.data);
    return true;
  };
  const awaited = { sent: encodeUpRequest(unit, range), answers };
  const form = answerForm(unit);
  return { timeoutMs, responseKey: `UP ${unit}`, find: (bytes) => findAnswer(bytes, form, awaited) };
}

function isSame(one: UpRange, other: UpRange): boolean {
  return one.first === other.first && one.end === other.end;
}
