/** The sum of all bytes, of which the protocols here keep the lowest 8 or 16 bits. */
export function sumOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum + byte, 0);
}

/** The same bytes with the means of a Buffer, not copied: rules look at all that came in again and again. */
export function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength);
}
