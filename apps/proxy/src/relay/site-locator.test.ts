import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TestCloud } from '../../test/test-cloud.ts';
import { SiteLocator } from './site-locator.ts';

let cloud: TestCloud;
let locator: SiteLocator;
beforeEach(async () => {
  cloud = await TestCloud.start();
  cloud.proxies.siteNames.set(1, 'home');
  const sessions = [{ uid: 'uid-of-1', site_id: 1 }];
  cloud.proxies.announce('b', { host: 'b', url: 'https://b', region: 'test', sessions });
  locator = new SiteLocator({ cloudUrl: cloud.url, name: 'a', credential: 'the-secret' });
});
afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await cloud.stop();
});

describe('SiteLocator', () => {
  test('a site is found by id and by name', async () => {
    const location = {
      site_id: 1,
      site_name: 'home',
      online: true,
      last_seen_at: null,
      proxy: { name: 'b', url: 'https://b' },
      relay_token: expect.any(String),
    };
    expect(await locator.byId(1)).toEqual(location);
    expect(await locator.byName('Home')).toEqual(location);
    expect(await locator.byName('nobody')).toBeUndefined();
  });

  test('concurrent look-ups cause one request', async () => {
    await Promise.all(Array.from({ length: 100 }, () => locator.byId(1)));
    await locator.byId(1);
    expect(cloud.lookUps).toHaveLength(1);
    await locator.byId(1, 0);
    expect(cloud.lookUps).toHaveLength(2);
  });

  test('an unreachable cloud leaves known locations in place, and unknown ones fail', async () => {
    const known = await locator.byId(1);
    await cloud.stop();
    expect(await locator.byId(1, 0)).toEqual(known);
    await expect(locator.byId(2)).rejects.toThrow();
    cloud = await TestCloud.start();
  });

  test('a cloud that just failed is not requested again at once', async () => {
    cloud.locateStatus = 500;
    await expect(locator.byId(1)).rejects.toThrow('500');
    cloud.locateStatus = 200;
    expect(await locator.byId(1)).toMatchObject({ online: true });
    await cloud.stop();
    vi.useFakeTimers({ toFake: ['performance'] });
    const requests = vi.spyOn(globalThis, 'fetch');
    await expect(locator.byId(2)).rejects.toThrow();
    await Promise.allSettled(Array.from({ length: 1_000 }, (_, i) => locator.byId(i + 3)));
    expect(requests).toHaveBeenCalledTimes(1);
    cloud = await TestCloud.start();
  });
});
