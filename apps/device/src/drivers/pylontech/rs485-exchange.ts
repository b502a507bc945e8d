import type { FrameMatch, FrameRule } from '../../bus/byte-bus.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';
import type { ModuleAnswer } from './analog.ts';
import { encodeRequest, type PylontechRequest, parseAnswer } from './answers.ts';
import { decodeFrame, locateFrame, MAX_FRAME_LENGTH, nextStart } from './frame.ts';
import type { PylontechLine } from './line.ts';

/**
 * @throws LinkDown when no trustworthy answer came, RequestRefused when the battery refuses
 */
export async function exchange(
  { bus, timeouts }: PylontechLine,
  request: PylontechRequest,
): Promise<readonly ModuleAnswer[]> {
  const sent = encodeRequest(request);
  const rule = answerRule(request, sent, request.all ? timeouts.allMs : timeouts.oneMs);
  const answer = await bus.read(sent, rule);
  if (isConsole(answer)) throw new RequestRefused('this is the console of a battery, not its RS485 port');
  return parseAnswer(request, decodeFrame(answer));
}

/** Only frames that answer the request pass, so that a late answer to another one is not taken for it. */
function answerRule(request: PylontechRequest, sent: Uint8Array, timeoutMs: number): FrameRule {
  return { timeoutMs, responseKey: 'RS485', find: (bytes) => find(bytes, request, sent) };
}

function find(bytes: Uint8Array, request: PylontechRequest, sent: Uint8Array): FrameMatch {
  if (isConsole(bytes)) return { is: 'frame', frame: bytes, end: bytes.length };
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
  return judged(frame, end, request);
}

/** With line ends around it. */
const LONGEST_PROMPT = 64;

/** A console shows what it was sent, complains, and ends in its prompt. */
function isConsole(bytes: Uint8Array): boolean {
  return /[\r\n]\w+>\s*$/.test(Buffer.from(bytes.subarray(-LONGEST_PROMPT)).toString('latin1'));
}

/**
 * A frame that was damaged on the way was the answer, because only the master speaks: no other will come. One that
 * is sound may be to another request.
 */
function judged(frame: Uint8Array, end: number, request: PylontechRequest): FrameMatch {
  const damage = faultIn(() => decodeFrame(frame));
  // A console that repeats what it was sent has more in its line than a frame has; its prompt is still to come.
  if (damage !== undefined && !isAllHex(frame)) return { is: 'skip', end, reason: damage };
  if (damage !== undefined) return { is: 'skip', end, reason: damage, damaged: true };
  const mismatch = faultIn(() => parseAnswer(request, decodeFrame(frame)));
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
