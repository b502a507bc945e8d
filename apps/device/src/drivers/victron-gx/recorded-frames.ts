import { ModbusException } from '../../bus/modbus-bus.ts';
import { BadRecording, type RecordedExchange } from '../recording.ts';

/*
 * Modbus TCP:  transaction 2 | protocol 2, always 0 | bytes that follow 2 | unit 1 | function 1 | ...
 *   read:      ... address 2 | registers 2
 *   answer:    ... bytes 1 | registers
 *   refusal:   function with its highest bit set, then the exception's code
 */
const UNIT_AT = 6;
const FUNCTION_AT = 7;
const DATA_AT = 8;
const LENGTH_AT = 4;

const READS: readonly number[] = [3, 4];
const WRITES: readonly number[] = [6, 16];
const REFUSED = 0x80;

/** What one answer said: registers of a unit, or why there are none. */
export interface RecordedGxAnswer {
  readonly unitId: number;
  readonly address: number;
  /** Empty for the confirmation of a write. */
  readonly registers: readonly number[];
  /** A GX has no such device or registers: that tells something, too. */
  readonly refusal?: string;
}

/**
 * Reads a request and its answer.
 *
 * @param first the address of the first register, where there is no request
 * @throws BadRecording when a frame must be rejected
 */
export function recordedAnswer(
  { request_hex: request, response_hex: response }: RecordedExchange,
  first?: number,
): RecordedGxAnswer {
  const answer = frameOf(response ?? '');
  const asked = request === undefined ? undefined : frameOf(request);
  const code = answer[FUNCTION_AT] ?? 0;
  const unitId = answer[UNIT_AT] ?? 0;
  if (asked !== undefined && !isAnswerTo(asked, answer)) {
    throw new BadRecording('the answer is to another request');
  }
  if ((code & REFUSED) !== 0) {
    const refusal = new ModbusException(answer[DATA_AT] ?? 0).message;
    return { unitId, address: 0, registers: [], refusal };
  }
  if (WRITES.includes(code)) return { unitId, address: 0, registers: [] };
  if (!READS.includes(code)) throw new BadRecording(`Modbus function ${code} is none that reads registers`);
  const registers = registersOf(answer);
  const address = asked === undefined ? first : requestedAddress(asked, registers.length);
  if (address === undefined) {
    throw new BadRecording('the request is missing, so nobody knows which registers these are');
  }
  return { unitId, address, registers };
}

/** @throws BadRecording unless it is one whole frame */
function frameOf(hex: string): Buffer {
  const digits = hex.replaceAll(/\s/g, '');
  if (digits === '' || digits.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(digits)) {
    throw new BadRecording(`"${hex.slice(0, 32)}" is not hexadecimal`);
  }
  const frame = Buffer.from(digits, 'hex');
  const length = frame.length > DATA_AT ? frame.readUInt16BE(LENGTH_AT) : Number.NaN;
  if (frame.length !== LENGTH_AT + 2 + length || frame.readUInt16BE(2) !== 0) {
    throw new BadRecording('it is not one whole frame of Modbus TCP');
  }
  return frame;
}

function isAnswerTo(asked: Buffer, answer: Buffer): boolean {
  const sameTransaction = asked.readUInt16BE(0) === answer.readUInt16BE(0);
  const sameUnit = asked[UNIT_AT] === answer[UNIT_AT];
  return sameTransaction && sameUnit && asked[FUNCTION_AT] === ((answer[FUNCTION_AT] ?? 0) & ~REFUSED);
}

function registersOf(answer: Buffer): readonly number[] {
  const data = answer.subarray(DATA_AT + 1);
  if (data.length !== answer[DATA_AT] || data.length % 2 !== 0) {
    throw new BadRecording('the answer does not have as many bytes as it says');
  }
  return Array.from({ length: data.length / 2 }, (_, index) => data.readUInt16BE(index * 2));
}

function requestedAddress(asked: Buffer, count: number): number {
  const COMPLETE = DATA_AT + 4;
  if (asked.length !== COMPLETE || asked.readUInt16BE(DATA_AT + 2) !== count) {
    throw new BadRecording('the answer is to another request');
  }
  return asked.readUInt16BE(DATA_AT);
}
