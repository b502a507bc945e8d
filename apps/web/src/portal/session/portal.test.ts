import { ApiError, ConnectionError } from '@heliograph/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { portal } from './portal.ts';

const answer = vi.fn<typeof fetch>();

beforeEach(() => {
  vi.stubGlobal('fetch', answer);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  answer.mockReset();
});

it('the portal asks for its session without a body', async () => {
  answer.mockResolvedValue(Response.json({ user: null }));
  expect(await portal.getPortalSession()).toEqual({ user: null });
  const [path, options] = answer.mock.calls[0] ?? [];
  expect(path).toBe('/portal/session');
  expect(options).toMatchObject({ method: 'GET', headers: {}, body: null });
});

it('the portal sends the token of a link as JSON', async () => {
  answer.mockResolvedValue(new Response(null, { status: 204 }));
  expect(await portal.checkResetLink({ token: 'abc' })).toBeUndefined();
  const [path, options] = answer.mock.calls[0] ?? [];
  expect(path).toBe('/portal/password/reset/check');
  expect(options).toMatchObject({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"token":"abc"}',
  });
});

it('the uid of an authorization is percent-encoded in the path', async () => {
  answer.mockResolvedValue(Response.json([]));
  await portal.listConsentSites({ uid: 'a/b', q: 'x y' });
  expect(answer.mock.calls[0]?.[0]).toBe('/oauth/consent/a%2Fb/sites?q=x%20y');
});

it('the portal waits fifteen seconds for an answer', async () => {
  const timeout = vi.spyOn(AbortSignal, 'timeout');
  answer.mockResolvedValue(Response.json({}));
  await portal.getPortalSession();
  expect(timeout).toHaveBeenCalledExactlyOnceWith(15_000);
});

it('a refused sign-in raises ApiError with the whole answer', async () => {
  const refusal = { error: 'The email is not confirmed', pending_token: 'p' };
  answer.mockResolvedValue(Response.json(refusal, { status: 412 }));
  const failure = await portal
    .signInToPortal({ email: 'a@b.c', password: 'x' })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(ApiError);
  expect(failure).toMatchObject({ status: 412, message: refusal.error, body: refusal });
});

it('a cloud that cannot be reached raises ConnectionError', async () => {
  answer.mockRejectedValue(new TypeError('fetch failed'));
  await expect(portal.getPortalSession()).rejects.toBeInstanceOf(ConnectionError);
});
