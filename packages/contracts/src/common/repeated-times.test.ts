import { expect, it } from 'vitest';
import { offsetIn, repeatedTimes } from './repeated-times.ts';

it('times that a clock shows twice are found, with their offsets', () => {
  const times = ['01:00:00+02:00', '02:00:00+02:00', '02:00:00+01:00', '03:00:00+01:00'].map(
    (time) => `2026-10-25T${time}`,
  );
  expect([...repeatedTimes(times)]).toEqual([times[1], times[2]]);
  expect([...repeatedTimes(times)].map(offsetIn)).toEqual(['+02:00', '+01:00']);
  expect(repeatedTimes(['2026-10-26T02:00:00+01:00', '2026-10-27T02:00:00+01:00']).size).toBe(0);
});
