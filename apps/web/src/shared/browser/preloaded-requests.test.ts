import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchPreloaded, preloadJson, preloadPost } from './preloaded-requests.ts';

const PATH = '/portal/api/v1/sites/7/authorize';
const POST = { method: 'POST' } as const;

const send = vi.fn<typeof globalThis.fetch>();

beforeEach(() => {
  vi.stubGlobal('fetch', send);
  send.mockReset().mockImplementation(async () => Response.json({ request: send.mock.calls.length }));
});
afterEach(() => vi.unstubAllGlobals());

it('a POST that was sent early is sent once, and one after it again', async () => {
  preloadPost(PATH);
  expect(await (await fetchPreloaded(PATH, POST)).json()).toEqual({ request: 1 });
  expect(send).toHaveBeenCalledOnce();
  expect(await (await fetchPreloaded(PATH, POST)).json()).toEqual({ request: 2 });
});

it('a request with another method or path gets its own answer', async () => {
  preloadPost(PATH);
  expect(await (await fetchPreloaded(PATH, { method: 'GET' })).json()).toEqual({ request: 2 });
  expect(await (await fetchPreloaded('/portal/api/v1/sites/8/authorize', POST)).json()).toEqual({
    request: 3,
  });
  await fetchPreloaded(PATH, POST);
});

it('a request that is aborted does not wait for an early answer', async () => {
  send.mockReturnValueOnce(new Promise(() => undefined));
  preloadPost(PATH);
  const controller = new AbortController();
  const answer = fetchPreloaded(PATH, { ...POST, signal: controller.signal });
  controller.abort(new Error('too late'));
  await expect(answer).rejects.toThrow('too late');
});

it('an early answer whose body does not arrive ends when its request is aborted', async () => {
  send.mockImplementationOnce(async (_path, init) => new Response(unendingBody(init?.signal)));
  const shell = preloadJson('/portal/api/v1/sites/4');
  const controller = new AbortController();
  const answer = await fetchPreloaded('/portal/api/v1/sites/4', { signal: controller.signal });
  controller.abort(new Error('too late'));
  await expect(answer.text()).rejects.toThrow('too late');
  expect(await shell).toBeUndefined();
});

it('a failure of an early request is reported to the page that needs its answer', async () => {
  send.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  preloadPost(PATH);
  await expect(fetchPreloaded(PATH, POST)).rejects.toThrow('Failed to fetch');
});

it('a GET that was sent early answers the shell and the page', async () => {
  const shell = preloadJson('/portal/api/v1/sites/7');
  const answer = await fetchPreloaded('/portal/api/v1/sites/7', {});
  expect(await answer.json()).toEqual({ request: 1 });
  expect(await shell).toEqual({ request: 1 });
});

it('a refusal of an early GET leaves the shell as it is, and reaches the page', async () => {
  send.mockResolvedValueOnce(new Response('', { status: 404 }));
  expect(await preloadJson('/portal/api/v1/sites/9')).toBeUndefined();
  expect((await fetchPreloaded('/portal/api/v1/sites/9', {})).status).toBe(404);
});

it('an early answer that no page has taken for half a minute is dropped', async () => {
  vi.useFakeTimers();
  preloadPost('/portal/api/v1/sites/3/authorize');
  vi.advanceTimersByTime(30_000);
  vi.useRealTimers();
  expect(await (await fetchPreloaded('/portal/api/v1/sites/3/authorize', POST)).json()).toEqual({
    request: 2,
  });
});

/** A body that ends with the request alone, as that of `fetch` does. */
function unendingBody(signal: AbortSignal | null | undefined): ReadableStream {
  return new ReadableStream({
    start: (body) => signal?.addEventListener('abort', () => body.error(signal.reason)),
  });
}
