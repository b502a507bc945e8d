import type { FrameMatch, FrameRule } from '../../bus/byte-bus.ts';
import { BadFrame } from '../frame-errors.ts';

/*
 *  A5 | address 1 | command 1 | 08 | data 8 | SUM 1
 *
 * The address is that of the program in a request (40 for the first board, 80 for Bluetooth modules) and the board's
 * number in an answer. SUM is the lowest byte of the sum of all before it. An answer to some commands is several
 * frames, whose data begin with their number, from 1.
 */

const START = 0xa5;
const DATA_LENGTH = 8;
const DATA_OFFSET = 4;
export const FRAME_LENGTH = DATA_OFFSET + DATA_LENGTH + 1;

interface A5Frame {
  readonly address: number;
  readonly command: number;
  readonly data: Uint8Array;
}

/** A request without data, as all that only read are. */
export function encodeA5Request(host: number, command: number): Uint8Array {
  return encodeA5Frame({ address: host, command, data: new Uint8Array(DATA_LENGTH) });
}

export function encodeA5Frame({ address, command, data }: A5Frame): Uint8Array {
  const body = [START, address, command, DATA_LENGTH, ...data];
  return Uint8Array.of(...body, sumOf(body));
}

/**
 * @param bytes one frame and nothing else
 * @throws BadFrame
 */
export function decodeA5Frame(bytes: Uint8Array): A5Frame {
  if (bytes[0] !== START) throw new BadFrame('the frame does not begin with A5');
  if (bytes.length < FRAME_LENGTH) throw new BadFrame('the frame is truncated');
  if (sumOf(bytes.subarray(0, FRAME_LENGTH - 1)) !== bytes[FRAME_LENGTH - 1])
    throw new BadFrame('the checksum is wrong');
  const [, address = 0, command = 0, length] = bytes;
  if (length !== DATA_LENGTH) throw new BadFrame(`the frame holds ${length} bytes of data`);
  return { address, command, data: bytes.subarray(DATA_OFFSET, -1) };
}

/** A request to a board. */
export interface A5Request {
  readonly host: number;
  readonly board: number;
  readonly command: number;
  /** How many frames answer it. */
  readonly frames: number;
}

/** Commands that are answered with several numbered frames; some boards send empty ones behind those with values. */
const NUMBERED: readonly number[] = [0x95, 0x96, 0x57];

function isNumbered(command: number): boolean {
  return NUMBERED.includes(command);
}

/**
 * The data of an answer, of all of its frames.
 *
 * @param bytes whole frames, the first ones in the order of their numbers
 * @throws BadFrame
 */
export function a5Data(
  bytes: Uint8Array,
  { board, command }: Omit<A5Request, 'host' | 'frames'>,
): Uint8Array {
  if (bytes.length === 0 || bytes.length % FRAME_LENGTH !== 0)
    throw new BadFrame('the answer ends within a frame');
  const frames = Array.from({ length: bytes.length / FRAME_LENGTH }, (_, index) => {
    const frame = decodeA5Frame(bytes.subarray(index * FRAME_LENGTH, (index + 1) * FRAME_LENGTH));
    const fault = faultOf(frame, { board, command }, index);
    if (fault !== undefined) throw new BadFrame(fault);
    return frame.data;
  });
  if (!isNumbered(command) && frames.length > 1) throw new BadFrame('more than one frame was recorded');
  return Buffer.concat(frames);
}

/** Why this is not the frame with that index of the answer. */
function faultOf(
  frame: A5Frame,
  { board, command }: Omit<A5Request, 'host' | 'frames'>,
  index: number,
): string | undefined {
  if (frame.address !== board) return `board ${frame.address} answered in place of ${board}`;
  if (frame.command !== command) return `the frame answers another command (${frame.command.toString(16)})`;
  const [number] = frame.data;
  return isNumbered(command) && number !== index + 1
    ? `frame ${number} came in place of ${index + 1}`
    : undefined;
}

/**
 * Passes all frames of the answer at once.
 *
 * @param check throws BadFrame when the data are not what the answer must hold
 */
export function a5Rule(
  request: A5Request,
  check: (data: Uint8Array) => unknown,
  timeoutMs: number,
): FrameRule {
  const { host, command } = request;
  const sent = encodeA5Request(host, command);
  return {
    timeoutMs,
    responseKey: `A5 ${host} ${command}`,
    find: (bytes) => {
      const found = find(bytes, request, sent);
      return found.is === 'frame' ? checked(found, () => check(a5Data(found.frame, request))) : found;
    },
  };
}

function checked(found: Extract<FrameMatch, { readonly is: 'frame' }>, check: () => unknown): FrameMatch {
  try {
    check();
    return found;
  } catch (error) {
    if (error instanceof BadFrame) return { is: 'skip', end: found.end, reason: error.message };
    throw error;
  }
}

function find(bytes: Uint8Array, request: A5Request, sent: Uint8Array): FrameMatch {
  const start = bytes.indexOf(START);
  if (start !== 0) return { is: 'skip', end: start < 0 ? bytes.length : start, reason: 'noise' };
  for (let index = 0; index < request.frames; index++) {
    const at = index * FRAME_LENGTH;
    const frame = bytes.subarray(at, at + FRAME_LENGTH);
    if (frame.length < FRAME_LENGTH) return { is: 'more' };
    if (Buffer.compare(frame, sent) === 0)
      return { is: 'skip', end: at + FRAME_LENGTH, reason: 'an echo', ignorable: true };
    const fault = judged(frame, request, index);
    if (fault === undefined) continue;
    return fault.isDamage ? damaged(bytes, at, fault.reason) : skipped(frame, at, request, fault.reason);
  }
  const end = request.frames * FRAME_LENGTH;
  return { is: 'frame', frame: bytes.subarray(0, end), end };
}

function judged(
  bytes: Uint8Array,
  request: A5Request,
  index: number,
): { readonly reason: string; readonly isDamage: boolean } | undefined {
  try {
    const reason = faultOf(decodeA5Frame(bytes), request, index);
    return reason === undefined ? undefined : { reason, isDamage: false };
  } catch (error) {
    if (error instanceof BadFrame) return { reason: error.message, isDamage: true };
    throw error;
  }
}

/** A frame that stands at the end was the answer or its last part; behind others the next may begin anywhere. */
function damaged(bytes: Uint8Array, at: number, reason: string): FrameMatch {
  const isLast = bytes.length === at + FRAME_LENGTH;
  return isLast
    ? { is: 'skip', end: bytes.length, reason, damaged: true }
    : { is: 'skip', end: at + 1, reason };
}

/** Empty frames that follow an answer are no errors. */
function skipped(bytes: Uint8Array, at: number, request: A5Request, reason: string): FrameMatch {
  const end = at + FRAME_LENGTH;
  const { command, data } = decodeA5Frame(bytes);
  const [number = 0] = data;
  const isTrailing = isNumbered(command) && (command !== request.command || number > request.frames);
  return { is: 'skip', end, reason, ...(isTrailing ? { ignorable: true as const } : {}) };
}

function sumOf(bytes: Uint8Array | readonly number[]): number {
  return [...bytes].reduce((sum, byte) => sum + byte, 0) & 0xff;
}
