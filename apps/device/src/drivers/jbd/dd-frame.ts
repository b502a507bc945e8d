import type { FrameRule } from '../../bus/byte-bus.ts';
import { type FrameForm, findAnswer } from '../find-answer.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';

/*
 * Request:  DD | A5 | command 1 | LENGTH 1 | data n | SUM 2 | 77
 * Answer:   DD | command 1 | status 1 | LENGTH 1 | data n | SUM 2 | 77
 *
 * Most significant byte first. SUM is the two's complement of the sum of all between the second byte and itself. A5
 * reads; 5A would write.
 */

const START = 0xdd;
const READ = 0xa5;
const END = 0x77;
const LENGTH_OFFSET = 3;
const DATA_OFFSET = 4;
const AFTER_DATA = 3;
const SUMMED_OFFSET = 2;
const NORMAL = 0;

interface DdAnswer {
  readonly command: number;
  /** 0 is normal. */
  readonly status: number;
  readonly data: Uint8Array;
}

const ANSWER_FORM: FrameForm<DdAnswer> = {
  start: START,
  longest: DATA_OFFSET + 0xff + AFTER_DATA,
  lengthIn: (bytes) => {
    const length = bytes[LENGTH_OFFSET];
    return length === undefined ? undefined : DATA_OFFSET + length + AFTER_DATA;
  },
  decode: decodeDdAnswer,
};

/** A request for all values of a command. */
export function encodeDdRequest(command: number): Uint8Array {
  return Uint8Array.of(START, READ, command, 0, ...sumOf([command, 0]), END);
}

/**
 * The command that a request reads.
 *
 * @throws BadFrame
 */
export function requestedCommand(request: Uint8Array): number {
  const [start, direction, command = 0] = request;
  if (start !== START || direction !== READ) throw new BadFrame('the request does not begin with DD A5');
  return command;
}

/** @throws BadFrame */
function decodeDdAnswer(bytes: Uint8Array): DdAnswer {
  if (bytes[0] !== START) throw new BadFrame('the frame does not begin with DD');
  const length = ANSWER_FORM.lengthIn(bytes);
  if (length === undefined || bytes.length < length) throw new BadFrame('the frame is truncated');
  if (bytes.length > length) throw new BadFrame(`${bytes.length - length} bytes follow the frame`);
  if (bytes[length - 1] !== END) throw new BadFrame('the frame does not end with 77');
  const sumAt = length - AFTER_DATA;
  const [high, low] = sumOf(bytes.subarray(SUMMED_OFFSET, sumAt));
  if (bytes[sumAt] !== high || bytes[sumAt + 1] !== low) throw new BadFrame('the checksum is wrong');
  const [, command = 0, status = 0] = bytes;
  return { command, status, data: bytes.subarray(DATA_OFFSET, sumAt) };
}

/**
 * The data of the answer to a command.
 *
 * @param bytes one frame and nothing else
 * @throws BadFrame, RequestRefused
 */
export function ddData(bytes: Uint8Array, command: number): Uint8Array {
  const answer = decodeDdAnswer(bytes);
  if (answer.command !== command)
    throw new BadFrame(`the frame answers another command (${answer.command.toString(16)})`);
  if (answer.status !== NORMAL)
    throw new RequestRefused(`the BMS refuses (status ${answer.status.toString(16)})`);
  return answer.data;
}

/**
 * Passes only answers to this command.
 *
 * @param check throws BadFrame when the data are not what the answer must hold
 */
export function ddRule(command: number, check: (data: Uint8Array) => unknown, timeoutMs: number): FrameRule {
  const answers = (answer: DdAnswer): boolean => {
    if (answer.command !== command) return false;
    if (answer.status === NORMAL) check(answer.data);
    return true;
  };
  const awaited = { sent: encodeDdRequest(command), answers };
  return {
    timeoutMs,
    responseKey: `DD ${command}`,
    find: (bytes) => findAnswer(bytes, ANSWER_FORM, awaited),
  };
}

function sumOf(bytes: Uint8Array | readonly number[]): readonly [high: number, low: number] {
  const sum = [...bytes].reduce((total, byte) => total - byte, 0) & 0xffff;
  return [sum >> 8, sum & 0xff];
}
