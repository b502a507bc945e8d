import { createCloudClient } from '@heliograph/client';
import { afterEach, expect, it, vi } from 'vitest';
import { PAGE_SIZE } from '../parts/page-size.ts';
import { sitePages } from '../site/pages.ts';
import { sitesPages } from './pages.ts';
import { queryOf, searchFrom } from './search.ts';

afterEach(() => vi.unstubAllGlobals());

it.each(['', '?show=online', `?${new URLSearchParams({ q: "roof*/50% + Süd (a&b) 'c'!~" })}`])(
  'the preloaded request of the list at "%s" is the request of the page',
  async (search) => {
    const fetch = vi.fn<typeof globalThis.fetch>().mockResolvedValue(Response.json([]));
    vi.stubGlobal('fetch', fetch);
    const at = new URL(`https://sun.example/sites${search}`);
    const page = sitesPages.find(({ path }) => path === '/sites');
    const q = queryOf(searchFrom(at.searchParams));
    await createCloudClient({ url: '/portal' }).listSites({ q, limit: PAGE_SIZE, offset: 0 });
    expect(page?.preload?.(at)).toEqual({ gets: [fetch.mock.calls[0]?.[0]] });
  },
);

it('the preloaded requests of a site are the requests of its page', async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => Response.json({}));
  vi.stubGlobal('fetch', fetch);
  const client = createCloudClient({ url: '/portal' });
  await client.getSite({ id: 7 });
  await client.authorizeSite({ id: 7 });
  const [page] = sitePages;
  const [get, post] = fetch.mock.calls;
  expect(post?.[1]).toMatchObject({ method: 'POST', body: null });
  const requested = { gets: [get?.[0]], posts: [post?.[0]] };
  for (const path of ['/sites/7', '/sites/7/people'])
    expect(page?.preload?.(new URL(`https://sun.example${path}`))).toEqual(requested);
  expect(page?.preload?.(new URL('https://sun.example/sites/add'))).toEqual({});
});
