import type { FrameMatch } from '../../bus/byte-bus.ts';
import type { CheckBytes } from './check-bytes.ts';
import { CARRIAGE_RETURN, MAX_FRAME_LENGTH, type ParsedAnswer, TRAILER_LENGTH } from './frame-format.ts';
import type { RecordedFormat } from './recorded-answers.ts';

/** Differences between the protocols whose frames begin with `^`. */
export interface CaretFrames {
  /** Of answers, and of requests where these have any. */
  readonly checkBytes: (bytes: Uint8Array) => CheckBytes;
  readonly sendsCheckBytes: boolean;
  /** How many bytes behind a command its length counts: the check bytes and the carriage return, or this alone. */
  readonly trailerLength: 1 | 3;
}

const CARET = 0x5e;
/** Other protocols of the maker begin their answers with it. */
const PARENTHESIS = 0x28;

/** `^`, the type and three digits. */
const HEADER_LENGTH = 5;
const HEADER = /^\^D(\d{3})/;
const REQUEST = /^\^[PS](\d{3})/;

const ACKNOWLEDGED = '^1';
const REFUSED = '^0';
const SHORT_ANSWER = /^\^[01]/;

/**
 * Frames that begin with `^`, a type and the number of bytes behind these: `P` queries, `S` sets, `D` answers a query;
 * `^1` acknowledges, `^0` refuses.
 *
 *     ^  P  0  0  5  P  I  check  CR        ^  D  0  0  5  1  8  check  CR        ^  1  check  CR
 *     5E 50 30 30 35 50 49 71 8B  0D        5E 44 30 30 35 31 38 3B 03  0D        5E 31 0B C2  0D
 */
export function caretFormat(frames: CaretFrames): RecordedFormat {
  const parse = (frame: Uint8Array): ParsedAnswer => parseAnswer(frame, frames);
  return {
    queryFrame: (command) => requestFrame('P', command, frames),
    setFrame: (command) => requestFrame('S', command, frames),
    findAnswer: (bytes, accepts) => findAnswer(bytes, accepts, parse),
    parseAnswer: parse,
    acknowledged: ACKNOWLEDGED,
    refused: REFUSED,
    commandOfFrame: (frame) => commandOfFrame(textOf(frame), frames),
    commandOfText: (text) => text.replace(REQUEST, ''),
    answerOfText,
  };
}

function requestFrame(
  type: 'P' | 'S',
  command: string,
  { checkBytes, sendsCheckBytes, trailerLength }: CaretFrames,
): Uint8Array {
  const length = String(command.length + trailerLength).padStart(3, '0');
  const bytes = Buffer.from(`^${type}${length}${command}`, 'latin1');
  return Uint8Array.of(...bytes, ...(sendsCheckBytes ? checkBytes(bytes) : []), CARRIAGE_RETURN);
}

function commandOfFrame(text: string, { trailerLength }: CaretFrames): string {
  const length = Number(REQUEST.exec(text)?.[1] ?? 0);
  return text.slice(HEADER_LENGTH, HEADER_LENGTH + Math.max(0, length - trailerLength));
}

/** The text behind the header of one whole answer, or the answer itself where it is a short one. */
function parseAnswer(frame: Uint8Array, { checkBytes }: CaretFrames): ParsedAnswer {
  if (frame[0] !== CARET) return { fault: 'it does not begin with "^"' };
  if (frame.at(-1) !== CARRIAGE_RETURN || frame.length < TRAILER_LENGTH + ACKNOWLEDGED.length) {
    return { fault: 'it is not one whole answer that ends with a carriage return' };
  }
  const checked = frame.subarray(0, -TRAILER_LENGTH);
  const [high, low] = checkBytes(checked);
  if (frame.at(-3) !== high || frame.at(-2) !== low) return { fault: 'its checksum (CRC) is wrong' };
  return answerOfText(textOf(checked));
}

function answerOfText(text: string): ParsedAnswer {
  if (text === ACKNOWLEDGED || text === REFUSED) return { text };
  return HEADER.test(text)
    ? { text: text.slice(HEADER_LENGTH) }
    : { fault: 'it does not begin with "^D" and its length' };
}

/**
 * The length ends a frame, not the first carriage return, because a check byte may be one. Some answers are longer than
 * their length: the next carriage return ends these.
 */
function findAnswer(
  bytes: Uint8Array,
  accepts: (text: string) => boolean,
  parse: (frame: Uint8Array) => ParsedAnswer,
): FrameMatch {
  const start = bytes.findIndex((byte) => byte !== 0);
  if (start < 0) return { is: 'more' };
  if (bytes[start] !== CARET) return skipForeign(bytes, start);
  const rest = bytes.subarray(start);
  const length = frameLength(rest);
  if (length === 'unknown') return { is: 'skip', end: start + 1, reason: 'not the beginning of an answer' };
  const last = length === 'incomplete' ? -1 : rest.indexOf(CARRIAGE_RETURN, length - 1);
  if (last < 0) {
    if (rest.length <= MAX_FRAME_LENGTH) return { is: 'more' };
    return { is: 'skip', end: bytes.length, reason: 'no end of an answer in sight' };
  }
  const end = start + last + 1;
  const frame = bytes.slice(start, end);
  const answer = parse(frame);
  if ('fault' in answer) return { is: 'skip', end, reason: answer.fault, damaged: true };
  if (!accepts(answer.text)) return { is: 'skip', end, reason: 'the answer to something else' };
  return { is: 'frame', frame, end };
}

/** @param start of bytes that are not the beginning of an answer */
function skipForeign(bytes: Uint8Array, start: number): FrameMatch {
  const caret = bytes.indexOf(CARET, start);
  const end = bytes.indexOf(CARRIAGE_RETURN, start) + 1;
  if (end > 0 && (caret < 0 || end <= caret)) {
    const reason = 'not the beginning of an answer';
    // A whole answer of another protocol: no other will come.
    return bytes[start] === PARENTHESIS
      ? { is: 'skip', end, reason, damaged: true }
      : { is: 'skip', end, reason };
  }
  if (caret >= 0) return { is: 'skip', end: caret, reason: 'not a whole answer' };
  if (bytes.length <= MAX_FRAME_LENGTH) return { is: 'more' };
  return { is: 'skip', end: bytes.length, reason: 'no end of an answer in sight' };
}

/** Of the frame that these bytes begin with. */
function frameLength(bytes: Uint8Array): number | 'incomplete' | 'unknown' {
  const text = textOf(bytes.subarray(0, HEADER_LENGTH));
  if (SHORT_ANSWER.test(text)) return ACKNOWLEDGED.length + TRAILER_LENGTH;
  const length = HEADER.exec(text)?.[1];
  if (length !== undefined) return HEADER_LENGTH + Math.max(TRAILER_LENGTH, Number(length));
  return /^\^(D\d{0,2})?$/.test(text) ? 'incomplete' : 'unknown';
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}
