import type { BusFrame } from '../../bus/bus.ts';

/** The bus frames of a connection, byte by byte. */
export function presentFrames(
  frames: readonly BusFrame[],
  identifiers: readonly string[],
): readonly { readonly at: string; readonly direction: string; readonly bytes: string }[] {
  const hidden = identifiers.flatMap(encodings);
  return frames.map(({ at, direction, bytes }) => ({
    at: new Date(at).toISOString(),
    direction,
    bytes: masked(Buffer.from(bytes), hidden),
  }));
}

/** Identifiers of fewer characters may be found where something else is meant. */
const SHORTEST = 5;

/** An identifier as hardware sends it: text, text with the bytes of each register swapped, or a number. */
function encodings(identifier: string): Buffer[] {
  if (identifier.length < SHORTEST) return [];
  const text = Buffer.from(identifier, 'latin1');
  const padded = Buffer.concat([text, Buffer.alloc(text.length % 2)]);
  const swapped = Buffer.from(padded).swap16();
  const number = Number(identifier);
  if (!/^\d{5,10}$/.test(identifier) || number > 0xffff_ffff) return [text, swapped];
  const [big, little] = [Buffer.alloc(4), Buffer.alloc(4)];
  big.writeUInt32BE(number);
  little.writeUInt32LE(number);
  return [text, swapped, big, little];
}

/** Hexadecimal digits, with `**` for each byte of what is hidden. */
function masked(bytes: Buffer, hidden: readonly Buffer[]): string {
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0'));
  for (const part of hidden) {
    for (let at = bytes.indexOf(part); at !== -1; at = bytes.indexOf(part, at + 1)) {
      digits.fill('**', at, at + part.length);
    }
  }
  return digits.join(' ');
}
