import { ModbusException } from '../../bus/modbus-bus.ts';
import {
  BadRecording,
  loggedRegisters,
  type RecordedExchange,
  type RecordedFrame,
  type Recording,
} from '../recording.ts';
import { bytesOf, type RtuFrame, rtuFrameOf } from './recorded-frames.ts';

const READ_FUNCTIONS: readonly number[] = [3, 4];
const WRITE_FUNCTIONS: readonly number[] = [6, 16];
const REFUSED = 0x80;

/**
 * The registers that a recording holds, by address; none for a write and its confirmation.
 *
 * @throws BadRecording when a frame must be rejected, or it does not tell which registers these are
 */
export function recordedRegisters(recording: Recording): ReadonlyMap<number, number> {
  const { request, response, exchanges = [], first_register: first } = recording;
  const logged = loggedRegisters(recording);
  const found = new Map(logged);

  const asked = frameOf(request);
  const answered = frameOf(response);
  if (answered !== undefined && (asked !== undefined || first !== undefined || logged.length === 0)) {
    readInto(found, asked, answered, first);
  }
  for (const exchange of exchanges) readExchange(found, exchange);

  const frames = [asked, answered].filter((frame) => frame !== undefined).length + exchanges.length;
  if (found.size === 0 && frames === 0)
    throw new BadRecording('the recording holds no frames and no registers');
  return found;
}

/** The one Modbus frame that was written down, perhaps with and without what a logger puts around it. */
function frameOf(frame: RecordedFrame | undefined): RtuFrame | undefined {
  const written = [frame?.modbus_rtu_hex, frame?.solarman_v5_hex, frame?.hex].filter(
    (hex) => typeof hex === 'string',
  );
  const [first, ...others] = written.map((hex) => rtuFrameOf(bytesOf(hex)));
  if (first !== undefined && others.some((other) => !sameFrame(first, other))) {
    throw new BadRecording('the Modbus frame is not the one inside the Solarman frame');
  }
  return first;
}

function readExchange(
  found: Map<number, number>,
  { request_hex: request, response_hex: response }: RecordedExchange,
): void {
  const asked = request === undefined ? undefined : rtuFrameOf(bytesOf(request));
  if (response !== undefined) readInto(found, asked, rtuFrameOf(bytesOf(response)), undefined);
}

function readInto(
  found: Map<number, number>,
  asked: RtuFrame | undefined,
  answered: RtuFrame,
  first: number | undefined,
): void {
  if ((answered.function & REFUSED) !== 0) {
    throw new BadRecording(`the inverter refused: ${new ModbusException(answered.data[0] ?? 0).message}`);
  }
  if (asked !== undefined && (asked.unit !== answered.unit || asked.function !== answered.function)) {
    throw new BadRecording('the answer is to another request');
  }
  if (WRITE_FUNCTIONS.includes(answered.function)) return;
  if (!READ_FUNCTIONS.includes(answered.function)) {
    throw new BadRecording(`Modbus function ${answered.function} is none that reads registers`);
  }
  const { data } = answered;
  const values = data.subarray(1);
  if (values.length !== data[0] || values.length % 2 !== 0) {
    throw new BadRecording('the answer does not have as many bytes as it says');
  }
  const start = asked === undefined ? first : requestedAddress(asked, values.length / 2);
  if (start === undefined) {
    throw new BadRecording('the request is missing, so nobody knows which registers these are');
  }
  for (let at = 0; at < values.length; at += 2) found.set(start + at / 2, values.readUInt16BE(at));
}

function requestedAddress({ data }: RtuFrame, count: number): number {
  const COMPLETE = 4;
  if (data.length !== COMPLETE) throw new BadRecording('the request is not one that reads registers');
  if (data.readUInt16BE(2) !== count) throw new BadRecording('the answer is to another request');
  return data.readUInt16BE(0);
}

function sameFrame(one: RtuFrame, other: RtuFrame): boolean {
  return one.unit === other.unit && one.function === other.function && one.data.equals(other.data);
}
