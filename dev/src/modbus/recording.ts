import { readFileSync } from 'node:fs';
import type { RegisterBank } from './register-server.ts';

/** Registers that were seen on a real unit. */
export interface Recording {
  readonly unitId: number;
  readonly registers: ReadonlyMap<number, number>;
}

interface Exchange {
  readonly request_hex: string;
  readonly response_hex: string;
}

/** A capture file, as far as Modbus concerns it; frames are Modbus TCP. */
interface CaptureFile {
  readonly exchanges?: readonly Exchange[];
  readonly request?: { readonly hex: string };
  readonly response?: { readonly hex: string };
  /** The first register of a response without its frame or its request. */
  readonly first_register?: number;
  readonly response_is?: string;
}

/** Modbus TCP: seven bytes of header, the function, then a byte count in answers to reads. */
const UNIT_ID_AT = 6;
const FIRST_REGISTER_AT = 8;
const REGISTERS_AT = 9;

const DEFAULT_UNIT_ID = 1;

/**
 * Reads what a capture file recorded.
 *
 * @param firstRegister for a capture that lacks both its request and the address
 */
export function readRecording(file: string, firstRegister?: number): Recording {
  const capture = JSON.parse(readFileSync(file, 'utf8')) as CaptureFile;
  if (capture.exchanges !== undefined) return fromExchanges(capture.exchanges);
  const response = bytes(capture.response?.hex ?? '');
  if (capture.request !== undefined) {
    return fromExchanges([{ request_hex: capture.request.hex, response_hex: response.toString('hex') }]);
  }
  const framed = capture.response_is === undefined;
  const start = capture.first_register ?? firstRegister;
  if (start === undefined) throw new Error(`${file} does not tell its first register`);
  return {
    unitId: framed ? response.readUInt8(UNIT_ID_AT) : DEFAULT_UNIT_ID,
    registers: at(start, framed ? response.subarray(REGISTERS_AT) : response),
  };
}

/** Several recordings of one unit as one; where they overlap, the later one counts. */
export function mergeRecordings(first: Recording, ...others: readonly Recording[]): Recording {
  const entries = [first, ...others].flatMap(({ registers }) => [...registers]);
  return { unitId: first.unitId, registers: new Map(entries) };
}

/** A bank that has the recorded registers and no others, and refuses to be written. */
export function recordedBank({ unitId, registers }: Recording): RegisterBank {
  return {
    readRange: (unit, address, count) => {
      if (unit !== unitId) return undefined;
      const values = Array.from({ length: count }, (_, index) => registers.get(address + index));
      return values.every((value) => value !== undefined) ? values : undefined;
    },
    write: () => {
      throw new Error('a recording cannot be written');
    },
  };
}

function fromExchanges(exchanges: readonly Exchange[]): Recording {
  const [first] = exchanges;
  if (first === undefined) throw new Error('a capture without exchanges');
  const entries = exchanges.flatMap(({ request_hex, response_hex }) => [
    ...at(bytes(request_hex).readUInt16BE(FIRST_REGISTER_AT), bytes(response_hex).subarray(REGISTERS_AT)),
  ]);
  return { unitId: bytes(first.request_hex).readUInt8(UNIT_ID_AT), registers: new Map(entries) };
}

function at(start: number, data: Buffer): ReadonlyMap<number, number> {
  return new Map(
    Array.from({ length: Math.floor(data.length / 2) }, (_, index) => [
      start + index,
      data.readUInt16BE(index * 2),
    ]),
  );
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}
