import { BadRecording } from '../recording.ts';
import type { RegisterValues } from '../registers.ts';

/** Transaction 2, device code 2, length 2, then FF and the plug's function 11. */
const FUNCTION_AT = 6;
const ALL_BLOCKS = 0xff11;
/** The head, and two bytes of zero. */
const HEAD_BYTES = 10;

/**
 * Reads the one answer in which the Eybond (SmartESS) Wi-Fi plug of SRNE's inverters sends all holding registers that it
 * follows: the first and the last register of a block, its values, and so on. It has no checksum. Source:
 * suletom/EASUN-ISOLAR-SMX-II-CONTROL.
 *
 * @returns undefined for any other frame
 * @throws BadRecording when a block does not end
 */
export function plugBlocksIn(bytes: Buffer): RegisterValues | undefined {
  if (bytes.length < HEAD_BYTES || bytes.readUInt16BE(FUNCTION_AT) !== ALL_BLOCKS) return undefined;
  const registers = new Map<number, number>();
  let at = HEAD_BYTES;
  while (at + 4 <= bytes.length) {
    const first = bytes.readUInt16BE(at);
    const last = bytes.readUInt16BE(at + 2);
    at += 4;
    const end = at + (last - first + 1) * 2;
    if (last < first || end > bytes.length) {
      throw new BadRecording(`the block of registers ${first} to ${last} is cut short`);
    }
    for (let register = first; at < end; at += 2, register++) registers.set(register, bytes.readUInt16BE(at));
  }
  return registers;
}
