import { expect, it } from 'vitest';
import {
  AppError,
  BadRequest,
  Forbidden,
  messageOf,
  NotFound,
  Unauthorized,
  Unprocessable,
  ValidationError,
} from './errors.ts';

it.each([
  [new BadRequest('m'), 400, true],
  [new Unauthorized(), 401, true],
  [new Forbidden(), 403, true],
  [new NotFound(), 404, true],
  [new Unprocessable('m'), 422, true],
  [new ValidationError({ name: ['is taken'] }), 422, true],
  [new AppError('m', { code: 'broken', status: 500 }), 500, false],
  [new AppError('m', { code: 'offline', status: 503, expose: true }), 503, true],
])('%s becomes status %i, its message shown: %j', (error, status, expose) => {
  expect({ status: error.status, expose: error.expose }).toEqual({ status, expose });
  expect(error).toBeInstanceOf(AppError);
});

it('an error is called by its class and keeps its cause', () => {
  const cause = new Error('inner');
  expect(new NotFound('gone', cause)).toMatchObject({ name: 'NotFound', message: 'gone', cause });
});

it.each([
  [new Error('words'), 'words'],
  ['text', 'text'],
  [undefined, 'undefined'],
])('the message of %s is %j', (thrown, message) => {
  expect(messageOf(thrown)).toBe(message);
});
