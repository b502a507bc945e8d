import type { FrameMatch, FrameRule } from '../../bus/byte-bus.ts';
import { BadFrame } from '../frame-errors.ts';
import { sumOf, viewOf } from './bytes.ts';

/*
 *  4E 57 | LENGTH 2 | terminal 4 | command 1 | source 1 | transport 1 | data n | record number 4 | 68 | 0 0 | SUM 2
 *
 * Most significant byte first. LENGTH counts itself and everything behind it. SUM is of all bytes before its four.
 */

const START = [0x4e, 0x57] as const;
const START_MARK = Uint8Array.from(START);
const LENGTH_OFFSET = 2;
const COMMAND_OFFSET = 8;
const TRANSPORT_OFFSET = 10;
const DATA_OFFSET = 11;
const AFTER_DATA = 9;
const END = 0x68;
const CHECKSUM_LENGTH = 4;
const SHORTEST = DATA_OFFSET + AFTER_DATA;
/** More than 32 cells and all tags take. */
const LONGEST = 1_024;

const READ_ALL = 0x06;
const COMPUTER = 0x03;
const REQUEST = 0;
const ANSWER = 1;

interface UartFrame {
  readonly command: number;
  /** 0 is a request, 1 an answer, 2 what the BMS sends by itself. */
  readonly transport: number;
  readonly data: Uint8Array;
}

export function encodeUartFrame({ command, transport, data }: UartFrame): Uint8Array {
  const length = SHORTEST + data.length - LENGTH_OFFSET;
  const source = transport === REQUEST ? COMPUTER : 0;
  const head = [...START, length >> 8, length & 0xff, 0, 0, 0, 0, command, source, transport];
  return withUartChecksum(Uint8Array.from([...head, ...data, 0, 0, 0, 0, END, 0, 0, 0, 0]));
}

/** A whole frame with the checksum of its content. */
export function withUartChecksum(frame: Uint8Array): Uint8Array {
  const body = frame.subarray(0, -CHECKSUM_LENGTH);
  const sum = sumOf(body);
  return Uint8Array.from([...body, 0, 0, (sum >> 8) & 0xff, sum & 0xff]);
}

/** The request for all values of the BMS. */
export const READ_ALL_REQUEST = encodeUartFrame({
  command: READ_ALL,
  transport: REQUEST,
  data: Uint8Array.of(0),
});

/**
 * The tags and values of an answer.
 *
 * @param bytes one frame and nothing else
 * @throws BadFrame
 */
export function answerData(bytes: Uint8Array): Uint8Array {
  const { command, transport, data } = decodeUartFrame(bytes);
  if (transport !== ANSWER) throw new BadFrame('the frame is not an answer');
  if (command !== READ_ALL) throw new BadFrame(`the frame answers another command (${command})`);
  return data;
}

/** @throws BadFrame */
function decodeUartFrame(bytes: Uint8Array): UartFrame {
  if (bytes[0] !== START[0] || bytes[1] !== START[1])
    throw new BadFrame('the frame does not begin with 4E 57');
  const length = lengthIn(bytes);
  if (length === undefined || bytes.length < length) throw new BadFrame('the frame is truncated');
  if (bytes.length > length) throw new BadFrame(`${bytes.length - length} bytes follow the frame`);
  if (length < SHORTEST) throw new BadFrame('the frame is too short');
  const checksumAt = length - CHECKSUM_LENGTH;
  const sum = sumOf(bytes.subarray(0, checksumAt)) & 0xffff;
  const expected = Buffer.from(bytes).readUInt32BE(checksumAt);
  if (sum !== expected) throw new BadFrame('the checksum is wrong');
  if (bytes[checksumAt - 1] !== END) throw new BadFrame('the frame has no end mark');
  return {
    command: bytes[COMMAND_OFFSET] ?? 0,
    transport: bytes[TRANSPORT_OFFSET] ?? 0,
    data: bytes.subarray(DATA_OFFSET, length - AFTER_DATA),
  };
}

/** The whole frame's length, once enough of it is there. */
function lengthIn(bytes: Uint8Array): number | undefined {
  const [, , high, low] = bytes;
  return high === undefined || low === undefined ? undefined : ((high << 8) | low) + LENGTH_OFFSET;
}

/** @param check throws BadFrame when the data are not what the answer must hold */
export function uartRule(check: (data: Uint8Array) => unknown, timeoutMs: number): FrameRule {
  return { timeoutMs, find: (bytes) => find(bytes, check) };
}

function find(bytes: Uint8Array, check: (data: Uint8Array) => unknown): FrameMatch {
  const start = startIn(bytes);
  if (start > 0) return { is: 'skip', end: start, reason: 'noise' };
  const length = lengthIn(bytes);
  if (length === undefined) return { is: 'more' };
  const beyondStart = START.length;
  if (length < SHORTEST || length > LONGEST) {
    return { is: 'skip', end: beyondStart, reason: `no frame is ${length} bytes long` };
  }
  if (bytes.length < length) return { is: 'more' };
  const frame = bytes.subarray(0, length);
  try {
    const { transport } = decodeUartFrame(frame);
    if (transport === REQUEST) return { is: 'skip', end: length, reason: 'an echo', ignorable: true };
    check(answerData(frame));
  } catch (error) {
    if (!(error instanceof BadFrame)) throw error;
    // Behind a beginning that was cut off, the next frame may begin anywhere.
    return { is: 'skip', end: beyondStart, reason: error.message };
  }
  return { is: 'frame', frame, end: length };
}

/** The index of the start mark, or of a part of it at the end. */
function startIn(bytes: Uint8Array): number {
  const whole = viewOf(bytes).indexOf(START_MARK);
  if (whole >= 0) return whole;
  return bytes.at(-1) === START[0] ? bytes.length - 1 : bytes.length;
}
