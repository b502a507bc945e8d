import type { FrameMatch, FrameRule } from '../../bus/byte-bus.ts';
import { crc16Xmodem } from '../../bus/crc16.ts';

/** Bytes that mean something in a frame (`(`, carriage return, line feed): the CRC steps over them. */
const RESERVED = new Set([0x28, 0x0d, 0x0a]);

/**
 * The two check bytes of a frame, high byte first: CRC-16/XMODEM, of which each byte that would be taken for a
 * character of the frame is one higher.
 */
function checkBytes(bytes: Uint8Array): readonly [high: number, low: number] {
  const crc = crc16Xmodem(bytes);
  return [escapeReserved(crc >> 8), escapeReserved(crc & 0xff)];
}

function escapeReserved(byte: number): number {
  return RESERVED.has(byte) ? byte + 1 : byte;
}

const BEGINNING = 0x28;
const END = 0x0d;
const CHECK_LENGTH = 2;

/** Longer than any answer that there is; what goes on without an end is noise. */
const MAX_FRAME_LENGTH = 512;

/** The answer to an unknown command or a value that is not accepted. */
export const REFUSED = 'NAK';
export const ACKNOWLEDGED = 'ACK';

/**
 * Puts a text into a frame. Requests are the bare command, answers begin with `(`:
 *
 *     Q  P  I      check  CR        (  P  I  3  0    check  CR
 *     51 50 49     BE AC  0D        28 50 49 33 30   9A 0B  0D
 */
export function frameOf(text: string): Uint8Array {
  const bytes = Buffer.from(text, 'latin1');
  return Uint8Array.of(...bytes, ...checkBytes(bytes), END);
}

/** The text between the `(` and the check bytes of one whole answer; `fault` is the reason why it is rejected. */
export function parseAnswer(frame: Uint8Array): { readonly text: string } | { readonly fault: string } {
  if (frame[0] !== BEGINNING) return { fault: 'it does not begin with "("' };
  if (frame.indexOf(END) !== frame.length - 1 || frame.length < 2 + CHECK_LENGTH) {
    return { fault: 'it is not one whole answer that ends with a carriage return' };
  }
  const checked = frame.subarray(0, -1 - CHECK_LENGTH);
  const [high, low] = checkBytes(checked);
  if (frame.at(-3) !== high || frame.at(-2) !== low) return { fault: 'its checksum (CRC) is wrong' };
  return { text: Buffer.from(checked.subarray(1)).toString('latin1') };
}

/**
 * Finds an answer among the bytes of a line. No byte of an answer but the first is a `(`, so the last one before
 * a carriage return begins the frame, whatever was cut off before it.
 *
 * @param accepts whether a text can be the answer: frames do not name their request, so a late one is recognised
 *   by its form alone
 */
export function answerRule(accepts: (text: string) => boolean, timeoutMs: number): FrameRule {
  return { timeoutMs, find: (bytes) => findAnswer(bytes, accepts) };
}

function findAnswer(bytes: Uint8Array, accepts: (text: string) => boolean): FrameMatch {
  const at = bytes.indexOf(END);
  if (at < 0) {
    if (bytes.length <= MAX_FRAME_LENGTH) return { is: 'more' };
    return { is: 'skip', end: bytes.length, reason: 'no end of an answer in sight' };
  }
  const end = at + 1;
  const start = bytes.subarray(0, end).lastIndexOf(BEGINNING);
  if (start < 0) return { is: 'skip', end, reason: 'not the beginning of an answer' };
  if (bytes.subarray(0, start).some((byte) => byte !== 0)) {
    return { is: 'skip', end: start, reason: 'not a whole answer' };
  }
  const frame = bytes.slice(start, end);
  const answer = parseAnswer(frame);
  if ('fault' in answer) return { is: 'skip', end, reason: answer.fault, damaged: true };
  if (!accepts(answer.text)) return { is: 'skip', end, reason: 'the answer to something else' };
  return { is: 'frame', frame, end };
}
