import { createCloudClient } from '@heliograph/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { PAGE_SIZE } from '../ui/lists/page-size.ts';
import { queryOf, searchFrom } from './list/search.ts';
import { sitesPages } from './pages.ts';
import { sitePages } from './site/pages.ts';

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
    expect(page?.preload?.(at)?.shell?.gets).toEqual([fetch.mock.calls[0]?.[0], '/portal/session']);
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
  const requested = { shell: { gets: [get?.[0]] }, posts: [post?.[0]] };
  for (const path of ['/sites/7', '/sites/7/people'])
    expect(page?.preload?.(new URL(`https://sun.example${path}`))).toMatchObject(requested);
  expect(page?.preload?.(new URL('https://sun.example/sites/add'))).toEqual({});
});

describe('the shell of the list of sites', () => {
  const page = sitesPages.find(({ path }) => path === '/sites');
  const site = {
    name: 'Attic',
    description: null,
    inverter: 'Hybrid 6k',
    inverter_count: 2,
    battery: null,
    battery_count: 1,
  };
  const alone = { organizations: [], is_operator: false };
  const fieldsAt = (search: string, ...answers: unknown[]) =>
    page?.preload?.(new URL(`https://sun.example/sites${search}`)).shell?.fields(answers);

  it('the shell shows names, descriptions and models of hardware', () => {
    const fields = { name: 'Attic', description: '', hardware: '2 × Hybrid 6k' };
    expect(fieldsAt('', [site, site], alone)).toEqual([fields, fields]);
  });

  it('a site without a name keeps the line for what the page calls it', () => {
    expect(fieldsAt('', [{ ...site, name: null }, site], alone)).toMatchObject([{ name: '\u00a0' }, {}]);
  });

  it('the shell stays empty for the only site of an owner, which opens instead of the list', () => {
    expect(fieldsAt('', [site], alone)).toBeUndefined();
    expect(fieldsAt('?view=cards', [site], alone)).toHaveLength(1);
    expect(fieldsAt('', [site], { organizations: [], is_operator: true })).toHaveLength(1);
  });
});
