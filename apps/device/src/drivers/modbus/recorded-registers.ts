import { ModbusException, type RegisterTable } from '../../bus/modbus/modbus-bus.ts';
import {
  BadRecording,
  loggedRegisters,
  type RecordedExchange,
  type RecordedFrame,
  type Recording,
} from '../recording.ts';
import type { RegisterValues } from '../registers.ts';
import { runsOf } from './blocks.ts';
import { dongleRegistersIn } from './luxpower-dongle.ts';
import { bytesOf, type ParsedModbusFrame, parseModbusFrame, type RecordedFraming } from './recorded-frame.ts';
import { addressIn } from './register-address.ts';

/** Transaction 2, device code 2, length 2, then FF and the plug's function 11. */
const FUNCTION_AT = 6;
const ALL_BLOCKS = 0xff11;
/** The head, and two bytes of zero. */
const HEAD_BYTES = 10;

/**
 * Reads the one answer in which the Eybond (SmartESS) Wi-Fi plug of SRNE's inverters sends all holding registers that it
 * follows: the first and the last register of a block, its values, and so on. It has no checksum. Source:
 * suletom/EASUN-ISOLAR-SMX-II-CONTROL.
 *
 * @returns undefined for any other frame
 * @throws BadRecording when a block does not end
 */
function plugBlocksIn(bytes: Buffer): RegisterValues | undefined {
  if (bytes.length < HEAD_BYTES || bytes.readUInt16BE(FUNCTION_AT) !== ALL_BLOCKS) return undefined;
  const registers = new Map<number, number>();
  let at = HEAD_BYTES;
  while (at + 4 <= bytes.length) {
    const first = bytes.readUInt16BE(at);
    const last = bytes.readUInt16BE(at + 2);
    at += 4;
    const end = at + (last - first + 1) * 2;
    if (last < first || end > bytes.length) {
      throw new BadRecording(`the block of registers ${first} to ${last} is cut short`);
    }
    for (let register = first; at < end; at += 2, register++) registers.set(register, bytes.readUInt16BE(at));
  }
  return registers;
}

/** Facts that a family's recordings have in common. */
export interface RecordingRules {
  /** The framing of most of them, which errors are about; `rtu` when left out. */
  readonly framing?: RecordedFraming;
  /** The table of registers that were logged without their frames; the holding registers when left out. */
  readonly loggedTable?: RegisterTable;
  /** The hardware has the same registers in both tables: those of function 4 count as those of function 3. */
  readonly oneTable?: true;
  /** The first register of an answer without its request; without one such an answer is rejected. */
  readonly assumedFirst?: number;
  /** How messages call the hardware; `the inverter` when left out. */
  readonly hardware?: string;
}

/** Neighbouring registers that were recorded together. */
export interface RecordedBlock {
  /** Undefined for registers that were logged without their frames. */
  readonly unitId: number | undefined;
  /** As `addressIn` makes it. */
  readonly address: number;
  readonly registers: readonly number[];
}

/** The unit refused; other answers of the recording may hold registers all the same. */
class RecordedRefusal extends BadRecording {}

/**
 * The registers that a recording holds, by address; none for a write and its confirmation.
 *
 * @throws BadRecording as `recordedBlocks` does
 */
export function recordedRegisters(recording: Recording, rules: RecordingRules = {}): RegisterValues {
  return registersInBlocks(recordedBlocks(recording, rules));
}

/** Of blocks that overlap the later one counts. */
export function registersInBlocks(blocks: readonly RecordedBlock[]): RegisterValues {
  return new Map(
    blocks.flatMap(({ address, registers }) =>
      registers.map((content, index) => [address + index, content] as const),
    ),
  );
}

/**
 * The same by request and unit. A refused request holds no registers, as long as others were answered.
 *
 * @throws BadRecording when a frame must be rejected, or the registers have no address
 */
export function recordedBlocks(recording: Recording, rules: RecordingRules = {}): readonly RecordedBlock[] {
  const { request, response, exchanges = [], first_register: first, response_is: bare } = recording;
  const logged = loggedBlocks(recording, rules);
  const bytes = response?.hex === undefined ? undefined : bytesOf(response.hex);
  const wrapped = bytes && (plugBlocksIn(bytes) ?? dongleRegistersIn(bytes));
  if (wrapped !== undefined) return [...blocksOf(wrapped), ...logged];
  if (bytes !== undefined && bare !== undefined) {
    return [...logged, blockOf(undefined, first ?? rules.assumedFirst, contentsOf(bytes))];
  }

  const requested = frameIn(request, 'the request', rules);
  const received = frameIn(response, 'the answer', rules);
  const isAddressed = requested !== undefined || first !== undefined || logged.length === 0;
  const answers = [
    ...(received === undefined || !isAddressed
      ? []
      : [() => answerBlock(requested, received, first ?? rules.assumedFirst, rules)]),
    ...exchanges.map((exchange, index) => () => exchangeBlock(exchange, index, rules)),
  ];
  let refusal: RecordedRefusal | undefined;
  const answered = answers.flatMap((read): readonly RecordedBlock[] => {
    try {
      return [read()].filter((block) => block !== undefined);
    } catch (error) {
      if (!(error instanceof RecordedRefusal)) throw error;
      refusal ??= error;
      return [];
    }
  });
  const blocks = [...logged, ...answered];
  if (blocks.length === 0 && refusal !== undefined) throw refusal;
  const frames = [requested, received].filter((frame) => frame !== undefined).length + exchanges.length;
  if (blocks.length === 0 && frames === 0) {
    const expected = rules.framing === 'tcp' ? 'there are no Modbus TCP frames in it: ' : '';
    throw new BadRecording(`${expected}the recording holds no frames and no registers`);
  }
  return blocks;
}

function loggedBlocks(
  recording: Recording,
  { loggedTable = 'holding' }: RecordingRules,
): readonly RecordedBlock[] {
  return blocksOf(
    new Map(loggedRegisters(recording).map(([register, value]) => [addressIn(loggedTable, register), value])),
  );
}

function blocksOf(registers: RegisterValues): readonly RecordedBlock[] {
  return runsOf([...registers.keys()]).map(({ address, count }) => ({
    unitId: undefined,
    address,
    registers: Array.from({ length: count }, (_, index) => registers.get(address + index) ?? 0),
  }));
}

/** The one Modbus frame that was written down, perhaps with and without what a logger puts around it. */
function frameIn(
  frame: RecordedFrame | undefined,
  what: 'the request' | 'the answer',
  { framing = 'rtu' }: RecordingRules,
): ParsedModbusFrame | undefined {
  const written = [frame?.modbus_rtu_hex, frame?.solarman_v5_hex, frame?.hex].filter(
    (hex) => typeof hex === 'string',
  );
  const [first, ...others] = written.map((hex) => parseModbusFrame(bytesOf(hex), what, framing));
  if (first !== undefined && others.some((other) => !isSameFrame(first, other))) {
    throw new BadRecording('the Modbus frame is not the one inside the Solarman frame');
  }
  return first;
}

/** @throws BadRecording with the exchange's number, from 1 */
function exchangeBlock(
  { request_hex: request, response_hex: response }: RecordedExchange,
  index: number,
  rules: RecordingRules,
): RecordedBlock | undefined {
  try {
    const requested = frameIn(request === undefined ? {} : { hex: request }, 'the request', rules);
    const received = frameIn(response === undefined ? {} : { hex: response }, 'the answer', rules);
    return received && answerBlock(requested, received, undefined, rules);
  } catch (error) {
    if (!(error instanceof BadRecording) || error instanceof RecordedRefusal) throw error;
    throw new BadRecording(`exchange ${index + 1}: ${error.message}`, { cause: error });
  }
}

const READ_INPUT = 4;
const READ_FUNCTIONS: readonly number[] = [3, READ_INPUT];
/** Coils, discrete inputs and writes: they have no registers. */
const OTHER_FUNCTIONS: readonly number[] = [1, 2, 5, 6, 15, 16];
const REFUSED = 0x80;

/** @param first the address of the first register, where there is no request */
function answerBlock(
  requested: ParsedModbusFrame | undefined,
  received: ParsedModbusFrame,
  first: number | undefined,
  { hardware = 'the inverter', oneTable }: RecordingRules,
): RecordedBlock | undefined {
  const { unit, data } = received;
  const code = received.function & ~REFUSED;
  if (requested !== undefined) {
    if (READ_FUNCTIONS.includes(code) && !READ_FUNCTIONS.includes(requested.function)) {
      throw new BadRecording('the request is no read, so the answer is to another request');
    }
    if (!isAnswerTo(requested, received)) throw new BadRecording('the answer is to another request');
  }
  if (code !== received.function) {
    throw new RecordedRefusal(`${hardware} refused: ${new ModbusException(data[0] ?? 0).message}`);
  }
  if (OTHER_FUNCTIONS.includes(code)) return undefined;
  if (!READ_FUNCTIONS.includes(code)) {
    throw new BadRecording(`Modbus function ${code} is none that reads registers`);
  }
  const contents = data.subarray(1);
  if (contents.length !== data[0] || contents.length % 2 !== 0) {
    throw new BadRecording('the answer does not have as many bytes as it says');
  }
  const start = requested === undefined ? first : requestedAddress(requested, contents.length / 2);
  const table = code === READ_INPUT && !oneTable ? 'input' : 'holding';
  return blockOf(unit, start === undefined ? undefined : addressIn(table, start), contentsOf(contents));
}

/** @throws BadRecording when the address is unknown */
function blockOf(
  unitId: number | undefined,
  address: number | undefined,
  registers: readonly number[],
): RecordedBlock {
  if (address === undefined) {
    throw new BadRecording('the request is missing, so it is unknown which registers these are');
  }
  return { unitId, address, registers };
}

function contentsOf(bytes: Buffer): readonly number[] {
  if (bytes.length % 2 !== 0) throw new BadRecording('the recording ends within a register');
  return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2));
}

function isAnswerTo(requested: ParsedModbusFrame, received: ParsedModbusFrame): boolean {
  return (
    requested.framing === received.framing &&
    requested.transaction === received.transaction &&
    requested.unit === received.unit &&
    requested.function === (received.function & ~REFUSED)
  );
}

function requestedAddress({ data }: ParsedModbusFrame, count: number): number {
  const COMPLETE = 4;
  if (data.length !== COMPLETE) throw new BadRecording('the request is not one that reads registers');
  if (data.readUInt16BE(2) !== count) throw new BadRecording('the answer is to another request');
  return data.readUInt16BE(0);
}

function isSameFrame(one: ParsedModbusFrame, other: ParsedModbusFrame): boolean {
  return one.unit === other.unit && one.function === other.function && one.data.equals(other.data);
}
