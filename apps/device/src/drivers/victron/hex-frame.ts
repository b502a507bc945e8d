/**
 * A HEX frame: `:` one hexadecimal digit for the command, two for each data byte and for the checksum, LF.
 * Command, data and checksum add up to 0x55 modulo 256. Register numbers and values have their low byte first.
 *
 *     :7 F0ED 00 9600 DB     answer to "get": register 0xEDF0, flags 0, value 0x0096
 *
 * Source: https://github.com/koestler/go-victron (vedirect), whose exchanges all verify.
 */
export interface HexFrame {
  readonly command: number;
  readonly data: Uint8Array;
}

/** Commands, and the answers of the same number. */
export const COMMAND = {
  done: 1,
  ping: 1,
  appVersion: 3,
  productId: 4,
  pong: 5,
  get: 7,
  set: 8,
  async: 0xa,
} as const;

/** Reasons by the flags of an answer without a value. */
export const REFUSALS: Readonly<Record<number, string>> = {
  1: 'it does not know this register',
  2: 'it does not support this register',
  4: 'it does not accept this value',
};

const DIGITS = /^[0-9A-F]+$/;
const CHECK_SUM = 0x55;

/** Far longer than any frame; what is longer is no frame. */
const MAX_DIGITS = 128;

/**
 * The index after the LF of the frame whose colon stands at `at`.
 *
 * @returns `more` when the end may still come, undefined when this colon begins no frame
 */
export function hexEnd(text: string, at: number): number | 'more' | undefined {
  const line = text.slice(at + 1, at + 2 + MAX_DIGITS);
  const length = line.indexOf('\n');
  const digits = length < 0 ? line : line.slice(0, length);
  if (length === 0 || (digits !== '' && !DIGITS.test(digits))) return undefined;
  if (length > 0) return at + 1 + length + 1;
  return digits.length > MAX_DIGITS ? undefined : 'more';
}

/**
 * @param text from the colon to the LF, which may be missing
 * @throws RangeError in plain words when this is no frame, or its checksum is wrong
 */
export function parseHex(text: string): HexFrame {
  const digits = /^:([0-9A-F]{3,})\n?$/.exec(text)?.[1];
  if (digits === undefined || digits.length % 2 === 0) {
    throw new RangeError(`${JSON.stringify(text)} is no HEX frame, or part of one only`);
  }
  // The command is half a byte: with a zero before it, all are whole bytes.
  const bytes = Buffer.from(`0${digits}`, 'hex');
  if (byteSum(bytes) !== CHECK_SUM) throw new RangeError(`the checksum of ${text.trimEnd()} is wrong`);
  return { command: bytes[0] ?? 0, data: bytes.subarray(1, -1) };
}

export function encodeHex(command: number, data: Iterable<number> = []): Uint8Array {
  const bytes = Buffer.from([command, ...data, 0]);
  bytes[bytes.length - 1] = (CHECK_SUM - byteSum(bytes) + 256) % 256;
  return Buffer.from(`:${bytes.toString('hex').toUpperCase().slice(1)}\n`, 'latin1');
}

/** @param value the value's bytes, low byte first; none for "get" */
export function registerFrame(
  command: number,
  id: number,
  flags: number,
  value: Iterable<number> = [],
): Uint8Array {
  return encodeHex(command, [id & 0xff, id >> 8, flags, ...value]);
}

export interface RegisterAnswer {
  readonly id: number;
  readonly flags: number;
  readonly value: Uint8Array;
}

/** The register of a "get", "set" or unsolicited frame; undefined when it is too short. */
export function registerAnswer({ data }: HexFrame): RegisterAnswer | undefined {
  const [low, high, flags] = data;
  if (low === undefined || high === undefined || flags === undefined) return undefined;
  return { id: low + high * 256, flags, value: data.subarray(3) };
}

/** All bytes added up, modulo 256: both protocols of the port check their frames by it. */
export function byteSum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) sum = (sum + byte) & 0xff;
  return sum;
}
