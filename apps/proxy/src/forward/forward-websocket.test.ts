import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { head, rawExchange } from '../testing/raw-request.ts';
import { type SiteCredentials, siteHeaders } from '../testing/test-cloud.ts';
import type { StreamHandler, TestDevice } from '../testing/test-device.ts';
import { startTestSystem, type TestSystem } from '../testing/test-system.ts';

let system: TestSystem;
let device: TestDevice;
let good: SiteCredentials;
let handle: StreamHandler;
beforeAll(async () => {
  system = await startTestSystem({ answerDeadlineMs: 200 });
  good = await system.cloud.authorize(1);
});
afterAll(() => system.stop());
beforeEach(async () => {
  if (device === undefined || device.closed) {
    device = await system.connectDevice(1, (stream, headers) => handle(stream, headers));
  }
  handle = accept;
});

/** Opens the WebSocket and echoes frames as a server writes them, without the client's mask. */
const accept: StreamHandler = (stream) => {
  stream.respond({ ':status': 200 });
  stream.on('data', (part: Buffer) => stream.write(unmasked(part)));
  stream.on('end', () => stream.end());
};

function open(path: string, options: ClientOptions = {}): WebSocket {
  const socket = new WebSocket(`${system.proxy.url.replace('http', 'ws')}${path}`, options);
  socket.on('error', () => undefined);
  return socket;
}

const siteOnly = (credentials: SiteCredentials): Record<string, string> => ({
  'site-id': String(credentials.siteId),
  'site-key': credentials.siteKey,
});

/** The HTTP answer to an upgrade that is refused. */
async function refusal(
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  const socket = open(path, { headers });
  const [, res]: [unknown, IncomingMessage] = (await once(socket, 'unexpected-response')) as never;
  let body = '';
  for await (const part of res) body += part;
  return { status: res.statusCode ?? 0, body };
}

describe('a WebSocket', () => {
  const ways: [string, () => [path: string, headers: Record<string, string>]][] = [
    ['token in the query, site in headers', () => [`?token=${good.token}&vsn=2.0.0`, siteOnly(good)]],
    ['token and site in headers', () => ['', siteHeaders(good)]],
    [
      'all in the query, as browsers must',
      () => [`?token=${good.token}&site_id=1&site_key=${good.siteKey}`, {}],
    ],
  ];
  test.each(
    ways.flatMap(([name, make]) =>
      ['/api/websocket', '/api/socket/websocket'].map((path) => [path, name, make] as const),
    ),
  )('on %s with %s carries messages both ways', async (path, _name, make) => {
    const [query, headers] = make();
    const socket = open(path + query, { headers });
    await once(socket, 'open');
    socket.send('hello');
    expect(String((await once(socket, 'message'))[0])).toBe('hello');
    expect(device.seen.at(-1)).toMatchObject({
      ':method': 'CONNECT',
      ':protocol': 'websocket',
      ':path': path + query,
      authorization: `Bearer ${good.token}`,
      'site-id': '1',
      'site-key': good.siteKey,
      'x-forwarded-for': '127.0.0.1',
    });
    socket.close();
    await once(socket, 'close');
  });

  test('offers its sub-protocols to the device but no extensions', async () => {
    handle = (stream) => {
      stream.respond({ ':status': 200, 'sec-websocket-protocol': 'b' });
    };
    const url = `${system.proxy.url.replace('http', 'ws')}/api/websocket?token=${good.token}`;
    const socket = new WebSocket(url, ['a', 'b'], { headers: siteOnly(good), perMessageDeflate: true });
    await once(socket, 'open');
    expect(socket.protocol).toBe('b');
    expect(socket.extensions).toBe('');
    expect(device.seen.at(-1)).toMatchObject({ 'sec-websocket-protocol': 'a,b' });
    expect(device.seen.at(-1)).not.toHaveProperty('sec-websocket-extensions');
    socket.terminate();
  });

  test('carries what the client sends before it has the answer', async () => {
    const received = Promise.withResolvers<string>();
    handle = (stream) => {
      stream.respond({ ':status': 200 });
      stream.once('data', (part: Buffer) => {
        received.resolve(String(part));
        stream.close();
      });
    };
    const lines = Object.entries(siteHeaders(good)).map(([name, value]) => `${name}: ${value}`);
    const answer = await rawExchange(system.proxy.url, `${handshake('13', KEY, ...lines)}early bytes`);
    expect(await received.promise).toBe('early bytes');
    // The example of RFC 6455 section 1.3.
    expect(answer).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n');
  });

  test('that nobody reads holds the device back', async () => {
    let sentBytes = 0;
    const part = Buffer.concat([Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]), Buffer.alloc(65_536)]);
    handle = (stream) => {
      stream.respond({ ':status': 200 });
      const fill = (): void => {
        while (stream.write(part)) sentBytes += part.length;
      };
      stream.on('drain', fill);
      fill();
    };
    const socket = open(`/api/websocket?token=${good.token}`, { headers: siteOnly(good) });
    await once(socket, 'open');
    socket.pause();
    const settled = async (): Promise<void> => {
      const before = sentBytes;
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(sentBytes).toBe(before);
    };
    await vi.waitFor(settled, { timeout: 5_000 });
    expect(sentBytes).toBeLessThan(32 * 1024 * 1024);
    socket.terminate();
  });
});

describe('a WebSocket is refused', () => {
  const cases: [string, number, () => [query: string, headers: Record<string, string>]][] = [
    ['no credentials', 401, () => ['', {}]],
    ['no token', 401, () => ['', siteOnly(good)]],
    ['a wrong token', 401, () => ['?token=nonsense', siteOnly(good)]],
    ['no site', 401, () => [`?token=${good.token}`, {}]],
    ['another site', 401, () => [`?token=${good.token}`, { ...siteOnly(good), 'site-id': '2' }]],
    ['a wrong key', 401, () => [`?token=${good.token}`, { ...siteOnly(good), 'site-key': 'guess' }]],
    ['a wrong key in the query', 401, () => [`?token=${good.token}&site_id=1&site_key=guess`, {}]],
  ];
  test.each(cases)('with %s: %i', async (_name, status, make) => {
    const [query, headers] = make();
    const before = device.seen.length;
    const answer = await refusal(`/api/websocket${query}`, headers);
    expect(answer).toEqual({ status, body: '{"error":"Unauthorized"}' });
    expect(device.seen).toHaveLength(before);
  });

  test('when the site is offline: 503', async () => {
    const away = await system.cloud.authorize(9);
    const answer = await refusal('/api/websocket', siteHeaders(away));
    expect(answer).toEqual({ status: 503, body: '{"error":"Site is offline"}' });
  });

  test.each([401, 403, 404, 429, 500])('as the device refuses it: %i', async (status) => {
    handle = (stream) => {
      stream.respond({ ':status': status, 'content-type': 'application/json', 'content-length': 14 });
      stream.end('{"error":"no"}');
    };
    expect(await refusal('/api/websocket', siteHeaders(good))).toEqual({ status, body: '{"error":"no"}' });
  });

  test.each([201, 204, 299])('when the device answers %i, which means nothing here: 502', async (status) => {
    handle = (stream) => stream.respond({ ':status': status }, { endStream: true });
    expect((await refusal('/api/websocket', siteHeaders(good))).status).toBe(502);
  });

  test('when the device does not answer: 504', async () => {
    handle = () => undefined;
    expect((await refusal('/api/websocket', siteHeaders(good))).status).toBe(504);
  });

  test('when the device dies before it answers: 502', async () => {
    handle = () => device.kill();
    expect((await refusal('/api/websocket', siteHeaders(good))).status).toBe(502);
  });

  test.each([
    ['another version', '8', 'x3JJHMbDL1EzLkh9GBhXDw==', 426],
    ['a key that is too short', '13', 'eA==', 400],
  ])('for %s', async (_name, version, key, status) => {
    const lines = Object.entries(siteHeaders(good)).map(([name, value]) => `${name}: ${value}`);
    const answer = await rawExchange(system.proxy.url, handshake(version, key, ...lines));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });
});

describe('when one side goes away', () => {
  async function openPair(): Promise<{ socket: WebSocket; stream: ServerHttp2Stream }> {
    const { promise, resolve } = Promise.withResolvers<ServerHttp2Stream>();
    handle = (stream: ServerHttp2Stream, _headers: IncomingHttpHeaders) => {
      stream.respond({ ':status': 200 });
      stream.resume();
      resolve(stream);
    };
    const socket = open('/api/websocket', { headers: siteHeaders(good) });
    await once(socket, 'open');
    return { socket, stream: await promise };
  }

  test('the device sees a client that breaks off', async () => {
    const { socket, stream } = await openPair();
    socket.terminate();
    await once(stream, 'end');
    stream.end();
    await once(stream, 'close');
  });

  test.each([
    ['ends', (stream: ServerHttp2Stream) => stream.end()],
    ['resets', (stream: ServerHttp2Stream) => stream.close(2)],
    ['dies', () => device.kill()],
  ])('the client sees a device that %s', async (_name, leave) => {
    const { socket, stream } = await openPair();
    const closed = once(socket, 'close');
    leave(stream);
    await closed;
    expect(socket.readyState).toBe(WebSocket.CLOSED);
  });
});

/** The key of the example in RFC 6455 section 1.3. */
const KEY = 'dGhlIHNhbXBsZSBub25jZQ==';

function handshake(version: string, key: string, ...lines: string[]): string {
  return head(
    'GET /api/websocket HTTP/1.1',
    'Host: x',
    'Connection: Upgrade',
    'Upgrade: websocket',
    `Sec-WebSocket-Version: ${version}`,
    `Sec-WebSocket-Key: ${key}`,
    ...lines,
  );
}

/**
 * A short masked frame (RFC 6455 section 5.2) as the same frame without its mask:
 *
 *     FIN and opcode | 1, length (7) | mask (4 bytes) | payload
 */
function unmasked(bytes: Buffer): Buffer {
  const length = (bytes[1] ?? 0) & 127;
  const payload = bytes.subarray(6, 6 + length).map((byte, i) => byte ^ (bytes[2 + (i & 3)] ?? 0));
  return Buffer.concat([Buffer.from([bytes[0] ?? 0, length]), payload]);
}
