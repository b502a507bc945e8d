import type { FrameMatch } from '../bus/byte-bus.ts';
import { BadFrame } from './frame-errors.ts';

/** The form of a protocol whose frames begin with a known byte and have their length in them. */
export interface FrameForm<Frame> {
  readonly start: number;
  /** Bytes that may follow the first one; any when left out. */
  readonly seconds?: readonly number[];
  /** The length of the longest frame; what claims to be longer is none. */
  readonly longest: number;
  /** The length of the whole frame that begins with these bytes, once enough of it is there. */
  readonly lengthIn: (bytes: Uint8Array) => number | undefined;
  /**
   * @param bytes one frame and nothing else
   * @throws BadFrame when it is damaged
   */
  readonly decode: (bytes: Uint8Array) => Frame;
}

export interface Awaited<Frame> {
  /** The request, whose echo is ignored. */
  readonly sent: Uint8Array;
  /** Whether a sound frame answers it; throws BadFrame when its contents are not what the answer must hold. */
  readonly answers: (frame: Frame) => boolean;
}

/** Looks for the answer in everything that has come in, for `FrameRule.find`. */
export function findAnswer<Frame>(
  bytes: Uint8Array,
  form: FrameForm<Frame>,
  { sent, answers }: Awaited<Frame>,
): FrameMatch {
  const shared = Math.min(bytes.length, sent.length);
  if (Buffer.compare(bytes.subarray(0, shared), sent.subarray(0, shared)) === 0) {
    return shared < sent.length
      ? { is: 'more' }
      : { is: 'skip', end: sent.length, reason: 'an echo', ignorable: true };
  }
  const start = startIn(bytes, form);
  if (start !== 0) return { is: 'skip', end: start, reason: 'noise' };
  const length = form.lengthIn(bytes);
  if (length !== undefined && length > form.longest)
    return { is: 'skip', end: 1, reason: `no frame is ${length} bytes long` };
  if (length === undefined || bytes.length < length) return { is: 'more' };
  const frame = bytes.subarray(0, length);
  try {
    if (answers(form.decode(frame))) return { is: 'frame', frame, end: length };
    return { is: 'skip', end: length, reason: 'the frame answers another request' };
  } catch (error) {
    if (!(error instanceof BadFrame)) throw error;
    // Standing alone it was the answer; else the next frame may begin anywhere behind its first byte.
    const { message: reason } = error;
    return bytes.length === length
      ? { is: 'skip', end: length, reason, damaged: true }
      : { is: 'skip', end: 1, reason };
  }
}

/** The index at which a frame may begin, which may be the end. */
function startIn<Frame>(bytes: Uint8Array, { start, seconds }: FrameForm<Frame>): number {
  for (let at = bytes.indexOf(start); at >= 0; at = bytes.indexOf(start, at + 1)) {
    const second = bytes[at + 1];
    if (second === undefined || seconds === undefined || seconds.includes(second)) return at;
  }
  return bytes.length;
}
