import type { RegisterBank } from '../modbus/register-server.ts';
import { rtuAnswer } from './rtu-units.ts';
import type { Attach } from './serve-line.ts';

export interface SolarmanLoggerOptions {
  /** Its serial number. */
  readonly logger: number;
  readonly unitIds?: readonly number[];
  /** Some append the CRC of the whole frame, which is zero, to the frame. */
  readonly crcTwice?: boolean;
  /** Sends a heartbeat before each answer, as real loggers do. */
  readonly heartbeats?: boolean;
}

const HEADER_BYTES = 11;
const REQUEST_PREFIX_BYTES = 15;
const TRAILER_BYTES = 2;
const START = 0xa5;
const END = 0x15;
const REQUEST = 0x4510;
const ANSWER = 0x1510;
const HEARTBEAT = 0x4710;
/** Inverter, real-time data, then the logger's three clocks. */
const ANSWER_PREFIX = Buffer.from('0201032d0000790800007106d663', 'hex');

const WRONG_LOGGER = Buffer.from([6, 0]);
const WRONG_UNIT = Buffer.from([5, 0]);

/**
 * A Solarman logger with units behind it, which wraps Modbus RTU in its own frames (V5). Facts:
 * kbialek/deye-inverter-mqtt `tests/deye_modbus_tcp_custom_test.py`, jmccrohan/pysolarmanv5.
 */
export function solarmanLogger(bank: RegisterBank, options: SolarmanLoggerOptions): Attach {
  const { logger, unitIds = [1], crcTwice = false, heartbeats = false } = options;
  return (line) => {
    let pending = Buffer.alloc(0);
    let sent = 0;
    const frame = (control: number, sequence: number, payload: Buffer): Buffer => {
      sent = (sent + 1) & 0xff;
      return v5Frame(control, sequence | (sent << 8), logger, payload);
    };
    const answer = (request: Buffer): Buffer => {
      const meant = request.readUInt32LE(7) === logger;
      const rtu = request.subarray(HEADER_BYTES + REQUEST_PREFIX_BYTES, -TRAILER_BYTES);
      const answered = meant ? rtuAnswer(bank, unitIds, rtu) : WRONG_LOGGER;
      const parts = [ANSWER_PREFIX, answered ?? WRONG_UNIT, Buffer.alloc(crcTwice ? 2 : 0)];
      return frame(ANSWER, request.readUInt8(5), Buffer.concat(parts));
    };
    const take = (bytes: Buffer): void => {
      pending = Buffer.concat([pending, bytes]);
      for (let end = endOf(pending); end <= pending.length; end = endOf(pending)) {
        const request = pending.subarray(0, end);
        pending = pending.subarray(end);
        if (!isRequest(request)) continue;
        const heartbeat = heartbeats ? frame(HEARTBEAT, 0, Buffer.alloc(1)) : Buffer.alloc(0);
        line.write(Buffer.concat([heartbeat, answer(request)]));
      }
    };
    line.on('data', take);
    return () => void line.off('data', take);
  };
}

export function v5Frame(control: number, sequence: number, logger: number, payload: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(START, 0);
  header.writeUInt16LE(payload.length, 1);
  header.writeUInt16LE(control, 3);
  header.writeUInt16LE(sequence, 5);
  header.writeUInt32LE(logger, 7);
  const frame = Buffer.concat([header, payload]);
  return Buffer.concat([frame, Buffer.from([checksum(frame.subarray(1)), END])]);
}

function endOf(pending: Buffer): number {
  if (pending.length < HEADER_BYTES) return Number.POSITIVE_INFINITY;
  return HEADER_BYTES + pending.readUInt16LE(1) + TRAILER_BYTES;
}

function isRequest(frame: Buffer): boolean {
  const whole = frame[0] === START && frame.at(-1) === END && frame.readUInt16LE(3) === REQUEST;
  return whole && frame.at(-TRAILER_BYTES) === checksum(frame.subarray(1, -TRAILER_BYTES));
}

function checksum(bytes: Buffer): number {
  return bytes.reduce((sum, byte) => (sum + byte) & 0xff, 0);
}
