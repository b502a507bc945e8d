import { describe, expect, it } from 'vitest';
import { type FrameForm, findAnswer } from './find-answer.ts';
import { BadFrame } from './frame-errors.ts';

/** 7F, kind 1 or 2, LENGTH of the rest, and an end mark of FF. */
const FORM: FrameForm<number> = {
  start: 0x7f,
  seconds: [1, 2],
  longest: 10,
  lengthIn: ([, , rest]) => (rest === undefined ? undefined : 3 + rest),
  decode: (bytes) => {
    if (bytes.at(-1) !== 0xff) throw new BadFrame('damaged');
    return bytes[1] ?? 0;
  },
};
const find = (...bytes: readonly number[]) =>
  findAnswer(Uint8Array.from(bytes), FORM, {
    sent: Uint8Array.of(0x7f, 1, 0, 9),
    answers: (kind) => kind === 2,
  });

const ANSWER = [0x7f, 2, 2, 5, 0xff] as const;

describe('findAnswer', () => {
  it('a whole answer is found, and bytes behind it are left', () => {
    expect(find(...ANSWER, 0x7f)).toMatchObject({ is: 'frame', end: 5 });
  });

  it.each([
    ['the beginning of an answer', ANSWER.slice(0, 4)],
    ['the beginning of an echo', [0x7f, 1, 0]],
  ])('%s waits for more', (_what, bytes) => {
    expect(find(...bytes)).toEqual({ is: 'more' });
  });

  it.each([
    ['an echo is ignored', [0x7f, 1, 0, 9, ...ANSWER], { end: 4, ignorable: true }],
    ['noise before an answer is skipped', [3, 0x7f, 9, ...ANSWER], { end: 3, reason: 'noise' }],
    ['noise without a beginning is skipped', [3, 4], { end: 2, reason: 'noise' }],
    ['a frame that is too long is none', [0x7f, 2, 200], { end: 1, reason: 'no frame is 203 bytes long' }],
    ['another answer is skipped', [0x7f, 1, 2, 5, 0xff], { end: 5 }],
    ['a damaged frame alone was the answer', [0x7f, 2, 2, 5, 0xfe], { end: 5, damaged: true }],
    ['a damaged frame before others is skipped by its first byte', [0x7f, 2, 2, 5, 0xfe, 1], { end: 1 }],
  ])('%s', (_what, bytes, expected) => {
    expect(find(...bytes)).toMatchObject({ is: 'skip', ...expected });
  });
});
