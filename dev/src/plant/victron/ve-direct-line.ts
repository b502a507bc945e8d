import type { Duplex } from 'node:stream';
import {
  COMMAND,
  encodeBlock,
  encodeHex,
  type HexFrame,
  hexEnd,
  parseHex,
  type VeDirectFields,
} from '@heliograph/device/victron';

/** A device with a VE.Direct port. */
export interface VeDirectDevice {
  /** The blocks that it sends now, one behind the other. */
  blocks(): readonly VeDirectFields[];
  /** Answers a HEX frame; undefined when it does not know the command. */
  answer(frame: HexFrame): Uint8Array | undefined;
}

export interface LineOptions {
  /** How often text is sent; real devices do it every second. */
  readonly everyMs?: number;
}

/** Firmware answers what it cannot read with this, as recorded by users of old solar chargers. */
const FRAME_ERROR = encodeHex(COMMAND.productId, [0xaa, 0xaa]);

/** Longer than any frame: what does not end by then is thrown away. */
const MAX_PENDING = 256;

/**
 * Puts a device on a byte line: it sends text of its own accord and answers HEX frames.
 *
 * @returns attaches it to a line, and returns what detaches it
 */
export function veDirectLine(device: VeDirectDevice, { everyMs = 1_000 }: LineOptions = {}) {
  return (line: Duplex): (() => void) => {
    let pending = '';
    const onData = (bytes: Uint8Array): void => {
      pending += Buffer.from(bytes).toString('latin1');
      for (let at = pending.indexOf(':'); at >= 0; at = pending.indexOf(':')) {
        const end = hexEnd(pending, at);
        if (end === 'more') break;
        const frame = pending.slice(at, end ?? at + 1);
        pending = pending.slice(at + frame.length);
        if (end !== undefined) line.write(answer(device, frame));
      }
      pending = pending.slice(-MAX_PENDING);
    };
    const timer = setInterval(() => {
      if (line.writable) line.write(Buffer.concat(device.blocks().map(encodeBlock)));
    }, everyMs);
    line.on('data', onData);
    return () => {
      clearInterval(timer);
      line.off('data', onData);
    };
  };
}

/** An unknown command is answered with its number. */
function answer(device: VeDirectDevice, text: string): Uint8Array {
  try {
    const frame = parseHex(text);
    return device.answer(frame) ?? encodeHex(COMMAND.appVersion, [frame.command]);
  } catch (error) {
    if (error instanceof RangeError) return FRAME_ERROR;
    throw error;
  }
}
