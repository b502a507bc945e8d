import { crc32 } from 'node:zlib';

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** Largest width and height, in pixels: a small file must not become a picture that fills a reader's memory. */
const MAX_PIXELS = 4096;

/**
 * Whether bytes are a whole PNG file: walks the chunks from the header to the end.
 *
 *     length of the data (4) | type (4) | data | CRC-32 of type and data (4)
 *
 * https://www.w3.org/TR/png-3/#5Chunk-layout
 */
export function isPng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return false;
  let seen = '';
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const end = at + 8 + length;
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end))
      return false;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (seen === '' && !(type === 'IHDR' && length === 13 && hasSaneSize(bytes, at + 8))) return false;
    if (type === 'IEND') return seen.includes('IDAT') && end + 4 === bytes.length;
    seen += `${type} `;
    at = end + 4;
  }
  return false;
}

function hasSaneSize(bytes: Buffer, at: number): boolean {
  const sides = [bytes.readUInt32BE(at), bytes.readUInt32BE(at + 4)];
  return sides.every((side) => side >= 1 && side <= MAX_PIXELS);
}
