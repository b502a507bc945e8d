import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { caretFormat } from './caret-frame.ts';
import { escapedCheckBytes, plainCheckBytes } from './check-bytes.ts';

const PI17 = caretFormat({ checkBytes: plainCheckBytes, sendsCheckBytes: false, trailerLength: 1 });
const PI18 = caretFormat({ checkBytes: escapedCheckBytes, sendsCheckBytes: true, trailerLength: 3 });

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');
const find = (input: Uint8Array, accepts: (text: string) => boolean = () => true) =>
  PI17.findAnswer(input, accepts);

/** Source: recorded requests of jblance/mpp-solar, and the maker's documents of both protocols. */
it.each([
  ['a query of PI18', PI18.queryFrame('GS'), '5e50303035475358140d'],
  ['a longer query of PI18', PI18.queryFrame('PIRI'), '5e5030303750495249ee380d'],
  ['a command of PI18', PI18.setFrame('POP0'), '5e53303037504f50301d310d'],
  ['a query of PI17', PI17.queryFrame('GS'), hex(latin1('^P003GS\r'))],
  ['a command of PI17', PI17.setFrame('MUCHGC0100'), hex(latin1('^S011MUCHGC0100\r'))],
])('%s has the bytes that were recorded', (_name, frame, expected) => {
  expect(hex(frame)).toBe(expected);
});

it('PI18 sends check bytes that are no character of a frame, PI17 answers with any', () => {
  // Source: answers to T of jblance/mpp-solar, whose first check byte is a carriage return.
  const time = '^D01720210521234743';
  expect(PI18.parseAnswer(latin1(`${time}\x0eR\r`))).toEqual({ text: '20210521234743' });
  expect(PI17.parseAnswer(latin1(`${time}\x0dR\r`))).toEqual({ text: '20210521234743' });
  expect(PI18.parseAnswer(latin1(`${time}\x0dR\r`))).toEqual({ fault: 'its checksum (CRC) is wrong' });
});

describe('findAnswer of frames that begin with ^', () => {
  const mode = latin1('^D00505\xd9\x9f\r');
  const accepted = latin1('^1\x0b\xc2\r');

  it.each([
    ['an answer', mode],
    ['an acknowledgement', accepted],
    ['an answer with a carriage return among its check bytes', latin1('^D01720210521234743\x0dR\r')],
  ])('%s is found once it is complete', (_name, answer) => {
    for (let length = 0; length < answer.length; length++) {
      expect(find(answer.subarray(0, length))).toEqual({ is: 'more' });
    }
    expect(find(Buffer.concat([answer, mode]))).toMatchObject({ is: 'frame', end: answer.length });
  });

  it('an answer longer than its length ends with the next carriage return', () => {
    // Source: the answer to HECS of jblance/mpp-solar, whose maker's document has the same length.
    const control = latin1('^D01900,0,0,0,0,0,0,0,0\x35\xfc\r');
    expect(find(control)).toMatchObject({ is: 'frame', end: control.length });
  });

  it.each([
    ['the end of another answer', '12.3 4\r', 7],
    ['an answer of another protocol', '(NAKss\r', 7],
    ['bytes before an answer', `xy${mode.toString('latin1')}`, 2],
    ['a caret that begins nothing', '^X', 1],
    ['an answer with wrong check bytes', '^D005XXss\r', 10],
    ['noise without an end', 'A'.repeat(600), 600],
    ['an answer without an end', `^D999${'A'.repeat(600)}`, 605],
  ])('the rule skips %s', (_name, input, end) => {
    expect(find(latin1(input))).toMatchObject({ is: 'skip', end });
  });

  it('the answer of another protocol ends the wait for an answer', () => {
    expect(find(latin1('(NAKss\r'))).toMatchObject({ is: 'skip', damaged: true });
  });

  it('the rule skips the answer to another request', () => {
    expect(find(mode, (text) => text !== '05')).toMatchObject({ is: 'skip', end: mode.length });
  });

  it('an answer is found behind the zeros that fill a USB report', () => {
    const padded = Buffer.concat([Buffer.alloc(5), mode]);
    expect(find(padded)).toMatchObject({ is: 'frame', end: padded.length });
  });

  it('every skip goes on, and no noise is taken for an answer', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (noise) => {
        let rest: Uint8Array = Buffer.concat([noise, latin1('\r'), mode]);
        for (let found = find(rest); found.is !== 'more'; found = find(rest)) {
          if (found.is === 'frame') {
            expect(PI17.parseAnswer(found.frame)).toEqual({ text: '05' });
            return;
          }
          expect(found.end).toBeGreaterThan(0);
          rest = rest.subarray(found.end);
        }
      }),
    );
  });
});
