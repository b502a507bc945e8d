import type { FrameMatch } from '../../bus/byte-bus.ts';
import { escapedCheckBytes } from '../voltronic/check-bytes.ts';
import {
  CARRIAGE_RETURN,
  type FrameFormat,
  MAX_FRAME_LENGTH,
  type ParsedAnswer,
  TRAILER_LENGTH,
} from '../voltronic/frame-format.ts';

const BEGINNING = 0x28;

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
  return Uint8Array.of(...bytes, ...escapedCheckBytes(bytes), CARRIAGE_RETURN);
}

/** The text between the `(` and the check bytes of one whole answer; `fault` is the reason why it is rejected. */
export function parseAnswer(frame: Uint8Array): ParsedAnswer {
  if (frame[0] !== BEGINNING) return { fault: 'it does not begin with "("' };
  if (frame.indexOf(CARRIAGE_RETURN) !== frame.length - 1 || frame.length < 1 + TRAILER_LENGTH) {
    return { fault: 'it is not one whole answer that ends with a carriage return' };
  }
  const checked = frame.subarray(0, -TRAILER_LENGTH);
  const [high, low] = escapedCheckBytes(checked);
  if (frame.at(-3) !== high || frame.at(-2) !== low) return { fault: 'its checksum (CRC) is wrong' };
  return { text: Buffer.from(checked.subarray(1)).toString('latin1') };
}

/**
 * Finds an answer among the bytes of a line. No byte of an answer but the first is a `(`, so the last one before
 * a carriage return begins the frame, whatever was cut off before it.
 */
export function findAnswer(bytes: Uint8Array, accepts: (text: string) => boolean): FrameMatch {
  const at = bytes.indexOf(CARRIAGE_RETURN);
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

export const PI30_FORMAT: FrameFormat = {
  queryFrame: frameOf,
  setFrame: frameOf,
  findAnswer,
  parseAnswer,
  acknowledged: ACKNOWLEDGED,
  refused: REFUSED,
};
