import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ProxyAnnounceAnswer } from '@heliograph/contracts';
import { inPieces } from '@heliograph/dev/in-pieces';
import { createLogger, type Logger } from '@heliograph/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { TestCloud } from '../../test/test-cloud.ts';
import { ANNOUNCE_INTERVAL_MS, Announcer } from './announcer.ts';
import { SessionChanges } from './session-changes.ts';

const INTERVAL_MS = 300;
/** Longer than any test: an announcement within it was caused by a change. */
const NEVER_MS = 600_000;
let cloud: TestCloud;
let announcer: Announcer;
let logger: Logger;
let changes: SessionChanges;
let sites: Set<number>;
let draining: boolean;
let answers: ProxyAnnounceAnswer[];
beforeEach(async () => {
  cloud = await TestCloud.start();
  logger = createLogger('test', 'silent');
  changes = new SessionChanges();
  sites = new Set();
  draining = false;
  answers = [];
  announcer = create(cloud.url);
});
afterEach(async () => {
  await announcer.stop();
  await cloud.stop();
});

const STATE = {
  host: 'proxy.example',
  url: 'https://proxy.example',
  region: 'test',
  region_domain: 'test.example',
  capacity: 7,
};

function create(cloudUrl: string, returnMs?: number, intervalMs = INTERVAL_MS): Announcer {
  return new Announcer({
    cloudUrl,
    name: 'test-1',
    credential: 'the-secret',
    logger,
    intervalMs,
    returnMs,
    state: () => ({ ...STATE, draining }),
    sessions: () => [...sites].map((site) => ({ uid: `uid-of-${site}`, site_id: site })),
    changes,
    onAnswer: (answer) => answers.push(answer),
  });
}

function comes(site: number): void {
  sites.add(site);
  changes.added(`uid-of-${site}`, site);
  announcer.changed();
}

function leaves(site: number): void {
  sites.delete(site);
  changes.removed(`uid-of-${site}`);
  announcer.changed();
}

const started = async (): Promise<void> => {
  announcer.start();
  await expect.poll(() => answers).toHaveLength(1);
};
const paths = (): string[] => cloud.announcements.map(({ path }) => path.split(' ')[0] ?? '');
const known = (): number[] => cloud.proxies.sitesOn('test-1').sort((a, b) => a - b);

describe('Announcer', () => {
  test('the first announcement has the full state and all sessions', async () => {
    sites.add(5);
    await started();
    expect(cloud.announcements[0]).toEqual({
      path: 'PUT /api/v1/proxies/test-1',
      authorization: 'Bearer the-secret',
      body: {
        ...STATE,
        draining: false,
        returning: true,
        run: expect.any(String),
        sequence: 0,
        sessions: [{ uid: 'uid-of-5', site_id: 5 }],
      },
    });
  });

  test('the full state is announced again after the grace period for returning devices', async () => {
    announcer = create(cloud.url, 1);
    announcer.start();
    const bodies = () =>
      cloud.announcements.filter(({ path }) => path.startsWith('PUT')).map(({ body }) => body);
    await expect.poll(bodies).toMatchObject([{ returning: true }, { returning: false }]);
  });

  test('later announcements have only changes, numbered in sequence', async () => {
    await started();
    const { run } = cloud.announcements[0]?.body ?? {};
    await expect.poll(() => cloud.announcements.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(3);
    expect(paths().slice(0, 3)).toEqual(['PUT', 'PATCH', 'PATCH']);
    const nothing = { run, draining: false, removed: [], added: [] };
    expect(cloud.announcements[1]?.body).toEqual({ ...nothing, sequence: 1 });
    expect(cloud.announcements[2]?.body).toEqual({ ...nothing, sequence: 2 });
  });

  test('many changes are announced at once in one request', async () => {
    announcer = create(cloud.url, undefined, NEVER_MS);
    await started();
    for (let site = 1; site <= 100; site++) comes(site);
    await expect.poll(known, { interval: 5 }).toHaveLength(100);
    expect(paths()).toEqual(['PUT', 'PATCH']);
  });

  test('added and removed devices are merged into their final state', async () => {
    sites = new Set([1, 2, 3]);
    await started();
    for (const site of [1, 2]) leaves(site);
    for (const site of [2, 4, 5]) comes(site);
    for (const site of [5]) leaves(site);
    await expect.poll(known).toEqual([2, 3, 4]);
    expect(cloud.announcements[1]?.body).toMatchObject({
      removed: ['uid-of-1', 'uid-of-2'],
      added: [
        { uid: 'uid-of-2', site_id: 2 },
        { uid: 'uid-of-4', site_id: 4 },
      ],
    });
  });

  test('a 409 makes the proxy announce the full state under a new run', async () => {
    sites.add(1);
    await started();
    cloud.proxies.forget('test-1');
    comes(2);
    await expect.poll(known).toEqual([1, 2]);
    expect(paths()).toEqual(['PUT', 'PATCH', 'PUT']);
    const [first, , second] = cloud.announcements;
    expect(first?.body.run).not.toBe(second?.body.run);
  });

  test('a second proxy of the same name is reported in the log', async () => {
    const warn = vi.spyOn(logger, 'warn');
    const namesake = create(cloud.url);
    await started();
    namesake.start();
    await expect
      .poll(() => warn.mock.calls, { timeout: 5_000 })
      .toContainEqual([{ name: 'test-1' }, expect.stringContaining('PROXY_NAME')]);
    await namesake.stop();
  });

  test('the log has the cause of a failed announcement', async () => {
    const warn = vi.spyOn(logger, 'warn');
    const reasons = (): unknown[] => warn.mock.calls.map(([facts]) => facts);
    const lost = create('http://127.0.0.1:1');
    lost.start();
    await expect.poll(reasons).toMatchObject([{ reason: expect.stringMatching(/ECONNREFUSED|bad port/) }]);
    await lost.stop();
    cloud.announceStatus = 500;
    announcer.start();
    await expect.poll(reasons).toMatchObject([{}, { reason: 'the cloud answered 500' }]);
  });

  test('a refused credential is logged once with a remedy and kept as the refusal until the cloud accepts it', async () => {
    const warn = vi.spyOn(logger, 'warn');
    const reasons = (): unknown[] => warn.mock.calls.map(([facts]) => (facts as { reason: string }).reason);
    cloud.announceStatus = 401;
    announcer.start();
    await expect.poll(() => announcer.failures).toBeGreaterThan(2);
    expect(reasons()).toEqual([expect.stringMatching(/revoked.*heliograph admin proxies add test-1/)]);
    expect(announcer.refusal).toMatch(/revoked/);
    cloud.announceStatus = 403;
    await expect.poll(reasons).toHaveLength(2);
    expect(reasons().at(-1)).toMatch(/made for another name than test-1; set PROXY_NAME/);
    cloud.announceStatus = 500;
    const failures = announcer.failures;
    await expect.poll(() => announcer.failures).toBeGreaterThan(failures);
    expect(announcer.refusal).toMatch(/another name/);
    cloud.announceStatus = 200;
    await expect.poll(() => announcer.refusal, { timeout: 5_000 }).toBeUndefined();
    expect(JSON.stringify(warn.mock.calls)).not.toContain('the-secret');
  });

  test('a credential that is revoked is noticed at the next announcement, five seconds later at most, without a change', async () => {
    expect(ANNOUNCE_INTERVAL_MS).toBeLessThanOrEqual(5_000);
    await started();
    cloud.announceStatus = 401;
    await expect.poll(() => announcer.refusal).toMatch(/revoked/);
  });

  test('a change during an announcement is announced right after it', async () => {
    const requests: (() => void)[] = [];
    const slow = createServer((req, res) => {
      req.resume();
      requests.push(() => res.end('{}'));
    });
    inPieces(slow).listen(0, '127.0.0.1');
    await once(slow, 'listening');
    const slowUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const slowAnnouncer = create(slowUrl, undefined, NEVER_MS);
    slowAnnouncer.start();
    await expect.poll(() => requests).toHaveLength(1);
    slowAnnouncer.changed();
    requests[0]?.();
    await expect.poll(() => requests, { interval: 5 }).toHaveLength(2);
    slow.closeAllConnections();
    slow.close();
    await slowAnnouncer.stop();
  });

  test('a failing cloud is logged once, retried, and then sent the full state', async () => {
    const warn = vi.spyOn(logger, 'warn');
    const info = vi.spyOn(logger, 'info');
    cloud.announceStatus = 500;
    announcer.start();
    await expect.poll(() => cloud.announcements.length, { timeout: 5_000 }).toBeGreaterThanOrEqual(3);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(info).not.toHaveBeenCalled();
    comes(1);
    cloud.announceStatus = 200;
    await expect.poll(() => info, { timeout: 5_000 }).toHaveBeenCalledTimes(1);
    expect(known()).toEqual([1]);
    expect(new Set(paths())).toEqual(new Set(['PUT']));
    expect(announcer.failures).toBeGreaterThanOrEqual(3);
    expect(JSON.stringify([...warn.mock.calls, ...info.mock.calls])).not.toContain('the-secret');
  });

  test('revocations are requested since the last answer, and at once when there are more', async () => {
    const revoked = [1, 2].map((site) => ({
      site_id: site,
      user_id: 2,
      revoked_at: new Date(Date.now() - 90_000 + site).toISOString(),
    }));
    cloud.proxies.revocations.push(...revoked);
    cloud.proxies.revocationsPerAnswer = 1;
    announcer = create(cloud.url, undefined, NEVER_MS);
    await started();
    await expect.poll(() => answers, { interval: 5 }).toHaveLength(3);
    expect(answers.map(({ revocations }) => revocations)).toEqual([[revoked[0]], [revoked[1]], []]);
    announcer.changed();
    await expect.poll(() => answers).toHaveLength(4);
    expect(answers.at(-1)?.revocations).toEqual([]);
  });

  test('announceNow resolves once the cloud has the current state', async () => {
    await started();
    draining = true;
    expect(await announcer.announceNow()).toBe(true);
    expect(cloud.proxies.isDraining('test-1')).toBe(true);
    cloud.announceStatus = 500;
    expect(await announcer.announceNow()).toBe(false);
  });

  test('the last announcement on stop removes all devices', async () => {
    sites = new Set([1, 2]);
    await started();
    expect(known()).toEqual([1, 2]);
    for (const site of [1, 2]) leaves(site);
    await announcer.stop();
    expect(known()).toEqual([]);
    expect(await announcer.announceNow()).toBe(false);
  });
});
