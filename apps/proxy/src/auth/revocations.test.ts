import { on, once } from 'node:events';
import { connect } from 'node:net';
import { ManualClock } from '@heliograph/kit';
import { generateSigningKey, revocationSignal, SITE_TOKEN_LIFETIME_MS } from '@heliograph/wire';
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { head } from '../../test/raw-request.ts';
import { type SiteCredentials, siteHeaderLines, siteHeaders } from '../../test/test-cloud.ts';
import { dial, TestDevice } from '../../test/test-device.ts';
import { answering, startTestSystem, type TestSystem } from '../../test/test-system.ts';
import { Revocations } from './revocations.ts';

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const CLAIMS = {
  access: 'write',
  mayConfigure: false,
  isPerson: false,
  source: null,
  recovery: null,
  keyDigest: '',
  id: '',
  expiresAt: 0,
  signedBy: '',
} as const;
const at = (ms: number): string => new Date(ms).toISOString();

describe('Revocations', () => {
  test('revocations cover earlier tokens of the user at the site, in any order of arrival', () => {
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
          expect(revocations.covers(claims)).toBe(covered);
        },
      ),
    );
  });

  test('revocations of a source cover its earlier tokens and no others of the account', () => {
    const revocations = new Revocations(() => NOW);
    const [token, grant] = ['token:7', 'grant:5f0c'];
    for (const subject of [token, grant]) {
      revocations.add([{ site_id: 1, subject, user_id: 2, revoked_at: at(NOW) }]);
    }
    const covers = (source: string | null, siteId = 1, issuedAt = NOW - 1_000) =>
      revocations.covers({ ...CLAIMS, siteId, userId: 2, source, issuedAt });
    expect([covers(token), covers(grant), covers(grant, 1, NOW)]).toEqual([true, true, false]);
    expect([covers(null), covers('token:70'), covers(token, 3), covers('user:2')]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test('revocations are dropped once every covered token has expired', () => {
    const clock = new ManualClock(NOW);
    const revocations = new Revocations(() => clock.now());
    revocations.add([{ site_id: 1, user_id: 1, revoked_at: at(NOW) }]);
    const old = { ...CLAIMS, siteId: 1, userId: 1, issuedAt: NOW - 1 };
    clock.advance(SITE_TOKEN_LIFETIME_MS - 1);
    revocations.add([]);
    expect(revocations.covers(old)).toBe(true);
    clock.advance(60 * 60_000);
    revocations.add([]);
    expect(revocations.covers(old)).toBe(false);
  });
});

describe('a member who loses access to a site', () => {
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

  /** Revokes the tokens that `authorize` issued to the account a minute ago. */
  const revoke = (userId: number): void => {
    const revokedAt = at(Date.now() - 30_000);
    system.cloud.proxies.revocations.push({ site_id: 1, user_id: userId, revoked_at: revokedAt });
  };
  const authorize = (userId: number): Promise<SiteCredentials> =>
    system.cloud.authorize(1, { userId, nowMs: Date.now() - 60_000 });

  test('a revoked token is refused, its WebSocket is closed, and other tokens stay', async () => {
    system = await startTestSystem({ announceIntervalMs: 50 });
    await system.connectDevice(1, answering('here'));
    const goes = await authorize(2);
    const stays = await authorize(3);
    expect([await status(goes), await status(stays)]).toEqual([200, 200]);
    const cut = await openWebSocket(goes);
    const kept = await openWebSocket(stays);

    revoke(2);
    await once(cut, 'close');
    expect([await status(goes), await status(stays)]).toEqual([401, 200]);
    expect(await (await system.fetch('/api/v1/metrics', goes)).json()).toEqual({
      error: 'The site token was revoked: authorize again',
    });
    expect(kept.readyState).toBe(WebSocket.OPEN);
    expect(await status(await system.cloud.authorize(1, { userId: 2 }))).toBe(200);
    kept.terminate();
  });

  test.each([
    ['GET', 401, 'The site token expired or was revoked while the request was under way: authorize again'],
    [
      'POST',
      502,
      'The site token expired or was revoked while the request was under way, which may have been carried out',
    ],
  ])(
    'a %s that the device has not answered when its token is revoked gets %i, and is taken back from the device',
    async (method, code, error) => {
      system = await startTestSystem({ announceIntervalMs: 50 });
      const underWay = Promise.withResolvers<void>();
      const takenBack = Promise.withResolvers<void>();
      await system.connectDevice(1, (stream) => {
        stream.on('error', () => undefined).once('close', takenBack.resolve);
        underWay.resolve();
      });
      const goes = await authorize(2);
      const body = method === 'POST' ? { body: '{}' } : {};
      const answer = system.fetch('/api/v1/metrics', goes, { method, ...body });
      await underWay.promise;

      revoke(2);
      expect([(await answer).status, await (await answer).json()]).toEqual([code, { error }]);
      await takenBack.promise;
    },
  );

  test('an answer that has begun when its token is revoked is cut off', async () => {
    system = await startTestSystem({ announceIntervalMs: 50 });
    await system.connectDevice(1, (stream) => {
      stream.on('error', () => undefined);
      stream.respond({ ':status': 200, 'content-length': 10 });
      stream.write('begun');
    });
    const goes = await authorize(2);
    const answer = await system.fetch('/api/v1/metrics', goes);
    expect(answer.status).toBe(200);

    revoke(2);
    await expect(answer.text()).rejects.toThrow('terminated');
  });

  test('a request that waits for its device when its token is revoked gets 401, and never reaches the device', async () => {
    system = await startTestSystem({ announceIntervalMs: 50, moveGraceMs: 60_000 });
    const device = await system.connectDevice(1, answering('before'));
    device.leave();
    await expect.poll(() => system.sites()).toEqual([]);
    const goes = await authorize(2);
    const stays = await authorize(3);
    // The cloud is asked where the device is for each request that waits.
    const located = vi.spyOn(system.cloud.proxies, 'locate');
    // A write, which reaches the device as little as a read.
    const ended = system.fetch('/', goes, { method: 'POST' });
    await expect.poll(() => located).toHaveBeenCalled();
    const held = system.fetch('/', stays);

    revoke(2);
    expect([(await ended).status, await (await ended).json()]).toEqual([
      401,
      { error: 'The site token expired or was revoked while the request was under way: authorize again' },
    ]);
    const methods: (string | undefined)[] = [];
    await system.connectDevice(1, (stream, headers) => {
      methods.push(headers[':method']);
      answering('back')(stream, headers);
    });
    expect(await (await held).text()).toBe('back');
    expect(methods).toEqual(['GET']);
  });

  test('a revoked WebSocket sends nothing more to the device', async () => {
    system = await startTestSystem({ announceIntervalMs: 50 });
    const isAccepted: string[] = [];
    const ended = Promise.withResolvers<void>();
    await system.connectDevice(1, (stream) => {
      stream.respond({ ':status': 200 });
      stream.on('data', (part: Buffer) => isAccepted.push(String(part)));
      stream.on('close', ended.resolve);
    });
    const goes = await system.cloud.authorize(1, { nowMs: Date.now() - 60_000 });
    const socket = connect({
      host: '127.0.0.1',
      port: Number(new URL(system.proxy.url).port),
      allowHalfOpen: true,
    });
    socket.on('error', () => undefined);
    const handshake = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
    const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==';
    socket.write(head('GET /api/websocket HTTP/1.1', ...handshake, key, ...siteHeaderLines(goes)));
    socket.write('before');
    await expect.poll(() => isAccepted.join('')).toBe('before');

    system.cloud.proxies.revocations.push({ site_id: 1, user_id: 1, revoked_at: at(Date.now() - 30_000) });
    const end = Buffer.from([0x88, 2]);
    for await (const part of on(socket, 'data')) if ((part[0] as Buffer).includes(end)) break;
    const timer = setInterval(() => socket.write('after'), 5);
    const cut = once(socket, 'end').then(() => clearInterval(timer));
    await ended.promise;
    expect(isAccepted.join('')).toBe('before');
    await cut;
    socket.destroy();
  });

  test('a WebSocket ends when its token expires', async () => {
    const clock = new ManualClock(Date.now());
    system = await startTestSystem({ announceIntervalMs: 50, clock });
    await system.connectDevice(1, answering('here'));
    const credentials = await system.cloud.authorize(1, { nowMs: clock.now() });
    const socket = await openWebSocket(credentials);
    const closed = once(socket, 'close');
    // The expiry needs no answer of the cloud.
    system.cloud.announceStatus = 500;
    await expect.poll(() => system.cloud.announcements.length).toBeGreaterThan(2);
    clock.advance(SITE_TOKEN_LIFETIME_MS);
    await closed;
    expect(await status(credentials)).toBe(401);
  });
});

describe('a connected device', () => {
  const ping = (subject: string, revokedAt: string) =>
    revocationSignal([{ subject, revokedAt: Date.parse(revokedAt) }]);

  test('the device is pinged for a revocation of its site, and again when it reconnects', async () => {
    const system = await startTestSystem({ announceIntervalMs: 50 });
    const [device, other] = [
      await system.connectDevice(1, answering('here')),
      await system.connectDevice(2, answering('here')),
    ];
    const revokedAt = at(Date.now());
    system.cloud.proxies.revocations.push({
      site_id: 1,
      subject: 'token:7',
      user_id: 2,
      revoked_at: revokedAt,
    });
    await expect.poll(() => device.signals).toEqual([ping('token:7', revokedAt)]);
    // It comes again with every announcement for a minute, which is nothing new.
    const { length } = system.cloud.announcements;
    await expect.poll(() => system.cloud.announcements.length).toBeGreaterThan(length + 2);
    expect([device.signals.length, other.signals]).toEqual([1, []]);
    device.kill();
    const again = await system.connectDevice(1, answering('here'));
    await expect.poll(() => again.signals).toEqual(device.signals);
    await system.stop();
  });
});

describe('a device that is no longer trusted', () => {
  test('the tunnel ends when the key of its token is withdrawn', async () => {
    const system = await startTestSystem();
    const device = await system.connectDevice(1, answering('here'));
    const { cloud, proxy } = system;
    const next = await generateSigningKey();
    cloud.published = [next.publicJwk];
    const token = await cloud.tunnelToken(2, { key: next });
    // Keys are not fetched again within a second.
    const other = await vi.waitFor(() => TestDevice.connect(proxy.url, token, answering('')), 5_000);
    await expect.poll(() => device.closed, { timeout: 5_000 }).toBe(true);
    expect(other.closed).toBe(false);
    await system.stop();
  });

  test('the tunnel ends when the cloud revokes the device', async () => {
    const system = await startTestSystem({ announceIntervalMs: 50 });
    const before = Date.now();
    const device = await system.connectDevice(1, answering('here'));
    const other = await system.connectDevice(2, answering('here'));
    // By which a device sees that it is to ask the cloud, and not to dial again.
    const left = vi.fn();
    device.onLeave(left);
    system.cloud.proxies.revoked.add('uid-of-1');
    await expect.poll(() => device.closed).toBe(true);
    expect(left).toHaveBeenCalledOnce();
    expect(other.closed).toBe(false);
    await expect.poll(() => system.sites()).toEqual([2]);

    // Its token is good for days, and one that it gets later for longer.
    system.cloud.proxies.revoked.clear();
    expect(await dial(system.proxy.url, await system.cloud.tunnelToken(1, { nowMs: before }))).toMatchObject({
      status: 401,
    });
    await TestDevice.connect(
      system.proxy.url,
      await system.cloud.tunnelToken(1, { nowMs: before + 90_000 }),
      answering('again'),
    );
    await expect.poll(() => system.sites()).toEqual([2, 1]);
    await system.stop();
  });
});
