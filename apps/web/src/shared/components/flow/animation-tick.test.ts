import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { onAnimationTick } from './animation-tick.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('a tick reaches every subscriber at the same moment, while the page is visible', () => {
  const page = { hidden: false };
  vi.stubGlobal('document', page);
  const [one, other] = [vi.fn(), vi.fn()];
  const endOne = onAnimationTick(one);
  vi.advanceTimersByTime(1_500);
  const endOther = onAnimationTick(other);
  vi.advanceTimersByTime(500);
  expect([one, other].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
  page.hidden = true;
  vi.advanceTimersByTime(10_000);
  page.hidden = false;
  endOne();
  vi.advanceTimersByTime(2_000);
  expect([one, other].map(({ mock }) => mock.calls.length)).toEqual([1, 2]);
  endOther();
  expect(vi.getTimerCount()).toBe(0);
});
