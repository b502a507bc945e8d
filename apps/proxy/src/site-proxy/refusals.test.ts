import { expect, test } from 'vitest';
import { SessionEnding } from '../http2-client/client-session.ts';
import { UnsendableHeader } from '../http2-client/header-encoder.ts';
import { bodyTooLong, refusalOfOpenError } from './refusals.ts';

test.each([
  ['is ending', new SessionEnding()],
  ['is used up', new SessionEnding(true)],
])('a request on a connection that %s may come again at once', (_what, error) => {
  expect(refusalOfOpenError(error)).toEqual({
    status: 503,
    error: 'The connection to the site has just ended',
    headers: { 'retry-after': '1' },
  });
});

test.each([
  ['a header', new UnsendableHeader('bad')],
  ['an error', new Error('bad')],
  ['nothing', undefined],
])('a request that cannot be sent because of %s is refused with 400', (_name, error) => {
  expect(refusalOfOpenError(error)).toEqual({ status: 400, error: 'The request cannot be passed on' });
});

test('the refusal of a body that is too long names the limit', () => {
  expect(bodyTooLong(5)).toEqual({ status: 413, error: 'The request body is longer than 5 bytes' });
});
