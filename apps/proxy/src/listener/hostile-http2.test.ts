import type { OutgoingHttpHeaders } from 'node:http2';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  CONTINUATION,
  DATA,
  END_HEADERS,
  END_STREAM,
  frame,
  HEADERS,
  hpack,
  RST_STREAM,
} from '../../test/http2-carrier/raw-http2-device.ts';
import { Http2Client } from '../../test/http2-client.ts';
import { GOAWAY, RawHttp2Client, SETTINGS } from '../../test/raw-http2-client.ts';
import { siteHeaders } from '../../test/test-cloud.ts';
import { TestDevice } from '../../test/test-device.ts';
import { startTestSystem, type TestSystem } from '../../test/test-system.ts';

const { certPath, keyPath, cert: ca } = TEST_TLS;
const PRIORITY = 2;
const PUSH_PROMISE = 5;
const PING = 6;
const WINDOW_UPDATE = 8;
const UNKNOWN = 0xfa;
const ACK = 1;
/** No more requests of one client than this: what is not given back is missed in the end. */
const PER_CLIENT = 400;
const PER_CONNECTION = 100;

type Field = readonly [name: string, value: string];

let system: TestSystem;
let device: TestDevice;
let credentials: Field[];
/** How requests came to their end at the device: whole or not. */
const ends: string[] = [];
beforeAll(async () => {
  system = await startTestSystem(
    { limits: { requestsPerClient: PER_CLIENT, requestsPerSite: PER_CLIENT } },
    { tls: { certPath, keyPath }, unlimitedFrom: [] },
  );
  const token = await system.cloud.tunnelToken(1);
  device = await TestDevice.connect(
    system.proxy.url,
    token,
    (stream, { ':path': path }) => {
      stream.resume();
      stream.once('close', () => {
        if (!stream.readableEnded) ends.push(`${path} broken off`);
      });
      stream.on('end', () => {
        ends.push(`${path} whole`);
        stream.respond({ ':status': 200 });
        stream.end('served');
      });
    },
    { ca },
  );
  await vi.waitFor(() => expect(system.sites()).toContain(1), 10_000);
  const headers = Object.entries(siteHeaders(await system.cloud.authorize(1)));
  credentials = headers.map(([name, value]) => [name.toLowerCase(), value]);
});
afterAll(() => system.stop());

const GET: Field[] = [
  [':method', 'GET'],
  [':scheme', 'https'],
  [':path', '/api/hostile'],
  [':authority', 'x'],
];
const POST: Field[] = [[':method', 'POST'], ...GET.slice(1)];
const request = (stream: number, fields: Field[], flags = END_HEADERS | END_STREAM): Buffer =>
  frame(HEADERS, flags, stream, hpack(...fields));
const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
};
const many = (count: number, make: (index: number) => Buffer): Buffer[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** A client beside it is served as ever. */
async function expectOthersWell(requests = 5): Promise<void> {
  const client = await Http2Client.connect(system.proxy.url);
  const headers: OutgoingHttpHeaders = Object.fromEntries(credentials);
  const answers = await Promise.all(
    Array.from({ length: requests }, () => client.send('/api/well', headers)),
  );
  expect(new Set(answers.map(({ status, body }) => `${status} ${body}`))).toEqual(new Set(['200 served']));
  client.close();
}

describe('a hostile HTTP/2 connection', () => {
  const table: [name: string, frames: () => Buffer[]][] = [
    ['sends a head that never ends', () => [request(1, GET, 0), ...many(64, () => more(16_000))]],
    [
      'sends a head in thousands of parts',
      () => [request(1, GET, 0), ...many(5_000, () => frame(CONTINUATION, 0, 1))],
    ],
    [
      'takes back thousands of requests',
      () => many(5_000, (i) => Buffer.concat([own(2 * i + 1), reset(2 * i + 1, 8)])),
    ],
    ['sends data before a head', () => [frame(DATA, 0, 1, 'body')]],
    ['sends a frame beyond the limit', () => [frame(DATA, 0, 1, Buffer.alloc(20_000))]],
    ['opens no window', () => [frame(WINDOW_UPDATE, 0, 0, uint32(0))]],
    ['opens a window beyond all', () => [frame(WINDOW_UPDATE, 0, 0, uint32(2 ** 31 - 1))]],
    ['uses a stream number of the proxy', () => [request(2, GET)]],
    ['pushes', () => [frame(PUSH_PROMISE, END_HEADERS, 1, Buffer.concat([uint32(2), hpack(...GET)]))]],
    ['sends settings of an odd length', () => [frame(SETTINGS, 0, 0, Buffer.alloc(5))]],
    [
      'sends thousands of settings in one',
      () => [frame(SETTINGS, 0, 0, Buffer.concat(many(2_000, setting)))],
    ],
    [
      'sends a header table beyond its limit',
      () => [frame(HEADERS, END_HEADERS, 1, Buffer.from([0x3f, 0xff, 0xff, 0x7f]))],
    ],
    [
      'sends a head that cannot be decoded',
      () => [frame(HEADERS, END_HEADERS, 1, Buffer.from([0xff, 0xff, 0xff]))],
    ],
    [
      'sends something between the parts of a head',
      () => [request(1, GET, 0), frame(PING, 0, 0, Buffer.alloc(8))],
    ],
    ['turns to garbage', () => [Buffer.alloc(8_192, 0xff)]],
  ];
  const own = (stream: number): Buffer => request(stream, [...GET, ...credentials]);
  const more = (bytes: number): Buffer => frame(CONTINUATION, 0, 1, hpack(['x-more', 'v'.repeat(bytes)]));
  const reset = (stream: number, code: number): Buffer => frame(RST_STREAM, 0, stream, uint32(code));
  const setting = (): Buffer => Buffer.from('000300000064', 'hex');

  test.concurrent.each(table)('%s', async (_name, frames) => {
    const client = await RawHttp2Client.connect(system.proxy.url);
    client.write(...frames());
    await client.closed;
    await expectOthersWell();
  });

  test.concurrent('a client without the HTTP/2 preface is closed', async () => {
    const client = await RawHttp2Client.connect(system.proxy.url, false);
    client.write(Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n'));
    await client.closed;
    await expectOthersWell();
  });
});

describe('a flooded HTTP/2 connection', () => {
  test.concurrent.each([
    ['pings', () => frame(PING, 0, 0, Buffer.alloc(8))],
    ['settings', () => frame(SETTINGS, 0, 0)],
  ])('a client that floods the connection with %s and reads no answers is closed', async (_name, make) => {
    const client = await RawHttp2Client.connect(system.proxy.url);
    client.socket.pause();
    const flood = Buffer.concat(many(2_000, make));
    const timer = setInterval(
      () => client.socket.writableLength < 10_000_000 && client.socket.write(flood),
      1,
    );
    // The first bytes fill the buffers of the system before the proxy has anything to keep.
    await client.closed;
    clearInterval(timer);
    await expectOthersWell();
  });
});

describe('a malformed HTTP/2 request', () => {
  const path = (value: string): Field[] => GET.map(([name, old]) => [name, name === ':path' ? value : old]);
  const table: [name: string, fields: () => Field[]][] = [
    ['with an upper-case name', () => [...GET, ...credentials, ['X-Upper', 'a']]],
    ['with a connection header', () => [...GET, ...credentials, ['connection', 'keep-alive']]],
    ['with a transfer-encoding', () => [...GET, ...credentials, ['transfer-encoding', 'chunked']]],
    ['without a path', () => [...GET.filter(([name]) => name !== ':path'), ...credentials]],
    ['with an empty path', () => [...path(''), ...credentials]],
    ['with a path that is none', () => [...path('api/hostile'), ...credentials]],
    ['with a scheme in its path', () => [...path('https://x/api/hostile'), ...credentials]],
    ['with two paths', () => [...GET, [':path', '/api/hostile'], ...credentials]],
    ['with a status', () => [...GET, [':status', '200'], ...credentials]],
    ['with a pseudo header after others', () => [...GET.slice(1), ...credentials, [':method', 'GET']]],
    [
      'with a space in its method',
      () => [[':method', 'GET /api/x HTTP/1.1'], ...GET.slice(1), ...credentials],
    ],
    ['that is a response', () => [[':status', '200'], ...credentials]],
  ];

  test.concurrent.each(table)('%s', async (_name, fields) => {
    const before = ends.length;
    const client = await RawHttp2Client.connect(system.proxy.url);
    client.write(request(1, fields()), request(3, [...path('/healthz')]));
    const answered = (): number[] => client.frames.map(({ type, stream }) => (type === HEADERS ? stream : 0));
    await vi.waitFor(() => expect(answered().includes(3) || client.socket.destroyed).toBe(true), 10_000);
    expect(ends.slice(before)).not.toContain('/api/hostile whole');
    client.socket.destroy();
    await expectOthersWell();
  });
});

describe('an incomplete HTTP/2 body', () => {
  // A request of an earlier test may come to its end late, so these have a path of their own.
  const PATH = '/api/incomplete';
  const head = POST.map(([name, value]): Field => [name, name === ':path' ? PATH : value]);
  const open = (stream: number, ...fields: Field[]): Buffer =>
    request(stream, [...head, ...credentials, ...fields], END_HEADERS);
  const part = (flags = 0): Buffer => frame(DATA, flags, 1, 'part');

  test.each<[string, () => Buffer[]]>([
    ['shorter than it said', () => [open(1, ['content-length', '9']), part(END_STREAM)]],
    ['longer than it said', () => [open(1, ['content-length', '2']), part(END_STREAM)]],
    ['reset without an error', () => [open(1), part(), frame(RST_STREAM, 0, 1, uint32(0))]],
    ['reset', () => [open(1), part(), frame(RST_STREAM, 0, 1, uint32(8))]],
    ['left with a farewell', () => [open(1), part(), frame(GOAWAY, 0, 0, Buffer.alloc(8))]],
  ])('%s', async (_name, frames) => {
    const before = device.seen.length;
    ends.length = 0;
    const client = await RawHttp2Client.connect(system.proxy.url);
    client.write(...frames());
    await expect.poll(() => client.frames.some(({ type }) => type === SETTINGS)).toBe(true);
    client.socket.end();
    await client.closed;
    await expectOthersWell();
    if (device.seen.slice(before).some((headers) => headers[':path'] === PATH)) {
      await expect.poll(() => ends).toContain(`${PATH} broken off`);
    }
    expect(ends).not.toContain(`${PATH} whole`);
  });
});

test('a header value with a line end or a zero byte does not reach the device', async () => {
  const client = await RawHttp2Client.connect(system.proxy.url);
  client.write(
    request(1, [...GET, ...credentials, ['x-a', 'b\r\nx-split: c'], ['x-b', 'd\0e'], ['x-c', 'kept']]),
  );
  await expect.poll(() => client.frames.some(({ type }) => type === DATA)).toBe(true);
  const seen = device.seen.findLast((headers) => headers[':path'] === '/api/hostile');
  expect(Object.keys(seen ?? {}).filter((name) => name.startsWith('x-'))).toEqual([
    'x-forwarded-for',
    'x-c',
    'x-forwarded-proto',
  ]);
  client.socket.destroy();
});

test('unknown frames are ignored', async () => {
  const client = await RawHttp2Client.connect(system.proxy.url);
  client.write(
    frame(UNKNOWN, 0xff, 0, 'anything'),
    frame(PRIORITY, 0, 1, Buffer.from('0000000010', 'hex')),
    frame(SETTINGS, ACK, 0),
    request(
      1,
      GET.map(([name, value]) => [name, name === ':path' ? '/healthz' : value]),
    ),
  );
  await expect.poll(() => client.frames.some(({ type }) => type === DATA)).toBe(true);
  client.socket.destroy();
});

test('all limits are released after hostile clients', async () => {
  const asOften = Array.from({ length: PER_CLIENT / PER_CONNECTION }, () => expectOthersWell(PER_CONNECTION));
  await Promise.all(asOften);
});
