import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import type { DeviceStream } from '../../test/device-stream.ts';
import { useOneSite, writeUntilHeldBack } from '../../test/one-site.ts';
import { head, rawExchange } from '../../test/raw-request.ts';
import { type SiteCredentials, siteHeaders } from '../../test/test-cloud.ts';
import type { DeviceRequestHeaders, StreamHandler } from '../../test/test-device.ts';

const site = useOneSite({});
const impatient = useOneSite({ limits: { answerMs: 200 } });
beforeEach(() => {
  site.handle = accept;
});

/** Opens the WebSocket and echoes frames as a server writes them, without the client's mask. */
const accept: StreamHandler = (stream) => {
  stream.respond({ ':status': 200 });
  let received = Buffer.alloc(0);
  stream.on('data', (part: Buffer) => {
    received = Buffer.concat([received, part]);
    while (received.length >= 2 && received.length >= frameBytes(received)) {
      stream.write(unmasked(received.subarray(0, frameBytes(received))));
      received = received.subarray(frameBytes(received));
    }
  });
  stream.on('end', () => stream.end());
};

function open(path: string, options: ClientOptions = {}, { system } = site): WebSocket {
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
  of = site,
): Promise<{ status: number; body: string }> {
  const socket = open(path, { headers }, of);
  const [, res]: [unknown, IncomingMessage] = (await once(socket, 'unexpected-response')) as never;
  let body = '';
  for await (const part of res) body += part;
  return { status: res.statusCode ?? 0, body };
}

describe('forwardWebSocket', () => {
  const ways: [string, () => [path: string, headers: Record<string, string>]][] = [
    [
      'token in the query, site in headers',
      () => [`?token=${site.credentials.token}&vsn=2.0.0`, siteOnly(site.credentials)],
    ],
    ['token and site in headers', () => ['', siteHeaders(site.credentials)]],
    [
      'all in the query, as browsers must',
      () => [`?token=${site.credentials.token}&site_id=1&site_key=${site.credentials.siteKey}`, {}],
    ],
  ];
  test.each(
    ways.flatMap(([name, make]) =>
      ['/api/websocket', '/api/socket/websocket'].map((path) => [path, name, make] as const),
    ),
  )('a WebSocket on %s with %s carries messages both ways', async (path, _name, make) => {
    const [query, headers] = make();
    const socket = open(path + query, { headers });
    await once(socket, 'open');
    socket.send('hello');
    expect(String((await once(socket, 'message'))[0])).toBe('hello');
    expect(site.device.seen.at(-1)).toMatchObject({
      ':method': 'GET',
      upgrade: 'websocket',
      ':path': path + query,
      authorization: `Bearer ${site.credentials.token}`,
      'site-id': '1',
      'site-key': site.credentials.siteKey,
      'x-forwarded-for': '127.0.0.1',
    });
    socket.close();
    await once(socket, 'close');
  });

  test('sub-protocols are forwarded to the device, extensions are not', async () => {
    site.handle = (stream) => {
      stream.respond({ ':status': 200, 'sec-websocket-protocol': 'b' });
    };
    const url = `${site.system.proxy.url.replace('http', 'ws')}/api/websocket?token=${site.credentials.token}`;
    const socket = new WebSocket(url, ['a', 'b'], {
      headers: siteOnly(site.credentials),
      perMessageDeflate: true,
    });
    await once(socket, 'open');
    expect(socket.protocol).toBe('b');
    expect(socket.extensions).toBe('');
    expect(site.device.seen.at(-1)).toMatchObject({ 'sec-websocket-protocol': 'a,b' });
    expect(site.device.seen.at(-1)).not.toHaveProperty('sec-websocket-extensions');
    socket.terminate();
  });

  test('bytes before the answer reach the device', async () => {
    const received = Promise.withResolvers<string>();
    site.handle = (stream) => {
      stream.respond({ ':status': 200 });
      let arrived = '';
      stream.on('data', (part: Buffer) => {
        arrived += String(part);
        if (arrived.length < 'early bytes'.length) return;
        received.resolve(arrived);
        stream.reset();
      });
    };
    const answer = await rawExchange(
      site.system.proxy.url,
      `${handshake('13', KEY, ...site.headerLines)}early bytes`,
    );
    expect(await received.promise).toBe('early bytes');
    // The example of RFC 6455 section 1.3.
    expect(answer).toContain('Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n');
  });

  test('an unread WebSocket applies backpressure to the device', async () => {
    const request = site.nextRequest();
    const socket = open('/api/websocket', { headers: siteHeaders(site.credentials) });
    const { stream } = await request;
    stream.respond({ ':status': 200 });
    await once(socket, 'open');
    socket.pause();
    const frame = Buffer.concat([Buffer.from([0x82, 127, 0, 0, 0, 0, 0, 1, 0, 0]), Buffer.alloc(65_536)]);
    expect(await writeUntilHeldBack(stream, frame)).toBeLessThan(32 * 1024 * 1024);
    socket.terminate();
  });
});

describe('a WebSocket is refused', () => {
  const cases: [string, number, () => [query: string, headers: Record<string, string>]][] = [
    ['no credentials', 401, () => ['', {}]],
    ['no token', 401, () => ['', siteOnly(site.credentials)]],
    ['a wrong token', 401, () => ['?token=nonsense', siteOnly(site.credentials)]],
    ['no site', 401, () => [`?token=${site.credentials.token}`, {}]],
    [
      'another site',
      401,
      () => [`?token=${site.credentials.token}`, { ...siteOnly(site.credentials), 'site-id': '2' }],
    ],
    [
      'a wrong key',
      401,
      () => [`?token=${site.credentials.token}`, { ...siteOnly(site.credentials), 'site-key': 'guess' }],
    ],
    [
      'a wrong key in the query',
      401,
      () => [`?token=${site.credentials.token}&site_id=1&site_key=guess`, {}],
    ],
  ];
  test.each(cases)('a WebSocket with %s is refused with %i', async (_name, status, make) => {
    const [query, headers] = make();
    const before = site.device.seen.length;
    const answer = await refusal(`/api/websocket${query}`, headers);
    const body = expect.stringMatching(/^{"error":"(?:Unauthorized|The site token is for another site)"}$/);
    expect(answer).toEqual({ status, body });
    expect(site.device.seen).toHaveLength(before);
  });

  test('a WebSocket to an offline site gets 503', async () => {
    const away = await site.system.cloud.authorize(9);
    const answer = await refusal('/api/websocket', siteHeaders(away));
    expect(answer).toEqual({ status: 503, body: '{"error":"Site is offline"}' });
  });

  test.each([401, 403, 404, 429, 500])('a refusal of the device is forwarded: %i', async (status) => {
    site.handle = (stream) => {
      stream.respond({ ':status': status, 'content-type': 'application/json', 'content-length': 14 });
      stream.end('{"error":"no"}');
    };
    expect(await refusal('/api/websocket', siteHeaders(site.credentials))).toEqual({
      status,
      body: '{"error":"no"}',
    });
  });

  test.each([201, 204, 299])('an unexpected status %i of the device becomes 502', async (status) => {
    site.handle = (stream) => stream.respond({ ':status': status }, { endStream: true });
    expect((await refusal('/api/websocket', siteHeaders(site.credentials))).status).toBe(502);
  });

  test('a device that does not answer causes 504', async () => {
    impatient.handle = () => undefined;
    const { status } = await refusal('/api/websocket', siteHeaders(impatient.credentials), impatient);
    expect(status).toBe(504);
  });

  test('a device that dies before its answer causes 502', async () => {
    site.handle = () => site.device.kill();
    expect((await refusal('/api/websocket', siteHeaders(site.credentials))).status).toBe(502);
  });

  test.each([
    ['another version', '8', 'x3JJHMbDL1EzLkh9GBhXDw==', 426],
    ['a key that is too short', '13', 'eA==', 400],
  ])('a WebSocket is refused for %s', async (_name, version, key, status) => {
    const answer = await rawExchange(site.system.proxy.url, handshake(version, key, ...site.headerLines));
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  test('an invalid host causes 400', async () => {
    const request = handshake('13', KEY, ...site.headerLines).replace('Host: x', 'Host: a b"<>');
    expect(await rawExchange(site.system.proxy.url, request)).toMatch(/^HTTP\/1.1 400 /);
  });

  test('an upgrade behind an unanswered request closes the connection', async () => {
    const before = site.device.seen.length;
    const first = head('GET /api/v1/metrics HTTP/1.1', 'Host: x', ...site.headerLines);
    const answer = await rawExchange(
      site.system.proxy.url,
      first + handshake('13', KEY, ...site.headerLines),
    );
    expect(answer).toBe('');
    expect(site.device.seen.slice(before).filter(({ upgrade }) => upgrade !== undefined)).toEqual([]);
  });
});

describe('when one side goes away', () => {
  async function openPair(): Promise<{ socket: WebSocket; stream: DeviceStream }> {
    const { promise, resolve } = Promise.withResolvers<DeviceStream>();
    site.handle = (stream: DeviceStream, headers: DeviceRequestHeaders) => {
      // A request of the test before may come late.
      if (headers.upgrade !== 'websocket') return;
      stream.respond({ ':status': 200 });
      stream.resume();
      resolve(stream);
    };
    const socket = open('/api/websocket', { headers: siteHeaders(site.credentials) });
    await once(socket, 'open');
    return { socket, stream: await promise };
  }

  test('the device sees a client that breaks off', async () => {
    const { socket, stream } = await openPair();
    const closed = once(stream, 'close');
    socket.terminate();
    await once(stream, 'end');
    stream.end();
    await closed;
  });

  test.each([
    ['ends', (stream: DeviceStream) => stream.end()],
    ['resets', (stream: DeviceStream) => stream.reset()],
    ['dies', () => site.device.kill()],
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

/** Length of a masked frame with fewer than 126 bytes of payload (RFC 6455 section 5.2). */
function frameBytes(frame: Buffer): number {
  return 2 + 4 + ((frame[1] ?? 0) & 0x7f);
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
