import { crc16Xmodem } from '../../bus/crc16.ts';
import { BadFrame, RequestRefused } from '../frame-errors.ts';

/*
 * The answer of the Bluetooth module, of which recordings exist:
 *
 *  7E | VER 1 | ADR 1 | function 1 | return code 1 | LENGTH 2 | data n | CRC 2 | 0D
 *
 * Most significant byte first. The CRC-16/XMODEM is of all between 7E and itself.
 */

const START = 0x7e;
const END = 0x0d;
const LENGTH_OFFSET = 5;
const DATA_OFFSET = 7;
const AFTER_DATA = 3;
const CRC_LENGTH = 2;

/** The function that measured values are requested by. */
export const TELEMETRY = 0x61;

/**
 * The data of an answer with measured values.
 *
 * @throws BadFrame, RequestRefused
 */
export function bluetoothData(bytes: Buffer): Uint8Array {
  if (bytes[0] !== START) throw new BadFrame('the frame does not begin with 7E');
  const length = bytes.length < DATA_OFFSET ? Number.POSITIVE_INFINITY : bytes.readUInt16BE(LENGTH_OFFSET);
  const whole = DATA_OFFSET + length + AFTER_DATA;
  if (bytes.length < whole) throw new BadFrame('the frame is truncated');
  if (bytes.length > whole || bytes.at(-1) !== END)
    throw new BadFrame('the frame does not end where its length says');
  const crcAt = bytes.length - AFTER_DATA;
  if (crc16Xmodem(bytes.subarray(1, crcAt)) !== bytes.readUInt16BE(crcAt))
    throw new BadFrame('the checksum is wrong');
  const [, , , code = 0, refusal = 0] = bytes;
  if (refusal !== 0) throw new RequestRefused(`the battery refuses (return code ${refusal})`);
  if (code !== TELEMETRY) throw new BadFrame(`the frame answers another function (${code.toString(16)})`);
  return bytes.subarray(DATA_OFFSET, -CRC_LENGTH - 1);
}
