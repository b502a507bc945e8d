/** Reflected polynomial of CRC-16/MODBUS (Modbus over Serial Line 1.02, section 6.2.2). */
const POLYNOMIAL = 0xa001;
const START = 0xffff;

const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ POLYNOMIAL : crc >>> 1;
  return crc;
});

/** CRC-16/MODBUS, which goes on the wire with its low byte first; over a frame with its own CRC it is 0. */
export function crc16Modbus(bytes: Uint8Array): number {
  let crc = START;
  for (const byte of bytes) crc = (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);
  return crc;
}

/** Polynomial of CRC-16/XMODEM, whose check value over `123456789` is 31C3. */
const XMODEM_POLYNOMIAL = 0x1021;

/** CRC-16/XMODEM, which goes on the wire with its high byte first. */
export function crc16Xmodem(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) {
      crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ XMODEM_POLYNOMIAL;
    }
    crc &= 0xffff;
  }
  return crc;
}
