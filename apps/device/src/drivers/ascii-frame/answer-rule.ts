import type { FrameMatch, FrameRule } from '../../bus/byte-bus.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';
import { type AsciiFrame, decodeFrame, locateFrame, MAX_FRAME_LENGTH, nextStart } from './frame.ts';

/** A request, and what makes a frame its answer. */
export interface AsciiExchange {
  /** The frame that is sent; its echo is ignored. */
  readonly sent: Uint8Array;
  /** Throws BadFrame when the frame does not answer the request; RequestRefused makes it an answer, too. */
  readonly parse: (frame: AsciiFrame) => unknown;
  readonly timeoutMs: number;
}

/** Passes only frames that answer the request, so that a late answer to another one is not taken for it. */
export function answerRule(exchange: AsciiExchange): FrameRule {
  return {
    timeoutMs: exchange.timeoutMs,
    responseKey: 'ASCII frame',
    find: (bytes) => findAnswer(bytes, exchange),
  };
}

function findAnswer(bytes: Uint8Array, { sent, parse }: AsciiExchange): FrameMatch {
  const place = locateFrame(bytes);
  if (place === undefined) {
    return bytes.length === 0 ? { is: 'more' } : { is: 'skip', end: bytes.length, reason: 'noise' };
  }
  const { start, end = bytes.length } = place;
  const next = nextStart(bytes, start);
  if (next >= 0 && next < end) return { is: 'skip', end: next, reason: 'the frame is truncated' };
  if (end - start > MAX_FRAME_LENGTH) return { is: 'skip', end, reason: 'the frame has no end' };
  if (place.end === undefined) return { is: 'more' };
  const frame = bytes.subarray(start, end);
  if (Buffer.compare(frame, sent) === 0) {
    return { is: 'skip', end, reason: 'an echo of the request', ignorable: true };
  }
  return judged(frame, end, parse);
}

/**
 * A frame that was damaged on the way was the answer, because only the requested battery speaks: no other will come.
 * One that is sound may be to another request.
 */
function judged(frame: Uint8Array, end: number, parse: AsciiExchange['parse']): FrameMatch {
  const damage = faultIn(() => decodeFrame(frame));
  // A console that repeats what it was sent has more in its line than a frame has; its prompt is still to come.
  if (damage !== undefined && !isAllHex(frame)) return { is: 'skip', end, reason: damage };
  if (damage !== undefined) return { is: 'skip', end, reason: damage, damaged: true };
  const mismatch = faultIn(() => parse(decodeFrame(frame)));
  return mismatch === undefined ? { is: 'frame', frame, end } : { is: 'skip', end, reason: mismatch };
}

function isAllHex(frame: Uint8Array): boolean {
  return /^~[0-9A-F]*\r$/.test(Buffer.from(frame).toString('latin1'));
}

/** The fault of a frame; a refusal is none. */
function faultIn(parse: () => unknown): string | undefined {
  try {
    parse();
  } catch (error) {
    if (error instanceof BadFrame) return error.message;
    if (!(error instanceof RequestRefused)) throw error;
  }
  return undefined;
}
