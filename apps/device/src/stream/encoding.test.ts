import { encodeFrame } from '@heliograph/wire';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CHANNEL, push } from './encoding.ts';

it('a push of encoded JSON equals the wire codec’s text of the same payload', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('array' as const, 'object' as const),
      fc.option(fc.string()),
      fc.constantFrom('data', 'definition', 'system', 'set_result'),
      fc.dictionary(fc.string(), fc.jsonValue()),
      (framing, joinRef, event, payload) => {
        const frame = { joinRef, ref: null, topic: CHANNEL, event, payload };
        expect(push(event, JSON.stringify(payload), framing, joinRef)).toBe(encodeFrame(frame, framing));
      },
    ),
  );
});
