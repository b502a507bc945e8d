import { once } from 'node:events';
import { createLogger } from '@heliograph/kit';
import { generateSigningKey, RELAY_PATH, RELAY_PROTOCOL, signRelayToken } from '@heliograph/wire';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { head, rawConnection, rawExchange, receivedUntil } from '../../test/raw-request.ts';
import { statusOf } from '../../test/status-of.ts';
import { siteHeaderLines, siteHeaders } from '../../test/test-cloud.ts';
import { TestFleet } from '../../test/test-fleet.ts';
import { answering } from '../../test/test-system.ts';
import { dialPeer } from './peers.ts';

const ON_ITS_WAY_MS = 1_000;
const LOST_MS = 100;
let fleet: TestFleet;
afterEach(() => fleet[Symbol.asyncDispose]());

const two = async (): Promise<void> => {
  fleet = await TestFleet.start(['a', 'b'], { moveGraceMs: ON_ITS_WAY_MS, lostProxyMs: LOST_MS });
};

describe('a relayed request', () => {
  test('a relayed request reaches the device unchanged', async () => {
    await two();
    const device = await fleet.connectDevice(1, 'b', (stream, headers) => {
      stream.respond({ ':status': 201, etag: headers[':path'] ?? '' });
      stream.pipe(stream);
    });
    const credentials = await fleet.cloud.authorize(1);
    const body = 'x'.repeat(100_000);
    const init = { method: 'POST', body, headers: { 'x-mine': 'yes', 'x-forwarded-for': '9.9.9.9' } };
    const answer = await fleet.fetch('a', credentials, '/api/v1/mcp?q=1', init);
    expect(answer.status).toBe(201);
    expect(answer.headers.get('etag')).toBe('/mcp?q=1');
    expect(await answer.text()).toBe(body);
    expect(device.tunnel?.seen.at(-1)).toMatchObject({
      host: fleet.facts('a').host,
      'x-forwarded-proto': 'http',
      'x-mine': 'yes',
      'x-forwarded-for': '127.0.0.1',
      authorization: `Bearer ${credentials.token}`,
    });
  });

  test('many relayed requests share one tunnel and one look-up', async () => {
    await two();
    await fleet.connectDevice(1, 'b', answering('there'));
    const credentials = await fleet.cloud.authorize(1);
    const answers = await Promise.all(Array.from({ length: 50 }, () => fleet.fetch('a', credentials)));
    expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(Array(50).fill('there'));
    // Once more in a few seconds, where the machine is slow.
    expect(fleet.cloud.lookUps.length).toBeLessThan(5);
  });

  test.each([
    ['client', 401, ['a', 'b']],
    ['device', 502, ['b', 'a']],
  ] as const)(
    'a relayed request, of whose revoked token the proxy of its %s learns first, is taken back from the device and answered with %i',
    async (_of, code, [first, other]) => {
      fleet = await TestFleet.start([other]);
      await fleet.startProxy(first, { announceIntervalMs: 50 });
      const underWay = Promise.withResolvers<void>();
      const takenBack = Promise.withResolvers<void>();
      await fleet.connectDevice(1, 'b', (stream) => {
        stream.on('error', () => undefined).once('close', takenBack.resolve);
        underWay.resolve();
      });
      const credentials = await fleet.cloud.authorize(1, { userId: 2, nowMs: Date.now() - 60_000 });
      const answer = fleet.fetch('a', credentials);
      await underWay.promise;

      const revokedAt = new Date(Date.now() - 30_000).toISOString();
      fleet.cloud.proxies.revocations.push({ site_id: 1, user_id: 2, revoked_at: revokedAt });
      await takenBack.promise;
      expect((await answer).status).toBe(code);
    },
  );

  test('a relayed WebSocket ends at the device when its client ends it', async () => {
    await two();
    const ended = Promise.withResolvers<void>();
    await fleet.connectDevice(1, 'b', (stream) => {
      stream.respond({ ':status': 200 });
      stream.pipe(stream);
      stream.once('close', ended.resolve);
    });
    const headers = siteHeaders(await fleet.cloud.authorize(1));
    const socket = new WebSocket(`ws://${fleet.facts('a').host}/api/websocket`, { headers });
    await once(socket, 'open');
    // The device sends the client's own frames back, which a client must not accept since they are masked.
    const refused = once(socket, 'error');
    socket.send('hello');
    expect(String(await refused)).toContain('MASK');
    await ended.promise;
  });

  test('a relayed WebSocket whose client breaks off ends at the device, and harms no proxy', async () => {
    await two();
    const ended = Promise.withResolvers<void>();
    await fleet.connectDevice(1, 'b', (stream, headers) => {
      stream.respond({ ':status': 200 }, { endStream: headers.upgrade === undefined });
      if (headers.upgrade !== undefined) stream.once('close', ended.resolve);
    });
    const credentials = await fleet.cloud.authorize(1);
    const headers = siteHeaders(credentials);
    const socket = new WebSocket(`ws://${fleet.facts('a').host}/api/websocket`, { headers });
    await once(socket, 'open');
    socket.terminate();
    await ended.promise;
    expect((await fleet.fetch('a', credentials)).status).toBe(200);
  });

  test('a site without a proxy is offline, and an unknown location is 503', async () => {
    await two();
    const credentials = await fleet.cloud.authorize(1);
    const refused = await fleet.fetch('a', credentials);
    expect([refused.status, await refused.json()]).toEqual([503, { error: 'Site is offline' }]);
    fleet.cloud.locateStatus = 500;
    const unknown = await fleet.fetch('a', await fleet.cloud.authorize(2));
    expect(unknown.status).toBe(503);
    expect(await unknown.json()).toEqual({ error: expect.stringContaining('cannot be found out') });
  });

  test('an unreachable holder of the site is 503', async () => {
    await two();
    fleet.cloud.proxies.announce('c', {
      host: 'c',
      url: 'http://127.0.0.1:1',
      region: 'test',
      sessions: [{ uid: 'uid-of-1', site_id: 1 }],
    });
    const answer = await fleet.fetch('a', await fleet.cloud.authorize(1));
    expect(answer.status).toBe(503);
    expect(await answer.json()).toEqual({ error: 'The proxy that holds the site cannot be reached' });
  });

  test('a relayed request is not relayed again: a wrong location is offline', async () => {
    await two();
    const sessions = [{ uid: 'uid-of-1', site_id: 1 }];
    fleet.cloud.proxies.announce('b', { ...fleet.facts('b'), region: 'test', run: 'x', sessions });
    const requested = fleet.fetch('a', await fleet.cloud.authorize(1));
    expect((await requested).status).toBe(503);
    expect(fleet.cloud.lookUps.every((path) => path.startsWith('/api/v1/proxies/a/'))).toBe(true);
  });

  test('a relayed request finds a device that moved after the look-up', async () => {
    await two();
    await fleet.startProxy('c', { moveGraceMs: ON_ITS_WAY_MS });
    const device = await fleet.connectDevice(1, 'b', answering('found'));
    const credentials = await fleet.cloud.authorize(1);
    expect(await (await fleet.fetch('a', credentials)).text()).toBe('found');
    await device.dial({ name: 'c', url: fleet.facts('c').url });
    expect(await (await fleet.fetch('a', credentials)).text()).toBe('found');
    expect(device.tunnel?.seen).toHaveLength(1);
  });

  test('a relayed request finds a device whose proxy stopped after the look-up', async () => {
    await two();
    await fleet.startProxy('c', { moveGraceMs: ON_ITS_WAY_MS });
    const device = await fleet.connectDevice(1, 'b', answering('found'));
    const credentials = await fleet.cloud.authorize(1);
    expect(await (await fleet.fetch('a', credentials)).text()).toBe('found');
    await device.dial({ name: 'c', url: fleet.facts('c').url });
    await fleet.stopProxy('b');
    expect(await (await fleet.fetch('a', credentials)).text()).toBe('found');
  });

  test('a request waits for a device that is about to reconnect', async () => {
    await two();
    const device = await fleet.connectDevice(1, 'a', answering('back'));
    const credentials = await fleet.cloud.authorize(1);
    device.tunnel?.leave();
    await expect.poll(() => fleet.cloud.proxies.sitesOn('a')).toEqual([]);
    const answer = fleet.fetch('a', credentials);
    await device.dial({ name: 'b', url: fleet.facts('b').url });
    expect(await (await answer).text()).toBe('back');
  });
});

test('a body beyond the replay buffer is not resent without its beginning', async () => {
  await two();
  const isAccepted: string[] = [];
  const device = await fleet.connectDevice(1, 'a', (stream, headers) => {
    if (device.proxy === 'a') {
      stream.refuseUnread();
      device.tunnel?.leave();
    } else if (headers[':method'] === 'GET') answering('back')(stream, headers);
    else stream.on('data', (part: Buffer) => isAccepted.push(String(part)));
  });
  const credentials = await fleet.cloud.authorize(1);
  const { url } = fleet.facts('a');
  const socket = await rawConnection(url);
  const lines = ['Host: x', 'Transfer-Encoding: chunked', ...siteHeaderLines(credentials)];
  socket.write(`${head('POST /api/v1/metrics HTTP/1.1', ...lines)}5\r\nbegin\r\n`);
  await expect.poll(() => fleet.cloud.proxies.sitesOn('a')).toEqual([]);
  socket.write(`${(20_000).toString(16)}\r\n${'x'.repeat(20_000)}\r\n`);
  await fleet.fetch('a', credentials, '/healthz');
  await device.dial({ name: 'b', url: fleet.facts('b').url });
  expect(await receivedUntil(socket, '\r\n\r\n')).toMatch(/^HTTP\/1.1 502 /);
  expect(isAccepted).toEqual([]);
  socket.destroy();
});

describe('the relay endpoint', () => {
  const upgrade = (token: string): string =>
    head(
      `GET ${RELAY_PATH} HTTP/1.1`,
      'Host: x',
      'Connection: Upgrade',
      `Upgrade: ${RELAY_PROTOCOL}`,
      `Authorization: Bearer ${token}`,
    );
  const refused: [string, () => Promise<string>][] = [
    ['no token', async () => ''],
    ['a tunnel token', () => fleet.cloud.tunnelToken(1, { proxy: 'a' })],
    ['a site token', async () => (await fleet.cloud.authorize(1)).token],
    ['a token for another proxy', () => signRelayToken(fleet.cloud.key, { from: 'x', to: 'b' }, Date.now())],
    [
      'a token of a stranger',
      async () => signRelayToken(await generateSigningKey(), { from: 'x', to: 'a' }, Date.now()),
    ],
  ];

  test.each(refused)('the relay endpoint refuses %s', async (_name, token) => {
    fleet = await TestFleet.start(['a']);
    expect(await rawExchange(fleet.facts('a').url, upgrade(await token()))).toMatch(/^HTTP\/1.1 401 /);
  });

  test('repeated refusals of one peer are logged once', async () => {
    const lines: string[] = [];
    const write = (line: string): unknown => lines.push(line);
    fleet = await TestFleet.start(['a'], { logger: createLogger('test', 'info', { write }) });
    for (let i = 0; i < 3; i++) await rawExchange(fleet.facts('a').url, upgrade('nonsense'));
    expect(lines.filter((line) => line.includes('relay refused'))).toHaveLength(1);
  });

  test('a relay tunnel opens no site without a site token', async () => {
    fleet = await TestFleet.start(['a']);
    const device = await fleet.connectDevice(1, 'a', answering('secret'));
    const token = await signRelayToken(fleet.cloud.key, { from: 'x', to: 'a' }, Date.now());
    const connect = await dialPeer(fleet.facts('a').url, token);
    const link = connect({ left: () => undefined, closed: () => undefined });
    const answer = await statusOf(link, ['site-id', '1', 'x-forwarded-for', '10.0.0.1']);
    expect(answer).toBe(401);
    expect(device.tunnel?.seen).toEqual([]);
    link.end('the test is over');
  });
});
