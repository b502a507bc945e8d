import { ApiError, ConnectionError, UnexpectedAnswer } from '@heliograph/client';
import { expect, it } from 'vitest';
import { failureOf } from './write-state.ts';

const ORIGIN = 'http://device';
const refused = (status: number) => new ApiError(ORIGIN, status, 'the words of the device');

it.each([
  [refused(403), { state: 'notAllowed' }],
  [refused(401), { state: 'notAllowed' }],
  [refused(429), { state: 'tooMany' }],
  [refused(503), { state: 'offline' }],
  [refused(422), { state: 'refused', message: 'the words of the device' }],
  // It may have been sent before the connection was lost.
  [refused(502), { state: 'unknown' }],
  [refused(504), { state: 'unknown' }],
  [refused(500), { state: 'unknown' }],
  [new ConnectionError(ORIGIN, 'no answer'), { state: 'unknown' }],
  [new UnexpectedAnswer(ORIGIN, 'JSON'), { state: 'unknown' }],
])('a change that ended with %s', (error, state) => {
  expect(failureOf(error)).toEqual(state);
});
