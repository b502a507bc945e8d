import { crc16Xmodem } from '../../bus/crc16.ts';

/** Bytes that mean something in a frame (`(`, carriage return, line feed). */
const RESERVED = new Set([0x28, 0x0d, 0x0a]);

/** The two check bytes of a frame, high byte first. */
export type CheckBytes = readonly [high: number, low: number];

/** CRC-16/XMODEM. */
export function plainCheckBytes(bytes: Uint8Array): CheckBytes {
  const crc = crc16Xmodem(bytes);
  return [crc >> 8, crc & 0xff];
}

/** CRC-16/XMODEM, of which each byte that would be taken for a character of the frame is one higher. */
export function escapedCheckBytes(bytes: Uint8Array): CheckBytes {
  const [high, low] = plainCheckBytes(bytes);
  return [escapeReserved(high), escapeReserved(low)];
}

/** A whole frame with the check bytes of its content. */
export function withCheckBytes(frame: Uint8Array, checkBytes: (bytes: Uint8Array) => CheckBytes): Uint8Array {
  const checked = frame.subarray(0, -3);
  return Uint8Array.of(...checked, ...checkBytes(checked), ...frame.subarray(-1));
}

function escapeReserved(byte: number): number {
  return RESERVED.has(byte) ? byte + 1 : byte;
}
