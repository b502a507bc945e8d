import { expect, test } from 'vitest';
import { UpstreamEnded } from '../links/upstream.ts';
import { bodyTooLong, refusalOfSendError } from './refusals.ts';

test('a request on a connection that has just ended may come again soon', () => {
  expect(refusalOfSendError(new UpstreamEnded())).toEqual({
    status: 503,
    error: 'The connection to the site has just ended',
    headers: { 'retry-after': '1' },
  });
});

test.each([
  ['an error', new Error('bad')],
  ['something that is no error', { name: 'UpstreamEnded' }],
  ['nothing', undefined],
])('a request that cannot be sent because of %s is refused with 400', (_name, error) => {
  expect(refusalOfSendError(error)).toEqual({ status: 400, error: 'The request cannot be passed on' });
});

test('the refusal of a body that is too long names the limit', () => {
  expect(bodyTooLong(5)).toEqual({ status: 413, error: 'The request body is longer than 5 bytes' });
});
