import { crc16Modbus } from '../../bus/crc16.ts';
import { BadRecording } from '../recording.ts';
import type { RegisterValues } from '../registers.ts';
import { addressIn } from './register-address.ts';

const START = 0xa11a;
const DATA = 0xc2;
/** After the head, the dongle's serial number and the length of the data. */
const DATA_AT = 20;
const REGISTER_AT = 32;
const VALUES_AT = 35;
const READ_INPUT = 4;

/**
 * Reads the frame in which the Wi-Fi dongle of Luxpower's inverters (TCP 8000) sends registers: A1 1A, protocol, length,
 * 01, function C2, the dongle's serial number, the data's length, then the data with a CRC of its own: address, function,
 * the inverter's serial number, first register, byte count, values. All numbers are little-endian. Sources:
 * celsworth/lxp-bridge, joyfulhouse/pylxpweb.
 *
 * @returns undefined for any other frame
 * @throws BadRecording when it is cut short or its CRC is wrong
 */
export function dongleRegistersIn(bytes: Buffer): RegisterValues | undefined {
  if (bytes.length < DATA_AT || bytes.readUInt16BE(0) !== START || bytes[7] !== DATA) return undefined;
  const end = DATA_AT + bytes.readUInt16LE(DATA_AT - 2);
  if (end > bytes.length || end < VALUES_AT) throw new BadRecording("the dongle's frame is cut short");
  if (crc16Modbus(bytes.subarray(DATA_AT, end)) !== 0) {
    throw new BadRecording("the CRC of the dongle's frame is wrong");
  }
  const table = bytes[DATA_AT + 1] === READ_INPUT ? 'input' : 'holding';
  const first = bytes.readUInt16LE(REGISTER_AT);
  const count = Math.min(bytes[VALUES_AT - 1] ?? 0, end - 2 - VALUES_AT) >> 1;
  return new Map(
    Array.from({ length: count }, (_, index) => [
      addressIn(table, first + index),
      bytes.readUInt16LE(VALUES_AT + index * 2),
    ]),
  );
}
