import { ModbusException } from '../../bus/modbus-bus.ts';
import { BadRecording, type Recording } from '../recording.ts';

/** Neighbouring registers that were recorded. */
export interface Run {
  /** Of the first register; undefined when the recording does not hold it. */
  readonly address: number | undefined;
  readonly registers: readonly number[];
}

/**
 * The registers in a recording: of Modbus TCP frames, of bare register bytes, or of a list by address.
 *
 * @throws BadRecording when a frame is truncated, corrupt, or the answer to another request
 */
export function registersIn(recording: Recording): readonly Run[] {
  const { request, response, exchanges, registers, response_is, first_register: first } = recording;
  if (registers !== undefined) return runsOf(registers);
  if (exchanges !== undefined) return fromExchanges(exchanges);
  if (response?.hex === undefined) {
    throw new BadRecording('there are no Modbus TCP frames in it, and no registers');
  }
  const bytes = bytesOf(response.hex);
  if (response_is !== undefined) return [{ address: first, registers: registersOf(bytes, 'the answer') }];
  const address = request?.hex === undefined ? first : requested(bytesOf(request.hex), bytes);
  return [{ address, registers: answered(bytes) }];
}

/** Registers at consecutive addresses belong together. */
function runsOf(registers: NonNullable<Recording['registers']>): readonly Run[] {
  const runs: { address: number; registers: number[] }[] = [];
  const entries = Object.entries(registers).map(([address, value]) => [Number(address), value] as const);
  for (const [address, value] of entries.toSorted(([a], [b]) => a - b)) {
    const last = runs.at(-1);
    if (last !== undefined && last.address + last.registers.length === address) last.registers.push(value);
    else runs.push({ address, registers: [value] });
  }
  return runs;
}

type Exchanges = NonNullable<Recording['exchanges']>;

/** A refused read holds no registers, and is ignored as long as others were answered. */
function fromExchanges(exchanges: Exchanges): readonly Run[] {
  let refusal: unknown;
  const runs = exchanges.flatMap(({ request_hex = '', response_hex = '' }, index) => {
    try {
      const [request, response] = [bytesOf(request_hex), bytesOf(response_hex)];
      return [{ address: requested(request, response), registers: answered(response) }];
    } catch (error) {
      if (error instanceof Refused) refusal = error;
      else if (error instanceof BadRecording)
        throw new BadRecording(`exchange ${index + 1}: ${error.message}`);
      else throw error;
      return [];
    }
  });
  if (runs.length === 0) throw refusal ?? new BadRecording('there are no exchanges in it');
  return runs;
}

/** The unit answered, and would not be read. */
class Refused extends BadRecording {}

/*
 * Modbus TCP:  transaction 2 | protocol 2, always 0 | bytes that follow 2 | unit 1 | function 1 | ...
 *   read:      ... address 2 | registers 2
 *   answer:    ... bytes 1 | registers
 *   refusal:   function with its highest bit set, then the exception's code
 */
const HEADER_BYTES = 6;
const FUNCTION_AT = 7;
const BODY_AT = 8;
const READS = [3, 4];
const REFUSED = 0x80;

/** The address that was asked for. @throws BadRecording when the answer is not to this request */
function requested(request: Buffer, response: Buffer): number {
  checkFrame(request, 'the request', BODY_AT + 4);
  checkFrame(response, 'the answer', BODY_AT + 1);
  if (!READS.includes(request.readUInt8(FUNCTION_AT))) throw new BadRecording('the request is no read');
  refusal(response);
  const sameHead = [0, 6, 7].every((at) => request.readUInt8(at) === response.readUInt8(at));
  const sameTransaction = request.readUInt16BE(0) === response.readUInt16BE(0);
  const count = request.readUInt16BE(BODY_AT + 2);
  if (!sameHead || !sameTransaction || response.readUInt8(BODY_AT) !== count * 2) {
    throw new BadRecording('the answer is to another request than the one that was recorded');
  }
  return request.readUInt16BE(BODY_AT);
}

/** The registers of an answer. */
function answered(response: Buffer): readonly number[] {
  checkFrame(response, 'the answer', BODY_AT + 1);
  refusal(response);
  if (!READS.includes(response.readUInt8(FUNCTION_AT))) throw new BadRecording('the answer is to no read');
  const data = response.subarray(BODY_AT + 1);
  if (response.readUInt8(BODY_AT) !== data.length) {
    throw new BadRecording(
      `the answer announces ${response.readUInt8(BODY_AT)} bytes and has ${data.length}`,
    );
  }
  return registersOf(data, 'the answer');
}

function refusal(response: Buffer): void {
  if ((response.readUInt8(FUNCTION_AT) & REFUSED) === 0) return;
  throw new Refused(new ModbusException(response.readUInt8(BODY_AT)).message);
}

function checkFrame(bytes: Buffer, what: string, minLength: number): void {
  if (bytes.length < HEADER_BYTES + 2) throw new BadRecording(`${what} is too short for a Modbus TCP frame`);
  if (bytes.readUInt16BE(2) !== 0) throw new BadRecording(`${what} is no Modbus TCP frame`);
  const announced = bytes.readUInt16BE(4);
  if (announced !== bytes.length - HEADER_BYTES || bytes.length < minLength) {
    throw new BadRecording(
      `${what} is truncated or corrupt: it announces ${announced} bytes, and ${bytes.length - HEADER_BYTES} follow`,
    );
  }
}

function registersOf(bytes: Buffer, what: string): readonly number[] {
  if (bytes.length % 2 !== 0) throw new BadRecording(`${what} ends within a register`);
  return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2));
}

function bytesOf(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(/\s/g, ''), 'hex');
}
