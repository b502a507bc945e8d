import type { RegisterTable } from './modbus-bus.ts';

/**
 * The Modbus PDU, the same in every framing (Modbus Application Protocol 1.1b3):
 *
 *   read  request  03 | address 2 | count 2                        answer  03 | bytes 1 | values
 *                  04, of input registers                         answer  04 | bytes 1 | values
 *   write request  06 | address 2 | value 2                        answer  06 | address 2 | value 2 that was taken
 *   write request  10 | address 2 | count 2 | bytes 1 | values     answer  10 | address 2 | count 2
 *                                                                  refusal function + 80 | code 1
 */
export interface ModbusPdu {
  readonly bytes: Uint8Array;
  /** How its answer begins: what a late answer to another request may not have. */
  readonly answerStart: Uint8Array;
  /** How long its answer is; a refusal has two bytes. */
  readonly answerLength: number;
}

const READ: Readonly<Record<RegisterTable, number>> = { holding: 0x03, input: 0x04 };
const WRITE_ONE = 0x06;
const WRITE_SEVERAL = 0x10;

/** In a request of function 6, and in its answer. */
const VALUE_AT = 3;

const REFUSED = 0x80;
const REFUSAL_BYTES = 2;

const MAX_READ = 125;
const MAX_WRITE = 123;

/** @throws RangeError when the registers are not to be had in one request */
export function readPdu(address: number, count: number, table: RegisterTable = 'holding'): ModbusPdu {
  checkRange(address, count, MAX_READ);
  const bytes = Buffer.from([READ[table], ...word(address), ...word(count)]);
  return { bytes, answerStart: Buffer.from([READ[table], count * 2]), answerLength: 2 + count * 2 };
}

/** @throws RangeError when the registers or values cannot be sent in one request */
export function writePdu(address: number, values: readonly number[], multiple: boolean): ModbusPdu {
  checkRange(address, values.length, multiple ? MAX_WRITE : 1);
  for (const value of values) {
    if (!Number.isInteger(value) || value < 0 || value > 0xffff) {
      throw new RangeError(`${value} is no register value`);
    }
  }
  const data = values.flatMap(word);
  if (!multiple) {
    const bytes = Buffer.from([WRITE_ONE, ...word(address), ...data]);
    return { bytes, answerStart: bytes.subarray(0, VALUE_AT), answerLength: bytes.length };
  }
  const start = [WRITE_SEVERAL, ...word(address), ...word(values.length)];
  return {
    bytes: Buffer.from([...start, data.length, ...data]),
    answerStart: Buffer.from(start),
    answerLength: start.length,
  };
}

/** Whether it is the answer to this request, or the refusal of it. */
export function answers(answer: Uint8Array, { bytes, answerStart, answerLength }: ModbusPdu): boolean {
  if (isRefusal(answer, bytes)) return answer.length === REFUSAL_BYTES;
  return answer.length === answerLength && answerStart.every((byte, index) => answer[index] === byte);
}

/** The exception code, when the answer is a refusal. */
export function refusalCode(answer: Uint8Array): number | undefined {
  return answer.length === REFUSAL_BYTES ? answer[1] : undefined;
}

/** How long the answer is that begins like this, and undefined when it is to something else. */
export function lengthOfAnswer(start: Uint8Array, { bytes, answerStart, answerLength }: ModbusPdu) {
  if (isRefusal(start, bytes)) return REFUSAL_BYTES;
  const known = Math.min(start.length, answerStart.length);
  return answerStart.subarray(0, known).every((byte, index) => start[index] === byte)
    ? answerLength
    : undefined;
}

/** The registers of an answer to a read. */
export function registersOf(answer: Uint8Array): readonly number[] {
  const bytes = Buffer.from(answer.subarray(2));
  return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2));
}

/** The content that an answer to function 6 has for its register; undefined for function 16, which returns none. */
export function takenIn(answer: Uint8Array): number | undefined {
  return answer[0] === WRITE_ONE ? Buffer.from(answer).readUInt16BE(VALUE_AT) : undefined;
}

/** Whether an answer to function 6 names another content than its request. */
export function namesOtherContent(answer: Uint8Array, { bytes }: ModbusPdu): boolean {
  const taken = takenIn(answer);
  return taken !== undefined && taken !== takenIn(bytes);
}

function isRefusal(answer: Uint8Array, request: Uint8Array): boolean {
  return answer[0] === ((request[0] ?? 0) | REFUSED);
}

function checkRange(address: number, count: number, max: number): void {
  const fits = Number.isInteger(address) && address >= 0 && address + count <= 0x1_0000;
  if (!fits || !Number.isInteger(count) || count < 1 || count > max) {
    throw new RangeError(`${count} registers from ${address} cannot be had in one request`);
  }
}

function word(value: number): readonly [number, number] {
  return [value >>> 8, value & 0xff];
}
