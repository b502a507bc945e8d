/**
 * A block of VE.Direct text, which a device sends of its own accord about once a second:
 *
 *     CR LF label TAB value     for each field
 *     CR LF "Checksum" TAB c
 *
 * `c` is one byte of any value, CR, LF, TAB and `:` included; all bytes of the block add up to 0 modulo 256. HEX
 * frames (`:` hexadecimal digits LF) may stand between the bytes of a block and are no part of it.
 */
import { byteSum, hexEnd } from './hex-frame.ts';

/** The fields of one or several blocks: texts by label. */
export type VeDirectFields = ReadonlyMap<string, string>;

export type ScannedBlock =
  | { readonly is: 'block'; readonly fields: VeDirectFields; readonly end: number }
  | { readonly is: 'more' }
  /** `fragment`: only the end of a block, with which a stream may begin. */
  | { readonly is: 'broken'; readonly end: number; readonly reason: string; readonly fragment: boolean };

const LINE_END = '\r\n';
const CHECKSUM = '\r\nChecksum\t';
const FIELD = /^([\x21-\x7e]{1,16})\t([\x20-\x7e]{0,48})$/;

/** Three times the longest block known. */
const MAX_BLOCK_LENGTH = 1_500;

/**
 * Reads the block that begins at `from`.
 *
 * @param text the bytes as Latin-1, a character each
 */
export function scanBlock(text: string, from = 0): ScannedBlock {
  let block = '';
  for (let at = from; ; ) {
    const colon = text.indexOf(':', at);
    const upTo = colon < 0 ? text.length : colon;
    const seen = Math.max(0, block.length - CHECKSUM.length);
    block += text.slice(at, upTo);
    const tail = block.indexOf(CHECKSUM, seen);
    if (tail >= 0) {
      const length = tail + CHECKSUM.length;
      const last = upTo - (block.length - length);
      const checksum = text[last];
      return checksum === undefined ? { is: 'more' } : judge(block.slice(0, length) + checksum, last + 1);
    }
    if (block.length > MAX_BLOCK_LENGTH) return broken(upTo, 'a block does not end');
    if (colon < 0) return { is: 'more' };
    const end = hexEnd(text, colon);
    if (end === 'more') return { is: 'more' };
    if (end === undefined) block += ':';
    at = end ?? colon + 1;
  }
}

/** The bytes of a block, for simulated devices. */
export function encodeBlock(fields: VeDirectFields): Uint8Array {
  const lines = [...fields].map(([label, value]) => `${LINE_END}${label}\t${value}`);
  const bytes = Buffer.from(`${lines.join('')}${CHECKSUM}\0`, 'latin1');
  bytes[bytes.length - 1] = (256 - byteSum(bytes)) % 256;
  return bytes;
}

function judge(block: string, end: number): ScannedBlock {
  if (!block.startsWith(LINE_END)) {
    return broken(end, 'the beginning of a block is missing', true);
  }
  if (byteSum(Buffer.from(block, 'latin1')) !== 0) {
    return broken(end, 'the checksum of a block is wrong: its bytes do not add up to 0 modulo 256');
  }
  const fields = new Map<string, string>();
  for (const line of block.slice(LINE_END.length, -CHECKSUM.length - 1).split(LINE_END)) {
    const [, label, value] = FIELD.exec(line) ?? [];
    if (label === undefined || value === undefined)
      return broken(end, 'a block holds something else than fields');
    if (fields.has(label)) return broken(end, `a block holds the field ${label} twice`);
    fields.set(label, value);
  }
  return { is: 'block', fields, end };
}

function broken(end: number, reason: string, fragment = false): ScannedBlock {
  return { is: 'broken', end, reason, fragment };
}
