import { ApiError, ConnectionError } from '@heliograph/client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { portalCall } from './portal-call.ts';

const ORIGIN = 'https://sun.example';
const PATH = '/portal/session';

const answer = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal('fetch', answer);
  vi.stubGlobal('location', { origin: ORIGIN });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  answer.mockReset();
});

/** The error of a call that fails. */
async function failure(): Promise<unknown> {
  return await portalCall('GET', PATH).then(
    () => undefined,
    (error: unknown) => error,
  );
}

describe('portalCall', () => {
  it('a GET has neither a body nor its headers', async () => {
    answer.mockResolvedValue(Response.json({ user: null }));
    expect(await portalCall('GET', PATH, { ignored: true })).toEqual({ user: null });
    expect(answer.mock.calls).toEqual([[PATH, { method: 'GET', signal: expect.any(AbortSignal) }]]);
  });

  it.each([
    ['its body', { token: 'abc' }, '{"token":"abc"}'],
    ['an empty object in place of no body', undefined, '{}'],
  ])('a POST sends %s as JSON', async (_what, body, sent) => {
    answer.mockResolvedValue(Response.json({}));
    await portalCall('POST', PATH, body);
    expect(answer).toHaveBeenCalledExactlyOnceWith(PATH, {
      method: 'POST',
      signal: expect.any(AbortSignal),
      headers: { 'content-type': 'application/json' },
      body: sent,
    });
  });

  it('a call waits fifteen seconds for its answer', async () => {
    const timeout = vi.spyOn(AbortSignal, 'timeout');
    answer.mockResolvedValue(Response.json({}));
    await portalCall('GET', PATH);
    expect(timeout).toHaveBeenCalledExactlyOnceWith(15_000);
    expect(answer.mock.calls[0]?.[1]?.signal).toBe(timeout.mock.results[0]?.value);
  });

  it.each([
    ['without content is undefined', new Response(null, { status: 204 }), undefined],
    ['that is no JSON is an empty object', new Response('<html>'), {}],
  ])('a good answer %s', async (_what, response, content) => {
    answer.mockResolvedValue(response);
    expect(await portalCall('GET', PATH)).toEqual(content);
  });

  it.each<[string, string | null, string, object]>([
    [
      'with a reason has that as its message, and all of its body',
      '{"error":"The email is not confirmed","pending_token":"p"}',
      'The email is not confirmed',
      { error: 'The email is not confirmed', pending_token: 'p' },
    ],
    ['whose reason is no text has the status text', '{"error":5}', 'Precondition', { error: 5 }],
    ['without a reason has the status text', '{"pending_token":"p"}', 'Precondition', { pending_token: 'p' }],
    ['with null has the status text and an empty body', 'null', 'Precondition', {}],
    ['with a text has the status text and an empty body', '"no"', 'Precondition', {}],
    ['that is no JSON has the status text and an empty body', '<html>', 'Precondition', {}],
    ['without content has the status text and an empty body', null, 'Precondition', {}],
  ])('a refusal %s', async (_what, text, message, body) => {
    answer.mockResolvedValue(new Response(text, { status: 412, statusText: 'Precondition' }));
    const error = await failure();
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({ origin: ORIGIN, status: 412, message });
    expect(error).toHaveProperty('body', body);
  });

  it.each([
    ['40', 40],
    ['0', 0],
    ['123456', 123_456],
    ['1234567', null],
    ['-40', null],
    ['40 s', null],
    ['Wed, 21 Oct 2015 07:28:00 GMT', null],
    ['', null],
    [undefined, null],
  ])(
    'a refusal with the Retry-After header %j is worth another attempt after %j seconds',
    async (value, seconds) => {
      const headers = value === undefined ? {} : { 'retry-after': value };
      answer.mockResolvedValue(Response.json({}, { status: 429, headers }));
      expect(await failure()).toHaveProperty('retryAfterS', seconds);
    },
  );

  it('a cloud that cannot be reached is a ConnectionError with the cause', async () => {
    const cause = new TypeError('fetch failed');
    answer.mockRejectedValue(cause);
    const error = await failure();
    expect(error).toBeInstanceOf(ConnectionError);
    expect(error).toMatchObject({ origin: ORIGIN, cause });
  });
});
