import { expect, it } from 'vitest';
import { NotReady } from './ticket-source.ts';

it.each([
  [0, 1],
  [-5, 1],
  [90, 90],
  [3_600, 3_600],
  [100_000, 3_600],
])('a device that is to call again after %i s waits for %i s', (retryAfterS, waitS) => {
  expect(new NotReady({ status: 'inactive', retry_after_s: retryAfterS }).retryAfterMs).toBe(waitS * 1000);
});
