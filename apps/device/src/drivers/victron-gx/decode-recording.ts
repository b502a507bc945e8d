import { ModbusException } from '../../bus/modbus-bus.ts';
import type { DecodedUnit } from '../driver.ts';
import { BadRecording, loggedRegisters, type RecordedExchange, type Recording } from '../recording.ts';
import type { RegisterValues } from '../registers.ts';
import type { GxDevices, GxFrames } from './gx-reader.ts';
import { GX_UNIT_ID, RANGES, type Service } from './services.ts';
import { GxUnits } from './units.ts';

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

/** The registers in one answer, or the reason why there are none. */
interface RecordedGxAnswer {
  readonly unitId: number;
  readonly address: number;
  /** Empty for the confirmation of a write. */
  readonly registers: readonly number[];
  /** Set when the GX has no such device or registers. */
  readonly refusal?: string;
}

/**
 * Reads a request and its answer.
 *
 * @param first the address of the first register, where there is no request
 * @throws BadRecording when a frame must be rejected
 */
function recordedAnswer(
  { request_hex: request, response_hex: response }: RecordedExchange,
  first?: number,
): RecordedGxAnswer {
  const answer = frameOf(response ?? '');
  const requested = request === undefined ? undefined : frameOf(request);
  const code = answer[FUNCTION_AT] ?? 0;
  const unitId = answer[UNIT_AT] ?? 0;
  if (requested !== undefined && !isAnswerTo(requested, answer)) {
    throw new BadRecording('the answer is to another request');
  }
  if ((code & REFUSED) !== 0) {
    const refusal = new ModbusException(answer[DATA_AT] ?? 0).message;
    return { unitId, address: 0, registers: [], refusal };
  }
  if (WRITES.includes(code)) return { unitId, address: 0, registers: [] };
  if (!READS.includes(code)) throw new BadRecording(`Modbus function ${code} is none that reads registers`);
  const registers = registersOf(answer);
  const address = requested === undefined ? first : requestedAddress(requested, registers.length);
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

function isAnswerTo(requested: Buffer, answer: Buffer): boolean {
  const sameTransaction = requested.readUInt16BE(0) === answer.readUInt16BE(0);
  const sameUnit = requested[UNIT_AT] === answer[UNIT_AT];
  return sameTransaction && sameUnit && requested[FUNCTION_AT] === ((answer[FUNCTION_AT] ?? 0) & ~REFUSED);
}

function registersOf(answer: Buffer): readonly number[] {
  const data = answer.subarray(DATA_AT + 1);
  if (data.length !== answer[DATA_AT] || data.length % 2 !== 0) {
    throw new BadRecording('the answer does not have as many bytes as it says');
  }
  return Array.from({ length: data.length / 2 }, (_, index) => data.readUInt16BE(index * 2));
}

function requestedAddress(requested: Buffer, count: number): number {
  const COMPLETE = DATA_AT + 4;
  if (requested.length !== COMPLETE || requested.readUInt16BE(DATA_AT + 2) !== count) {
    throw new BadRecording('the answer is to another request');
  }
  return requested.readUInt16BE(DATA_AT);
}

/** Registers by unit id. */
type Units = ReadonlyMap<number, RegisterValues>;

/**
 * Decodes a recording of a GX with the maps of live polling. The addresses of the registers identify the services,
 * because no two services share any.
 *
 * @throws BadRecording when a frame must be rejected, or the registers have no address
 */
export function decodeRecording(recording: Recording): readonly DecodedUnit[] {
  const units = recordedUnits(recording);
  const devices: GxDevices = {
    vebus: unitIdsWith(units, 'vebus')[0],
    gridMeter: unitIdsWith(units, 'grid')[0],
    batteries: unitIdsWith(units, 'battery'),
    solarChargers: unitIdsWith(units, 'solarcharger'),
  };
  const frames: GxFrames = {
    system: units.get(unitIdsWith(units, 'system')[0] ?? -1),
    settings: units.get(unitIdsWith(units, 'settings')[0] ?? -1),
    vebus: units.get(devices.vebus ?? -1),
    grid: units.get(devices.gridMeter ?? -1),
    batteries: devices.batteries.map((unitId) => units.get(unitId)),
    solarChargers: devices.solarChargers.map((unitId) => units.get(unitId)),
  };
  const gx = new GxUnits(devices, frames);
  const readings = gx.readings(frames);
  return gx.units.flatMap(({ kind, model, quantities }, index) => {
    const reading = readings[index];
    return reading === undefined || quantities.length === 0 ? [] : [{ kind, model, quantities, reading }];
  });
}

function unitIdsWith(units: Units, service: Service): readonly number[] {
  const isIn = (register: number): boolean =>
    RANGES[service].some(([first, last]) => register >= first && register <= last);
  return [...units].filter(([, frame]) => [...frame.keys()].some(isIn)).map(([unitId]) => unitId);
}

/** Registers that were logged without their frames are those of a GX with all its devices. */
function recordedUnits(recording: Recording): Units {
  const { request, response, exchanges = [], first_register: first } = recording;
  const units = new Map<number, Map<number, number>>();
  const unitOf = (unitId: number): Map<number, number> => {
    const unit = units.get(unitId) ?? new Map<number, number>();
    units.set(unitId, unit);
    return unit;
  };
  const logged = loggedRegisters(recording);
  for (const [address, value] of logged) unitOf(GX_UNIT_ID).set(address, value);

  const pairs: readonly RecordedExchange[] = [
    ...(response?.hex === undefined ? [] : [pairOf(request?.hex, response.hex)]),
    ...exchanges,
  ];
  const answers = pairs.map((pair) => recordedAnswer(pair, first));
  for (const { unitId, address, registers: values } of answers) {
    for (const [index, value] of values.entries()) unitOf(unitId).set(address + index, value);
  }
  if (logged.length === 0) refuseEmpty(answers);
  return units;
}

function pairOf(request: string | undefined, response: string): RecordedExchange {
  return { response_hex: response, ...(request === undefined ? {} : { request_hex: request }) };
}

/** A refusal among answers marks an absent device; a recording of refusals alone is rejected. */
function refuseEmpty(answers: readonly RecordedGxAnswer[]): void {
  if (answers.length === 0) throw new BadRecording('the recording holds no frames and no registers');
  const refusal = answers.every((answer) => answer.refusal !== undefined) ? answers[0]?.refusal : undefined;
  if (refusal !== undefined) throw new BadRecording(`the GX refused: ${refusal}`);
}
