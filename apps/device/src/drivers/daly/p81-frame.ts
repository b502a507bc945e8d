import type { FrameRule } from '../../bus/byte-bus.ts';
import { crc16Modbus } from '../../bus/crc16.ts';
import { type FrameForm, findAnswer } from '../find-answer.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';
import type { RegisterValues } from '../registers.ts';

/*
 * Frames of Modbus RTU, but for the address: a board is requested at 80 plus its number, and answers as 50 plus it.
 *
 *  Request:  80 + board 1 | 03 | first register 2 | count 2 | CRC 2
 *  Answer:   50 + board 1 | 03 | bytes 1 | registers 2 each | CRC 2
 *  Refusal:  50 + board 1 | 83 | exception 1 | CRC 2
 */

const REQUESTED = 0x80;
const ANSWERING = 0x50;
const READ = 0x03;
const REFUSED = 0x83;
const COUNT_OFFSET = 2;
const DATA_OFFSET = 3;
const CRC_LENGTH = 2;
const REQUEST_LENGTH = 8;

/** Registers that are read at once. */
export interface P81Block {
  readonly first: number;
  readonly count: number;
}

export function encodeP81Request(board: number, { first, count }: P81Block): Uint8Array {
  const frame = Buffer.from([REQUESTED + board, READ, 0, 0, 0, 0, 0, 0]);
  frame.writeUInt16BE(first, 2);
  frame.writeUInt16BE(count, 4);
  frame.writeUInt16LE(crc16Modbus(frame.subarray(0, -CRC_LENGTH)), REQUEST_LENGTH - CRC_LENGTH);
  return frame;
}

/**
 * The board and the registers of a request.
 *
 * @throws BadFrame
 */
export function decodeP81Request(bytes: Buffer): { readonly board: number; readonly block: P81Block } {
  const [address = 0, code] = bytes;
  if (bytes.length !== REQUEST_LENGTH || crc16Modbus(bytes) !== 0 || code !== READ || address <= REQUESTED)
    throw new BadFrame('the request is not one that reads registers');
  const block = { first: bytes.readUInt16BE(2), count: bytes.readUInt16BE(4) };
  return { board: address - REQUESTED, block };
}

type P81Answer = { readonly exception: number } | { readonly values: readonly number[] };

function formOf(board: number): FrameForm<P81Answer> {
  return {
    start: ANSWERING + board,
    seconds: [READ, REFUSED],
    longest: DATA_OFFSET + 0xff + CRC_LENGTH,
    lengthIn: lengthInAnswer,
    decode: decodeP81Answer,
  };
}

function lengthInAnswer(bytes: Uint8Array): number | undefined {
  const [, code, count] = bytes;
  if (count === undefined) return undefined;
  return DATA_OFFSET + (code === REFUSED ? 0 : count) + CRC_LENGTH;
}

/** @throws BadFrame */
function decodeP81Answer(bytes: Uint8Array): P81Answer {
  const length = lengthInAnswer(bytes);
  if (length === undefined || bytes.length < length) throw new BadFrame('the frame is truncated');
  if (bytes.length > length) throw new BadFrame(`${bytes.length - length} bytes follow the frame`);
  if (crc16Modbus(bytes) !== 0) throw new BadFrame('the checksum is wrong');
  const [, code, count = 0] = bytes;
  if (code === REFUSED) return { exception: count };
  if (code !== READ) throw new BadFrame('the frame does not answer function 3');
  const view = new DataView(bytes.buffer, bytes.byteOffset + DATA_OFFSET, bytes[COUNT_OFFSET]);
  return { values: Array.from({ length: count >> 1 }, (_, index) => view.getUint16(2 * index)) };
}

/**
 * The registers of an answer.
 *
 * @param bytes one frame and nothing else
 * @throws BadFrame, RequestRefused
 */
export function p81Registers(bytes: Uint8Array, board: number, { first, count }: P81Block): RegisterValues {
  if (bytes[0] !== ANSWERING + board) throw new BadFrame(`the frame is not of board ${board}`);
  const answer = decodeP81Answer(bytes);
  if ('exception' in answer)
    throw new RequestRefused(`board ${board} refuses (Modbus exception ${answer.exception})`);
  if (answer.values.length !== count) throw new BadFrame('the frame answers another request');
  return registersAt(first, answer.values);
}

function registersAt(first: number, values: readonly number[]): RegisterValues {
  return new Map(values.map((value, index) => [first + index, value]));
}

/**
 * Passes an answer of as many registers, or a refusal.
 *
 * @param check throws BadFrame when the registers are not what the answer must hold
 */
export function p81Rule(
  board: number,
  block: P81Block,
  check: (registers: RegisterValues) => unknown,
  timeoutMs: number,
): FrameRule {
  const answers = (answer: P81Answer): boolean => {
    if ('exception' in answer) return true;
    if (answer.values.length !== block.count) return false;
    check(registersAt(block.first, answer.values));
    return true;
  };
  const awaited = { sent: encodeP81Request(board, block), answers };
  const form = formOf(board);
  // An answer has the number of its registers, not their addresses.
  return {
    timeoutMs,
    responseKey: `81 ${board} ${block.count}`,
    find: (bytes) => findAnswer(bytes, form, awaited),
  };
}
