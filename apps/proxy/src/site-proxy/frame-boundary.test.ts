import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { FrameBoundary, SERVICE_RESTART } from './frame-boundary.ts';

/** A frame as a server sends it or, masked, a client. */
function frameOf(bytes: number, isMasked: boolean): Buffer {
  const head = Buffer.alloc(bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10, 0x82);
  const mask = isMasked ? 0x80 : 0;
  head[1] = mask | (head.length === 2 ? bytes : head.length === 4 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(bytes, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(bytes), 2);
  return Buffer.concat([head, Buffer.alloc(isMasked ? bytes + 4 : bytes, 0x81)]);
}

const length = fc.oneof(fc.nat(200), fc.constantFrom(125, 126, 127, 65_535, 65_536));
const frame = fc.tuple(length, fc.boolean()).map(([bytes, isMasked]) => frameOf(bytes, isMasked));

describe('FrameBoundary', () => {
  test('boundaries are found for every split of the bytes', () => {
    fc.assert(
      fc.property(
        fc.array(frame, { maxLength: 6 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 70_000 })),
        (frames, cuts) => {
          const ends = new Set([0]);
          for (const { length } of frames) ends.add(Math.max(...ends) + length);
          const all = Buffer.concat(frames);
          const boundary = new FrameBoundary();
          expect(boundary.isBetween).toBe(true);
          for (let at = 0; at < all.length; ) {
            const part = all.subarray(at, at + (cuts.next().value ?? 1));
            boundary.follow(part);
            at += part.length;
            expect(boundary.isBetween).toBe(ends.has(at));
          }
        },
      ),
    );
  });

  test('a close frame with code 1012 may follow a boundary', () => {
    expect([...SERVICE_RESTART]).toEqual([0x88, 0x02, 0x03, 0xf4]);
  });
});
