import { expect, it } from 'vitest';
import { indexAfterKey } from './keyboard-index.ts';

it.each([
  ['ArrowLeft', null, 100, 99],
  ['ArrowLeft', 50, 100, 49],
  ['ArrowRight', 50, 100, 51],
  ['ArrowLeft', 0, 100, 0],
  ['ArrowRight', 99, 100, 99],
  ['PageDown', 50, 120, 40],
  ['PageUp', 50, 120, 60],
  ['Home', 50, 100, 0],
  ['End', null, 100, 99],
  ['Escape', 50, 100, null],
  ['Escape', null, 100, undefined],
  ['Tab', 50, 100, undefined],
  ['ArrowLeft', null, 0, undefined],
])('the key %s at point %s of %i leads to %s', (key, index, count, next) => {
  expect(indexAfterKey(key, index, count)).toBe(next);
});
