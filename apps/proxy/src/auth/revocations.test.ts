import { once } from 'node:events';
import { ManualClock } from '@heliograph/kit';
import { SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type SiteCredentials, siteHeaders } from '../testing/test-cloud.ts';
import { answering, startTestSystem, type TestSystem } from '../testing/test-system.ts';
import { Revocations } from './revocations.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const CLAIMS = { access: 'write', keyDigest: '', id: '', expiresAt: 0, signedBy: '' } as const;
const at = (ms: number): string => new Date(ms).toISOString();

describe('revocations', () => {
  test('cover the tokens of that user and site that were issued before, whatever came in which order', () => {
    const revocation = fc.record({ site: fc.nat(3), user: fc.nat(3), ms: fc.nat(100) });
    fc.assert(
      fc.property(
        fc.array(fc.array(revocation)),
        fc.nat(3),
        fc.nat(3),
        fc.nat(100),
        (batches, site, user, ms) => {
          const revocations = new Revocations(() => NOW);
          for (const batch of batches) {
            revocations.add(
              batch.map((one) => ({ site_id: one.site, user_id: one.user, revoked_at: at(NOW + one.ms) })),
            );
          }
          const covered = batches.flat().some((one) => one.site === site && one.user === user && ms < one.ms);
          const claims = { ...CLAIMS, siteId: site, userId: user, issuedAt: NOW + ms };
          expect(revocations.cover(claims)).toBe(covered);
        },
      ),
    );
  });

  test('are asked for from the newest on, and again at once when as many came as come at once', () => {
    const revocations = new Revocations(() => NOW);
    expect(revocations.since).toBeUndefined();
    const batch = Array.from({ length: 10_000 }, (_, i) => ({
      site_id: i,
      user_id: 1,
      revoked_at: at(NOW - i),
    }));
    expect(revocations.add(batch)).toEqual({ anyNew: true, more: true });
    expect(revocations.since).toBe(at(NOW));
    // Nothing that was not known: asking again would bring the same for ever.
    expect(revocations.add(batch)).toEqual({ anyNew: false, more: false });
  });

  test('are forgotten when no token can be that old', () => {
    const clock = new ManualClock(NOW);
    const revocations = new Revocations(() => clock.now());
    revocations.add([{ site_id: 1, user_id: 1, revoked_at: at(NOW) }]);
    const old = { ...CLAIMS, siteId: 1, userId: 1, issuedAt: NOW - 1 };
    clock.advance(SITE_TOKEN_LIFETIME_MS - 1);
    revocations.add([]);
    expect(revocations.cover(old)).toBe(true);
    clock.advance(60 * 60_000);
    revocations.add([]);
    expect(revocations.cover(old)).toBe(false);
  });
});

describe('somebody who loses access to a site', () => {
  let system: TestSystem;
  afterEach(() => system.stop());

  const status = async (credentials: SiteCredentials): Promise<number> =>
    (await system.fetch('/api/v1/metrics', credentials)).status;
  const openWebSocket = async (credentials: SiteCredentials): Promise<WebSocket> => {
    const headers = siteHeaders(credentials);
    const socket = new WebSocket(`ws://${system.proxy.host}/api/websocket`, { headers });
    await once(socket, 'open');
    return socket;
  };

  test('is refused with the token that worked, and cut off from what is under way', async () => {
    system = await startTestSystem({ announceIntervalMs: 50 });
    const slow = Promise.withResolvers<void>();
    await system.connectDevice(1, (stream, headers) => {
      if (headers[':path'] !== '/api/v1/slow') answering('here')(stream, headers);
      else slow.resolve();
    });
    const { cloud } = system;
    const before = Date.now() - 60_000;
    const goes = await cloud.authorize(1, { userId: 2, nowMs: before });
    const stays = await cloud.authorize(1, { userId: 3, nowMs: before });
    expect([await status(goes), await status(stays)]).toEqual([200, 200]);
    const cut = await openWebSocket(goes);
    const kept = await openWebSocket(stays);
    const underWay = system.fetch('/api/v1/slow', goes).then(
      (answer) => answer.text(),
      () => 'cut off',
    );
    await slow.promise;

    cloud.proxies.revocations.push({ site_id: 1, user_id: 2, revoked_at: at(Date.now() - 30_000) });
    await once(cut, 'close');
    expect(await underWay).toBe('cut off');
    expect([await status(goes), await status(stays)]).toEqual([401, 200]);
    expect(kept.readyState).toBe(WebSocket.OPEN);
    expect(await status(await cloud.authorize(1, { userId: 2 }))).toBe(200);
    kept.terminate();
  });

  test('by the expiry of the token is cut off from open WebSockets too', async () => {
    const clock = new ManualClock(Date.now());
    system = await startTestSystem({ announceIntervalMs: 50, clock });
    await system.connectDevice(1, answering('here'));
    const credentials = await system.cloud.authorize(1, { nowMs: clock.now() });
    const socket = await openWebSocket(credentials);
    const closed = once(socket, 'close');
    clock.advance(SITE_TOKEN_LIFETIME_MS);
    await closed;
    expect(await status(credentials)).toBe(401);
  });
});

describe('a device that is no longer trusted', () => {
  test('loses its tunnel', async () => {
    const system = await startTestSystem({ announceIntervalMs: 50 });
    const device = await system.connectDevice(1, answering('here'));
    const other = await system.connectDevice(2, answering('here'));
    system.cloud.proxies.revoked.add('uid-of-1');
    await expect.poll(() => device.closed).toBe(true);
    expect(other.closed).toBe(false);
    await expect.poll(() => system.sites()).toEqual([2]);
    await system.stop();
  });
});
