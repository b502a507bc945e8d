import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAnswer, frameOf, parseAnswer } from './frame.ts';

const hex = (text: string): string => Buffer.from(frameOf(text)).toString('hex');
const bytes = (...parts: (string | Uint8Array)[]): Uint8Array =>
  Buffer.concat(parts.map((part) => Buffer.from(part)));
const find = (input: Uint8Array, accepts: (text: string) => boolean = () => true) =>
  findAnswer(input, accepts);

/** Source: the vendor's RS232 document, as quoted in b48736/axpert-monitor. */
it.each([
  ['QPI', '515049beac0d'],
  ['QPIGS', '5150494753b7a90d'],
  ['QPIRI', '5150495249f8540d'],
  ['QMOD', '514d4f4449c10d'],
  ['POP02', '504f503032e20b0d'],
  ['(ACK', '2841434b39200d'],
  ['(NAK', '284e414b73730d'],
])('%s is framed with its check bytes', (text, expected) => {
  expect(hex(text)).toBe(expected);
});

it('no check byte is a reserved character of a frame', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 60 }), (text) => {
      const [high, low] = frameOf(text).slice(-3);
      for (const byte of [high, low]) expect([0x28, 0x0d, 0x0a]).not.toContain(byte);
    }),
    { numRuns: 1_000 },
  );
});

describe('findAnswer of PI30', () => {
  const answer = frameOf('(B');

  it('an answer is found once it is complete', () => {
    for (let length = 0; length < answer.length; length++) {
      expect(find(answer.subarray(0, length))).toEqual({ is: 'more' });
    }
    expect(find(bytes(answer, '(N'))).toMatchObject({ is: 'frame', end: answer.length });
  });

  it.each([
    ['the end of another one', bytes('12.3 4\r'), 7],
    ['one that was cut before the next began', bytes('(233.8 49', answer), 9],
    ['noise without an end', new Uint8Array(600).fill(0x41), 600],
    ['one whose check bytes are wrong', bytes('(BXX\r'), 5],
    ['a carriage return alone', bytes('\r'), 1],
  ])('the rule skips %s', (_name, input, end) => {
    expect(find(input)).toMatchObject({ is: 'skip', end });
  });

  it('the rule skips the answer to another request', () => {
    expect(find(answer, (text) => text !== 'B')).toMatchObject({ is: 'skip', end: answer.length });
  });

  it('an answer is found behind the zeros that fill a USB report', () => {
    expect(find(bytes(new Uint8Array(5), answer))).toMatchObject({ is: 'frame', end: 5 + answer.length });
  });

  it('an answer is found behind any noise, and nothing else is accepted', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (noise) => {
        let rest = bytes(noise, '\r', answer);
        for (let found = find(rest); ; found = find(rest)) {
          if (found.is === 'more') throw new Error('the answer was passed over');
          if (found.is === 'frame') {
            expect(parseAnswer(found.frame)).toEqual({ text: 'B' });
            return;
          }
          expect(found.end).toBeGreaterThan(0);
          rest = rest.subarray(found.end);
        }
      }),
    );
  });
});
