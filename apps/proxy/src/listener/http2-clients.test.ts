import { once } from 'node:events';
import { type ClientHttp2Stream, constants, type OutgoingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { DeviceStream } from '../../test/device-stream.ts';
import { Http2Client, reply } from '../../test/http2-client.ts';
import { writeUntilHeldBack } from '../../test/one-site.ts';
import { siteHeaders } from '../../test/test-cloud.ts';
import { type StreamHandler, TestDevice } from '../../test/test-device.ts';
import { startTestSystem, type TestSystem } from '../../test/test-system.ts';
import { DEFAULT_LIMITS } from '../config/limits.ts';

const { certPath, keyPath, cert: ca } = TEST_TLS;
const PATH = '/api/v1/metrics';

let system: TestSystem;
let device: TestDevice;
let handle: StreamHandler;
let client: Http2Client;
let headers: OutgoingHttpHeaders;
beforeAll(async () => {
  system = await startTestSystem({}, { tls: { certPath, keyPath } });
  headers = lowerCase(siteHeaders(await system.cloud.authorize(1)));
  await connectDevice();
});
afterAll(() => system.stop());
beforeEach(async () => {
  if (device.closed) await connectDevice();
  client = await Http2Client.connect(system.proxy.url);
});
afterEach(() => client.close());

async function connectDevice(): Promise<void> {
  const token = await system.cloud.tunnelToken(1);
  device = await TestDevice.connect(system.proxy.url, token, (...args) => handle(...args), { ca });
  handle = (stream) => stream.respond({ ':status': 204 }, { endStream: true });
  await vi.waitFor(async () => expect((await fetchStatus()).status).toBe(204), 10_000);
}

async function fetchStatus() {
  const one = await Http2Client.connect(system.proxy.url);
  try {
    return await one.send(PATH, headers);
  } finally {
    one.close();
  }
}

/** The next request as the device sees it. */
function nextStream(): Promise<DeviceStream> {
  return new Promise((resolve) => {
    handle = (stream) => resolve(stream);
  });
}

describe('an HTTP/2 client', () => {
  test('a request reaches the device unchanged', async () => {
    handle = async (stream, seen) => {
      const body = await text(stream);
      stream.respond({ ':status': 201, 'content-type': 'text/plain', etag: '"a"', 'set-cookie': 'a=1' });
      stream.end(
        `${seen[':method']} ${seen[':path']} ${seen['x-forwarded-proto']} ${seen['x-own']} ${body.length}`,
      );
    };
    const {
      status,
      headers: got,
      body,
    } = await client.send(
      `${PATH}?topic=a*`,
      { ...headers, ':method': 'POST', 'x-own': 'yes', cookie: 'c=1', te: 'trailers' },
      'x'.repeat(100_000),
    );
    expect(status).toBe(201);
    expect(got.etag).toBe('"a"');
    expect(got).not.toHaveProperty('set-cookie');
    expect(String(body)).toBe(`POST ${PATH}?topic=a* https yes 100000`);
    expect(device.seen.at(-1)).toMatchObject({
      host: system.proxy.host,
      'x-forwarded-for': '127.0.0.1',
    });
    expect(device.seen.at(-1)).not.toHaveProperty('te');
  });

  test.each([
    ['GET', 200, 'hello'],
    ['HEAD', 200, ''],
    ['GET', 204, ''],
    ['GET', 304, ''],
  ])('a request by %s gets status %i unchanged', async (method, status, expected) => {
    handle = (stream) => {
      stream.respond({ ':status': status, ...(status === 200 ? { 'content-length': 5 } : {}) });
      stream.end(status === 200 && method === 'GET' ? 'hello' : undefined);
    };
    const answer = await client.send(PATH, { ...headers, ':method': method });
    expect(answer.status).toBe(status);
    expect(String(answer.body)).toBe(expected);
    if (status === 200) expect(answer.headers['content-length']).toBe('5');
  });

  test('concurrent answers arrive in any order', async () => {
    const streams: { readonly stream: DeviceStream; readonly index: string }[] = [];
    handle = (stream, { ':path': path = '' }) => streams.push({ stream, index: path.split('=')[1] ?? '' });
    const answers = Array.from({ length: 50 }, (_, index) => client.send(`${PATH}?topic=${index}`, headers));
    await expect.poll(() => streams).toHaveLength(50);
    for (const { stream, index } of streams.toReversed()) {
      stream.respond({ ':status': 200 });
      stream.end(index);
    }
    const bodies = (await Promise.all(answers)).map(({ body }) => Number(String(body)));
    expect(bodies).toEqual(Array.from({ length: 50 }, (_, index) => index));
  });

  test('a cancelled request is cancelled at the device', async () => {
    const requested = nextStream();
    const stream = client.open(PATH, headers);
    const atDevice = await requested;
    stream.close(constants.NGHTTP2_CANCEL);
    await once(atDevice, 'close');
    expect(atDevice.isTakenBack).toBe(true);
  });

  test('an answer is reset when the device dies', async () => {
    const requested = nextStream();
    const answer = client.send(PATH, headers);
    const atDevice = await requested;
    atDevice.respond({ ':status': 200 });
    atDevice.write('half of it');
    await atDevice.pingProxy();
    device.kill();
    await expect(answer).rejects.toThrow('NGHTTP2_INTERNAL_ERROR');
  });

  test('a client that does not read applies backpressure to the device', async () => {
    const requested = nextStream();
    const stream = client.open(PATH, headers);
    const atDevice = await requested;
    atDevice.respond({ ':status': 200 });
    expect(await writeUntilHeldBack(atDevice, Buffer.alloc(65_536))).toBeLessThan(8_000_000);
    stream.close();
  });

  const refused: [string, number, () => Promise<number>][] = [
    ['no credentials', 401, async () => (await client.send(PATH)).status],
    ['a site that is away', 503, async () => (await client.send(PATH, await headersOf(99))).status],
    [
      'a body that says it is too long',
      413,
      async () => status(client.open(PATH, post({ 'content-length': DEFAULT_LIMITS.bodyBytes + 1 }), false)),
    ],
    [
      'a body that is too long',
      413,
      async () => {
        const stream = client.open(PATH, post(), false);
        stream.write(Buffer.alloc(DEFAULT_LIMITS.bodyBytes + 1));
        return status(stream);
      },
    ],
    [
      'a head that is too long',
      431,
      async () => (await client.send(PATH, { ...headers, x: 'x'.repeat(16_000) })).status,
    ],
    ['too many fields', 431, async () => (await client.send(PATH, { ...headers, ...fields(101) })).status],
    ['a CONNECT to elsewhere', 405, async () => status(tunnelTo('example.org:443'))],
    [
      'a protocol that is unknown',
      501,
      async () => status(client.open(PATH, protocol('connect-udp'), false)),
    ],
  ];

  test.each(refused)(
    'a request with %s is refused with %i, and the connection continues',
    async (_name, expected, attempt) => {
      handle = (stream) => stream.resume();
      expect(await attempt()).toBe(expected);
      expect(String((await client.send('/healthz')).body)).toBe('{"status":"ok"}');
    },
  );
});

describe('a WebSocket on HTTP/2', () => {
  test('a WebSocket carries bytes both ways beside requests, and closes at the device', async () => {
    const requested = nextStream();
    const socket = client.open('/api/websocket?vsn=2.0.0', protocol('websocket'), false);
    const atDevice = await requested;
    atDevice.respond({ ':status': 200 });
    const [head] = await once(socket, 'response');
    expect(head[':status']).toBe(200);
    atDevice.pipe(atDevice);
    socket.write('ping');
    expect(String((await once(socket, 'data'))[0])).toBe('ping');
    expect((await client.send('/healthz')).status).toBe(200);
    socket.close();
    await once(atDevice, 'close');
  });

  test('a WebSocket without credentials is refused', async () => {
    const socket = client.open('/api/websocket', { ':method': 'CONNECT', ':protocol': 'websocket' }, false);
    expect(await status(socket)).toBe(401);
  });

  test("a refused WebSocket gets the device's refusal", async () => {
    handle = (stream) => {
      stream.respond({ ':status': 403, 'content-type': 'text/plain' });
      stream.end('no');
    };
    const answer = await reply(client.open('/api/websocket', protocol('websocket'), false).end());
    expect(answer.status).toBe(403);
    expect(String(answer.body)).toBe('no');
  });
});

test('a late body is refused with 408 and a late answer with 504', async () => {
  const strict = await startTestSystem(
    { limits: { bodyMs: 200, answerMs: 300 } },
    { tls: { certPath, keyPath } },
  );
  const token = await strict.cloud.tunnelToken(1);
  const silent = await TestDevice.connect(strict.proxy.url, token, () => undefined, { ca });
  await expect.poll(() => strict.sites()).toContain(1);
  const impatient = await Http2Client.connect(strict.proxy.url);
  const credentials = lowerCase(siteHeaders(await strict.cloud.authorize(1)));
  const upload = impatient.open(PATH, { ...credentials, ':method': 'POST' }, false);
  expect(await status(upload)).toBe(408);
  expect((await impatient.send(PATH, credentials)).status).toBe(504);
  impatient.close();
  silent.kill();
  await strict.stop();
});

async function headersOf(siteId: number): Promise<OutgoingHttpHeaders> {
  return lowerCase(siteHeaders(await system.cloud.authorize(siteId)));
}

function lowerCase(mixed: Record<string, string>): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(mixed).map(([name, value]) => [name.toLowerCase(), value]));
}

function fields(count: number): OutgoingHttpHeaders {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, 'v']));
}

function post(extra: OutgoingHttpHeaders = {}): OutgoingHttpHeaders {
  return { ...headers, ':method': 'POST', ...extra };
}

function protocol(name: string): OutgoingHttpHeaders {
  return { ...headers, ':method': 'CONNECT', ':protocol': name, ':scheme': 'https' };
}

function tunnelTo(authority: string): ClientHttp2Stream {
  const stream = client.session.request(
    { ':method': 'CONNECT', ':authority': authority },
    { endStream: false },
  );
  stream.on('error', () => undefined);
  return stream;
}

async function status(stream: ClientHttp2Stream): Promise<number> {
  const [head] = await once(stream, 'response');
  stream.close();
  return head[':status'];
}
