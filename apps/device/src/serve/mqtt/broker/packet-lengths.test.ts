import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PacketLengths } from './packet-lengths.ts';

/** A packet with so much content, which looks like headers itself. */
function packet(length: number): number[] {
  const header = [0x30];
  for (let rest = length; ; rest = Math.floor(rest / 128)) {
    header.push((rest % 128) + (rest >= 128 ? 128 : 0));
    if (rest < 128) return [...header, ...Array<number>(length).fill(0xff)];
  }
}

it('the first packet that is too large is found, however the stream is cut', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 1_200 }), { maxLength: 20 }),
      fc.infiniteStream(fc.integer({ min: 1, max: 500 })),
      (lengths, sizes) => {
        const stream = Uint8Array.from(lengths.flatMap(packet));
        const followed = new PacketLengths(1_000);
        let exceeded = false;
        for (let at = 0; at < stream.length && !exceeded; ) {
          const size = sizes.next().value ?? 1;
          exceeded = followed.exceededBy(stream.subarray(at, at + size));
          at += size;
        }
        expect(exceeded).toBe(lengths.some((length) => length > 1_000));
      },
    ),
  );
});

it('a packet that is too large is found before any of its content arrives', () => {
  const followed = new PacketLengths(1024 * 1024);
  expect(followed.exceededBy(Uint8Array.of(0x31, 0xff, 0xff, 0xff))).toBe(true);
});
