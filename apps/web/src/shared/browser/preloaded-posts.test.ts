import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { fetchPreloaded, preloadPost } from './preloaded-posts.ts';

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

it('a failure of an early request is reported to the page that needs its answer', async () => {
  send.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  preloadPost(PATH);
  await expect(fetchPreloaded(PATH, POST)).rejects.toThrow('Failed to fetch');
});
