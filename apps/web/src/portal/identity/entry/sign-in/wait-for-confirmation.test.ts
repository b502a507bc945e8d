import { ApiError, ConnectionError } from '@heliograph/client';
import { expect, it } from 'vitest';
import { waitForConfirmation } from './wait-for-confirmation.ts';

const refusal = (status: number, retryAfterS: number | null = null): ApiError =>
  new ApiError('http://cloud', status, '', {}, retryAfterS);

/** Attempts that fail one after the other, then one that works. @returns how it ended, and after which pauses */
async function waitsFor(...failures: readonly Error[]): Promise<[string, number[]]> {
  const pauses: number[] = [];
  const ahead = [...failures];
  const outcome = await waitForConfirmation({
    attempt: async () => {
      const failure = ahead.shift();
      if (failure !== undefined) throw failure;
    },
    pause: async (ms) => void pauses.push(ms),
    signal: new AbortController().signal,
  });
  return [outcome, pauses];
}

it.each<[string, readonly Error[], string, number[]]>([
  ['nothing in the way', [], 'confirmed', [3_000]],
  [
    'an address that is confirmed in the end',
    [refusal(412), refusal(412)],
    'confirmed',
    [3_000, 3_000, 3_000],
  ],
  ['a broken connection', [new ConnectionError('http://cloud', 'no answer')], 'confirmed', [3_000, 3_000]],
  ['a limit', [refusal(429, 40)], 'confirmed', [3_000, 40_000]],
  ['a token that is too old', [refusal(412), refusal(401)], 'expired', [3_000, 3_000]],
])('a wait with %s ends and pauses as the API requires', async (_what, failures, outcome, pauses) => {
  expect(await waitsFor(...failures)).toEqual([outcome, pauses]);
});

it('an aborted wait attempts no sign-in', async () => {
  const attempt = () => Promise.reject(new Error('asked'));
  const signal = AbortSignal.abort();
  expect(await waitForConfirmation({ attempt, pause: async () => undefined, signal })).toBe('expired');
});
