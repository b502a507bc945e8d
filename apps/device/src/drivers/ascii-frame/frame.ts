import { BadFrame } from '../frame-errors.ts';

/*
 * The ASCII frame of Chinese power supply monitoring (YD/T 1363), as battery management systems speak it on RS485
 * and RS232: Pylontech and Seplos V2 with version 2.0, PACE with 2.5.
 *
 *  ~ | VER 2 | ADR 2 | CID1 2 | CID2 2 | LENGTH 4 | INFO n | CHKSUM 4 | CR
 *
 * All between ~ and CR is upper-case hexadecimal; the numbers count characters. CID1 is 46 for batteries. CID2 is
 * the command in a request and the return code in an answer, so an answer does not say what it answers.
 */

const START = 0x7e;
const END = 0x0d;
const BATTERY = 0x46;
const BEFORE_INFO = 12;
const CHECKSUM_LENGTH = 4;
const MAX_INFO_LENGTH = 0xfff;

/** The longest there can be, with both delimiters. */
export const MAX_FRAME_LENGTH = 1 + BEFORE_INFO + MAX_INFO_LENGTH + CHECKSUM_LENGTH + 1;

export interface AsciiFrame {
  /** Two hexadecimal digits of major and minor version, such as 0x25. */
  readonly version: number;
  /** Of the battery. */
  readonly address: number;
  /** The command in a request, the return code in an answer. */
  readonly code: number;
  readonly info: Uint8Array;
}

export function encodeFrame({ version, address, code, info }: AsciiFrame): Uint8Array {
  const text = Buffer.from(info).toString('hex').toUpperCase();
  const head = [version, address, BATTERY, code].map((byte) => hex(byte, 2)).join('');
  const body = `${head}${hex(lengthField(text.length), 4)}${text}`;
  return Buffer.from(`~${body}${hex(checksum(body), 4)}\r`, 'latin1');
}

/**
 * @param bytes one frame from its `~` to its carriage return, and nothing else
 * @throws BadFrame
 */
export function decodeFrame(bytes: Uint8Array): AsciiFrame {
  if (bytes[0] !== START) throw new BadFrame('the frame does not begin with ~');
  if (bytes.at(-1) !== END) throw new BadFrame('the frame has no end: it is truncated');
  const body = Buffer.from(bytes.subarray(1, -1)).toString('latin1');
  if (!/^[0-9A-F]*$/.test(body)) throw new BadFrame('the frame holds more than hexadecimal digits');
  if (body.length < BEFORE_INFO + CHECKSUM_LENGTH) throw new BadFrame('the frame is too short');
  const info = body.slice(BEFORE_INFO, -CHECKSUM_LENGTH);
  const expected = number(body.slice(-CHECKSUM_LENGTH));
  if (expected !== checksum(body.slice(0, -CHECKSUM_LENGTH))) throw new BadFrame('the checksum is wrong');
  const length = number(body.slice(8, BEFORE_INFO));
  if (length !== lengthField(length & MAX_INFO_LENGTH))
    throw new BadFrame('the checksum of the length is wrong');
  if ((length & MAX_INFO_LENGTH) !== info.length || info.length % 2 !== 0) {
    throw new BadFrame(`the frame holds ${info.length} characters and says ${length & MAX_INFO_LENGTH}`);
  }
  const [version = 0, address = 0, cid1 = 0, code = 0] = Buffer.from(body.slice(0, 8), 'hex');
  if (cid1 !== BATTERY) throw new BadFrame(`the frame is about device type ${hex(cid1, 2)}, not a battery`);
  return { version, address, code, info: Buffer.from(info, 'hex') };
}

/** The position of the first frame; `end` is undefined while it is incomplete. */
export function locateFrame(bytes: Uint8Array): { start: number; end: number | undefined } | undefined {
  const start = bytes.indexOf(START);
  if (start < 0) return undefined;
  const end = bytes.indexOf(END, start);
  return { start, end: end < 0 ? undefined : end + 1 };
}

/** The next beginning after the one at `start`: what stands before it was cut off. */
export function nextStart(bytes: Uint8Array, start: number): number {
  return bytes.indexOf(START, start + 1);
}

/** A whole frame with the checksum of its content; a console's text, which has none, as it is. */
export function withChecksum(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== START) return bytes;
  const body = Buffer.from(bytes.subarray(1, -1 - CHECKSUM_LENGTH)).toString('latin1');
  return Buffer.from(`~${body}${hex(checksum(body), 4)}\r`, 'latin1');
}

/** LENGTH: the number of characters below, the two's complement of the sum of its digits in the highest four bits. */
function lengthField(characters: number): number {
  const sum = (characters & 0xf) + ((characters >> 4) & 0xf) + ((characters >> 8) & 0xf);
  return ((-sum & 0xf) << 12) | characters;
}

/** CHKSUM: the two's complement of the sum of all characters before it. */
function checksum(text: string): number {
  const sum = Buffer.from(text, 'latin1').reduce((total, byte) => total + byte, 0);
  return -sum & 0xffff;
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

function number(text: string): number {
  return Number.parseInt(text, 16);
}
