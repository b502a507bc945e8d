import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import type { DeviceStream } from '../../test/device-stream.ts';
import { head, rawConnection } from '../../test/raw-request.ts';
import { type SiteCredentials, siteHeaderLines, siteHeaders } from '../../test/test-cloud.ts';
import { TestDevice } from '../../test/test-device.ts';
import { answering, startTestSystem, type TestSystem } from '../../test/test-system.ts';

const PATH = '/api/v1/metrics';
const PER_CLIENT = 3;
const PER_SITE = 5;

describe('concurrency limits', () => {
  let system: TestSystem;
  let site: SiteCredentials;
  let other: SiteCredentials;
  /** Requests that the device of the first site has not answered. */
  const held: DeviceStream[] = [];
  const unfinished: Promise<Response>[] = [];
  let webSockets: WebSocket[] = [];

  beforeAll(async () => {
    system = await startTestSystem(
      {
        limits: {
          requestsPerClient: PER_CLIENT,
          requestsPerSite: PER_SITE,
          webSocketsPerClient: PER_CLIENT,
          webSocketsPerSite: PER_SITE,
          bodyBytes: 1_000,
        },
      },
      { trustedProxies: ['127.0.0.1'] },
    );
    await system.connectDevice(1, (stream, headers) => {
      if (headers.upgrade === undefined && headers[':path'] === PATH) held.push(stream);
      else answering('at once')(stream, headers);
    });
    await system.connectDevice(2, answering('the neighbour'));
    site = await system.cloud.authorize(1);
    other = await system.cloud.authorize(2);
  });
  afterAll(() => system.stop());
  afterEach(async () => {
    for (const stream of held.splice(0))
      if (!stream.destroyed) stream.respond({ ':status': 204 }, { endStream: true });
    await Promise.allSettled(unfinished.splice(0));
    for (const socket of webSockets) socket.terminate();
    webSockets = [];
  });

  function send(client: string, credentials = site, path = PATH): Promise<Response> {
    return system.fetch(path, credentials, { headers: { 'x-forwarded-for': client } });
  }

  /** Requests whose answers the device holds back. */
  async function hold(...clients: string[]): Promise<Promise<Response>[]> {
    const before = held.length;
    const answers = clients.map((client) => send(client));
    unfinished.push(...answers);
    await expect.poll(() => held).toHaveLength(before + clients.length);
    return answers;
  }

  /** @returns the status that the WebSocket was refused with; 101 when it opened */
  async function openWebSocket(client: string, credentials = site): Promise<number> {
    const headers = { ...siteHeaders(credentials), 'x-forwarded-for': client };
    const socket = new WebSocket(`ws://${system.proxy.host}/api/websocket`, { headers });
    socket.on('error', () => undefined);
    const answer = await Promise.race([
      once(socket, 'open').then(() => 101),
      once(socket, 'unexpected-response').then(([, { statusCode }]) => statusCode),
    ]);
    webSockets.push(socket);
    return answer;
  }

  const ONE = '192.0.2.1';
  const clientsOf = (network: string, count: number): string[] =>
    Array.from({ length: count }, () => network);

  test.each([
    ['an address', ONE, ONE, '192.0.2.2'],
    ['a home of IPv6', '2001:db8:1:2::1', '2001:db8:1:2:ffff::9', '2001:db8:1:3::1'],
  ])(
    'requests of %s are limited with 429 and Retry-After, and others are unaffected',
    async (_name, one, same, another) => {
      const answers = await hold(...clientsOf(one, PER_CLIENT));
      const refused = await send(same, other);
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
      expect(await refused.json()).toEqual({ error: 'Too many requests' });
      const others = await Promise.all(clientsOf(another, PER_CLIENT).map((client) => send(client, other)));
      expect(others.map(({ status }) => status)).toEqual(clientsOf(another, PER_CLIENT).map(() => 200));
      held[0]?.respond({ ':status': 204 }, { endStream: true });
      await Promise.race(answers);
      await expect.poll(async () => (await send(same, other)).status).toBe(200);
    },
  );

  test('requests of a site are limited, and other sites are unaffected', async () => {
    await hold(ONE, ONE, '192.0.2.2', '192.0.2.2', '192.0.2.3');
    const refused = await send('192.0.2.4');
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await refused.json()).toEqual({ error: 'Site is busy' });
    expect((await send('192.0.2.4', other)).status).toBe(200);
  });

  test('WebSockets have their own limits', async () => {
    expect(await Promise.all(clientsOf(ONE, PER_CLIENT).map((client) => openWebSocket(client)))).toEqual([
      101, 101, 101,
    ]);
    expect(await openWebSocket(ONE, other)).toBe(429);
    expect((await send(ONE, other)).status).toBe(200);
    expect(await openWebSocket('192.0.2.2')).toBe(101);
    expect(await openWebSocket('192.0.2.3')).toBe(101);
    expect(await openWebSocket('192.0.2.4')).toBe(503);
    expect(await openWebSocket('192.0.2.4', other)).toBe(101);
  });

  const answered = async (): Promise<void> => void (await send(ONE, site, '/quick'));
  /** Ways for a client to end a request; each must release its share. */
  const acts: Readonly<Record<string, () => Promise<unknown>>> = {
    'reads and is answered': answered,
    'goes away before its answer': () => raw(requestTo(PATH), (socket) => socket.destroy()),
    'ends its side before its answer': () => raw(requestTo(PATH), (socket) => socket.end()),
    'sends several at once and goes away': () =>
      raw(requestTo('/quick') + requestTo(PATH) + requestTo('/quick'), (socket) => socket.destroy()),
    'sends garbage behind a request': () => raw(`${requestTo('/quick')}GARBAGE\r\n\r\n`, ignore),
    'goes away in its body': () => raw(requestTo(PATH, 'Content-Length: 9'), (socket) => socket.destroy()),
    'sends too much': () => raw(requestTo(PATH, 'Content-Length: 9999'), ignore),
    'breaks its chunks': () => raw(`${requestTo(PATH, 'Transfer-Encoding: chunked')}zz\r\n`, ignore),
    'has no credentials': () =>
      raw(head(`GET ${PATH} HTTP/1.1`, 'Host: x', `X-Forwarded-For: ${ONE}`, CLOSE), ignore),
    'names a site that is away': async () => send(ONE, await system.cloud.authorize(99)),
    'opens a WebSocket and goes away': async () => {
      await openWebSocket(ONE);
      webSockets.pop()?.terminate();
    },
    'goes away in a handshake': () => raw(upgradeTo('/api/websocket'), (socket) => socket.destroy()),
    'shakes hands wrongly': () =>
      raw(requestTo('/api/websocket', 'Connection: upgrade', 'Upgrade: websocket'), ignore),
  };
  const CLOSE = 'Connection: close';
  const requestTo = (path: string, ...lines: string[]): string =>
    head(`GET ${path} HTTP/1.1`, 'Host: x', `X-Forwarded-For: ${ONE}`, ...siteHeaderLines(site), ...lines);
  const upgradeTo = (path: string): string =>
    requestTo(
      path,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    );
  const ignore = (): void => undefined;

  async function raw(bytes: string, then: (socket: Socket) => void): Promise<void> {
    const socket = await rawConnection(system.proxy.url);
    socket.resume();
    socket.write(bytes, () => then(socket));
    const cut = setTimeout(() => socket.destroy(), 50);
    await once(socket, 'close');
    clearTimeout(cut);
  }

  test('every way for a client to end a request releases its share', async () => {
    const names = fc.array(fc.constantFrom(...Object.keys(acts)), { minLength: 1, maxLength: PER_CLIENT });
    const check = async (chosen: string[]): Promise<void> => {
      await Promise.all(chosen.map((name) => acts[name]?.()));
      for (const stream of held.splice(0)) stream.destroy();
      // The whole of what one client may have is free again: of requests, and of WebSockets.
      await expect
        .poll(() =>
          Promise.all(
            clientsOf(ONE, PER_CLIENT).map(async (one) => (await send(one, site, '/quick')).status),
          ),
        )
        .toEqual([200, 200, 200]);
      const opened = async (): Promise<number[]> => {
        const statuses = await Promise.all(clientsOf(ONE, PER_CLIENT).map((one) => openWebSocket(one)));
        for (const socket of webSockets.splice(0)) socket.terminate();
        return statuses;
      };
      await expect.poll(opened).toEqual([101, 101, 101]);
    };
    // Each alone first, so that a leak is named.
    for (const name of Object.keys(acts)) for (let i = 0; i < PER_CLIENT; i++) await check([name]);
    await fc.assert(fc.asyncProperty(names, check), { numRuns: 6 });
  });
});

// All of 127/8 is the machine itself on Linux alone.
describe.runIf(process.platform === 'linux')('connection limits', () => {
  let system: TestSystem;
  let open: Socket[] = [];
  beforeEach(() => {
    open = [];
  });
  afterEach(async () => {
    for (const socket of open) socket.destroy();
    await system.stop();
  });

  /** @param localAddress distinguishes clients */
  async function connectFrom(localAddress: string): Promise<Socket> {
    const { hostname, port } = new URL(system.proxy.url);
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    open.push(socket);
    return socket;
  }

  /** @returns status and `Retry-After` of the answer on it; undefined when it was closed unheard */
  async function send(socket: Socket): Promise<[status: string, retryAfter: string | undefined] | undefined> {
    socket.write(head('GET /healthz HTTP/1.1', 'Host: x'));
    const [answer] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    if (!(answer instanceof Buffer)) return undefined;
    const [, status = ''] = /^HTTP\/1\.1 (\d+)/.exec(String(answer)) ?? [];
    return [status, /^retry-after: (\d+)/im.exec(String(answer))?.[1]];
  }

  async function sendFrom(localAddress: string, count: number) {
    const answers: Awaited<ReturnType<typeof send>>[] = [];
    for (let i = 0; i < count; i++) {
      const socket = await connectFrom(localAddress).catch(() => undefined);
      answers.push(socket && (await send(socket)));
    }
    return answers;
  }

  const OK = ['200', undefined];

  test('connections of one client are rate-limited, rejected far beyond the limit, and others are unaffected', async () => {
    system = await startTestSystem(
      { limits: { connectionBurst: 3, connectionRate: 1 } },
      { unlimitedFrom: [] },
    );
    const answers = await sendFrom('127.0.0.2', 16);
    expect(answers.slice(0, 3)).toEqual([OK, OK, OK]);
    expect(answers[3]).toEqual(['429', '1']);
    expect(answers.slice(3, 12).every((answer) => answer?.[0] === '429')).toBe(true);
    expect(answers.at(-1)).toBeUndefined();
    expect(await sendFrom('127.0.0.3', 3)).toEqual([OK, OK, OK]);
  });

  test('open connections of a client are limited, and closing one makes room', async () => {
    system = await startTestSystem({ limits: { connectionsPerClient: 2 } }, { unlimitedFrom: [] });
    expect(await sendFrom('127.0.0.2', 3)).toEqual([OK, OK, ['429', '5']]);
    expect(await sendFrom('127.0.0.3', 2)).toEqual([OK, OK]);
    open[0]?.destroy();
    await expect.poll(() => sendFrom('127.0.0.2', 1)).toEqual([OK]);
  });

  test('all open connections are limited', async () => {
    system = await startTestSystem({ limits: { connections: 2 } }, {});
    // The test's own cloud asks nothing here, so these are the only ones.
    expect(await sendFrom('127.0.0.2', 3)).toEqual([OK, OK, undefined]);
  });

  test('connections of trusted proxies and unlimited addresses are not counted', async () => {
    system = await startTestSystem(
      { limits: { connectionBurst: 1, connectionRate: 1, connectionsPerClient: 1 } },
      { unlimitedFrom: ['127.0.0.2'], trustedProxies: ['127.0.0.3'] },
    );
    expect(await sendFrom('127.0.0.2', 5)).toEqual([OK, OK, OK, OK, OK]);
    expect(await sendFrom('127.0.0.3', 5)).toEqual([OK, OK, OK, OK, OK]);
    expect(await sendFrom('127.0.0.4', 2)).toEqual([OK, ['429', expect.any(String)]]);
  });

  test('connections that became tunnels are not counted', async () => {
    system = await startTestSystem({ limits: { connectionsPerClient: 1 } }, { unlimitedFrom: [] });
    const devices: TestDevice[] = [];
    for (const siteId of [1, 2, 3, 4, 5, 6]) {
      const token = await system.cloud.tunnelToken(siteId);
      devices.push(await TestDevice.connect(system.proxy.url, token, answering('')));
      await expect.poll(() => system.sites()).toContain(siteId);
    }
    expect(await sendFrom('127.0.0.1', 2)).toEqual([OK, ['429', '5']]);
    for (const device of devices) device.kill();
    await expect.poll(() => system.sites()).toEqual([]);
    expect(await sendFrom('127.0.0.1', 1)).toEqual([['429', '5']]);
  });
});
