import { expect, test } from 'vitest';
import { bodyTooLong, refusalOfOpenError } from './refusals.ts';

test.each(['ERR_HTTP2_GOAWAY_SESSION', 'ERR_HTTP2_INVALID_SESSION', 'ERR_HTTP2_OUT_OF_STREAMS'])(
  'a request on a connection that ended with %s may come again at once',
  (code) => {
    expect(refusalOfOpenError(Object.assign(new Error('ended'), { code }))).toEqual({
      status: 503,
      error: 'The connection to the site has just ended',
      headers: { 'retry-after': '1' },
    });
  },
);

test.each([
  ['an error with another code', Object.assign(new Error('bad'), { code: 'ERR_INVALID_HTTP_TOKEN' })],
  ['an error without a code', new Error('bad')],
  ['something that is no error', { code: 'ERR_HTTP2_GOAWAY_SESSION' }],
  ['nothing', undefined],
])('a request that cannot be sent because of %s is refused with 400', (_name, error) => {
  expect(refusalOfOpenError(error)).toEqual({ status: 400, error: 'The request cannot be passed on' });
});

test('the refusal of a body that is too long names the limit', () => {
  expect(bodyTooLong(5)).toEqual({ status: 413, error: 'The request body is longer than 5 bytes' });
});
