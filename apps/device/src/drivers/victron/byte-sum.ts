/** All bytes added up, modulo 256: both protocols of the port check their frames by it. */
export function byteSum(bytes: Uint8Array): number {
  let sum = 0;
  for (const byte of bytes) sum = (sum + byte) & 0xff;
  return sum;
}
