import { describe, expect, it } from 'vitest';
import { connectionErrorMessage } from './call.ts';
import { errorMessage } from './error-message.ts';

describe('the words of an error body', () => {
  it.each<[string, number, Record<string, unknown>, string]>([
    ['a text', 403, { error: 'Forbidden' }, 'Forbidden'],
    ['an object with a message', 404, { error: { message: 'Unknown uid' } }, 'Unknown uid'],
    ['OAuth', 400, { error: 'invalid_grant', error_description: 'The code expired' }, 'The code expired'],
    ['messages per field', 422, { errors: { name: ['is taken', 'is odd'] } }, 'name is taken; name is odd'],
    ['nested fields', 422, { errors: { user: { email: ['is invalid'] } } }, 'user.email is invalid'],
    ['nothing, of a known status', 503, {}, 'The device is offline'],
    ['nothing, of an unknown status', 418, {}, 'HTTP status 418'],
    ['an empty text', 401, { error: '' }, 'The credentials are missing, wrong or expired'],
  ])('errorMessage reads %s', (_what, status, body, message) => {
    expect(errorMessage(status, body)).toBe(message);
  });
});

describe('the words of a failed connection', () => {
  const failed = (cause: unknown): Error => new TypeError('fetch failed', { cause });
  const coded = (code: string, message = ''): Error => Object.assign(new Error(message), { code });

  it.each<[unknown, string]>([
    [failed(coded('ECONNREFUSED')), 'connection refused'],
    [failed(coded('ENOTFOUND')), 'no such host'],
    [failed(coded('CERT_HAS_EXPIRED', 'certificate has expired')), 'certificate has expired'],
    [new TypeError('Failed to fetch'), 'network error'],
    [new DOMException('timed out', 'TimeoutError'), 'no answer within 15 s'],
    [new DOMException('aborted', 'AbortError'), 'given up'],
  ])('connectionErrorMessage turns %s into "%s"', async (error, message) => {
    expect(await connectionErrorMessage(error, 15_000)).toBe(message);
  });
});
