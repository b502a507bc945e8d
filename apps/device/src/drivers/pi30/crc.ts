const POLYNOMIAL = 0x1021;

/** Bytes that mean something in a frame (`(`, carriage return, line feed): the CRC steps over them. */
const RESERVED = new Set([0x28, 0x0d, 0x0a]);

/**
 * The two check bytes of a frame, high byte first: CRC-16/XMODEM, of which each byte that would be taken for a
 * character of the frame is one higher.
 */
export function checkBytes(bytes: Uint8Array): readonly [high: number, low: number] {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ POLYNOMIAL;
    }
    crc &= 0xffff;
  }
  return [escapeReserved(crc >> 8), escapeReserved(crc & 0xff)];
}

function escapeReserved(byte: number): number {
  return RESERVED.has(byte) ? byte + 1 : byte;
}
