import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLogger, type Logger } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TestCloud } from '../testing/test-cloud.ts';
import { Announcer } from './announcer.ts';

const INTERVAL_MS = 300;
let cloud: TestCloud;
let announcer: Announcer;
let logger: Logger;
let sites: number[];
beforeEach(async () => {
  cloud = await TestCloud.start();
  logger = createLogger('test', 'silent');
  sites = [];
  announcer = create(cloud.url);
});
afterEach(async () => {
  await announcer.stop();
  await cloud.stop();
});

function create(cloudUrl: string): Announcer {
  return new Announcer({
    cloudUrl,
    name: 'test-1',
    secret: 'the-secret',
    logger,
    intervalMs: INTERVAL_MS,
    body: () => ({
      host: 'proxy.example',
      url: 'https://proxy.example',
      region: 'test',
      sessions: sites.map((site) => ({ uid: `uid-of-${site}`, site_id: site })),
    }),
  });
}

const announcedSites = () =>
  cloud.announcements.map(({ body }) => body.sessions.map((session) => session.site_id));

describe('a proxy', () => {
  test('announces itself at the start, as the cloud expects it', async () => {
    announcer.start();
    await expect.poll(() => cloud.announcements).toHaveLength(1);
    expect(cloud.announcements[0]).toEqual({
      path: 'PUT /api/v1/proxies/test-1',
      authorization: 'Bearer the-secret',
      body: { host: 'proxy.example', url: 'https://proxy.example', region: 'test', sessions: [] },
    });
  });

  test('announces itself again and again', async () => {
    announcer.start();
    await expect.poll(() => cloud.announcements.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(3);
  });

  test('announces changes soon, many at a time', async () => {
    announcer.start();
    await expect.poll(() => cloud.announcements).toHaveLength(1);
    const since = performance.now();
    for (let site = 1; site <= 100; site++) {
      sites = [...sites, site];
      announcer.changed();
    }
    await expect.poll(() => announcedSites().at(-1), { interval: 5 }).toHaveLength(100);
    expect(performance.now() - since).toBeLessThan(INTERVAL_MS);
    expect(cloud.announcements).toHaveLength(2);
  });

  test('announces a change that comes while an announcement is under way', async () => {
    const requests: (() => void)[] = [];
    const slow = createServer((req, res) => {
      req.resume();
      requests.push(() => res.end('{}'));
    });
    slow.listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const slowAnnouncer = create(`http://127.0.0.1:${(slow.address() as AddressInfo).port}`);
    slowAnnouncer.start();
    await expect.poll(() => requests).toHaveLength(1);
    const since = performance.now();
    slowAnnouncer.changed();
    requests[0]?.();
    await expect.poll(() => requests, { interval: 5 }).toHaveLength(2);
    expect(performance.now() - since).toBeLessThan(INTERVAL_MS);
    slow.closeAllConnections();
    slow.close();
    await slowAnnouncer.stop();
  });

  test('keeps trying when the cloud fails, and says so once', async () => {
    const warn = vi.spyOn(logger, 'warn');
    const info = vi.spyOn(logger, 'info');
    cloud.announceStatus = 500;
    announcer.start();
    await expect.poll(() => cloud.announcements.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(3);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(info).not.toHaveBeenCalled();
    cloud.announceStatus = 200;
    await expect.poll(() => info, { timeout: 5_000 }).toHaveBeenCalledTimes(1);
    expect(JSON.stringify([...warn.mock.calls, ...info.mock.calls])).not.toContain('the-secret');
  });

  test('says goodbye', async () => {
    sites = [1, 2];
    announcer.start();
    await expect.poll(() => announcedSites()).toEqual([[1, 2]]);
    sites = [];
    await announcer.stop();
    expect(announcedSites().at(-1)).toEqual([]);
  });
});
