import { beforeEach, describe, expect, test } from 'vitest';
import { useOneSite } from '../../test/one-site.ts';
import { head, rawExchange } from '../../test/raw-request.ts';

const site = useOneSite({});
beforeEach(() => {
  site.handle = (stream) => {
    stream.resume();
    stream.on('end', () => {
      if (stream.destroyed) return;
      stream.respond({ ':status': 200 });
      stream.end('served');
    });
  };
});

const GOOD = 'GET /api/v1/metrics HTTP/1.1';
const POST = 'POST /api/v1/metrics HTTP/1.1';
const SMUGGLED = '/api/v1/smuggled';
const CHUNKED = 'Transfer-Encoding: chunked';

/** A request with credentials, then what follows it on the same connection. */
function request(line: string, lines: string[], rest = ''): string {
  return head(line, 'Host: x', ...site.headerLines, ...lines) + rest;
}

/** The statuses of everything that came until the connection was closed. */
async function statusesOf(bytes: string): Promise<string[]> {
  const answers = await rawExchange(site.system.proxy.url, bytes);
  return [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status);
}

/** Other clients are still served. */
async function expectUnharmed(before: number): Promise<void> {
  expect(site.device.seen.slice(before).map((headers) => headers[':path'])).not.toContain(SMUGGLED);
  expect(await (await site.send()).text()).toBe('served');
}

describe('malformed and ambiguous requests', () => {
  const smuggled = (): string => request(`GET ${SMUGGLED} HTTP/1.1`, []);
  const table: [name: string, bytes: () => string, status?: string][] = [
    ['a length and chunks', () => request(POST, ['Content-Length: 5', CHUNKED], `0\r\n\r\n${smuggled()}`)],
    ['chunks and a length', () => request(POST, [CHUNKED, 'Content-Length: 5'], `0\r\n\r\n${smuggled()}`)],
    ['two lengths', () => request(POST, ['Content-Length: 0', 'Content-Length: 5'], smuggled())],
    [
      'twice the same length',
      () => request(POST, ['Content-Length: 2', 'Content-Length: 2'], `ok${smuggled()}`),
    ],
    ['a list of lengths', () => request(POST, ['Content-Length: 2, 2'], `ok${smuggled()}`)],
    ['a signed length', () => request(POST, ['Content-Length: +2'], `ok${smuggled()}`)],
    ['a negative length', () => request(POST, ['Content-Length: -2'], `ok${smuggled()}`)],
    ['a hexadecimal length', () => request(POST, ['Content-Length: 0x2'], `ok${smuggled()}`)],
    ['a length beyond all', () => request(POST, ['Content-Length: 99999999999999999999'], smuggled())],
    [
      'an encoding that is unknown',
      () => request(POST, ['Transfer-Encoding: xchunked'], `0\r\n\r\n${smuggled()}`),
    ],
    [
      'chunks that are not last',
      () => request(POST, ['Transfer-Encoding: chunked, gzip'], `0\r\n\r\n${smuggled()}`),
    ],
    ['chunks twice', () => request(POST, [`${CHUNKED}, chunked`], `0\r\n\r\n${smuggled()}`)],
    [
      'a vertical tab in the encoding',
      () => request(POST, ['Transfer-Encoding:\vchunked'], `0\r\n\r\n${smuggled()}`),
    ],
    ['a space before a colon', () => request(POST, ['Content-Length : 5'], smuggled())],
    ['a folded header', () => request(GOOD, ['X-A: b', ' Content-Length: 50'], smuggled())],
    ['a header before the first', () => head(GOOD, ' X-A: b', 'Host: x') + smuggled()],
    ['a header without a colon', () => request(GOOD, ['X-A'], smuggled())],
    ['an empty header name', () => request(GOOD, [': b'], smuggled())],
    ['a zero byte in a value', () => request(GOOD, ['X-A: b\0c'], smuggled())],
    ['a zero byte in a name', () => request(GOOD, ['X\0A: b'], smuggled())],
    ['a bare line feed', () => request(GOOD, []).replaceAll('\r\n', '\n') + smuggled()],
    ['a bare carriage return', () => request(GOOD, ['X-A: b\rContent-Length: 50'], smuggled())],
    ['no host', () => head(GOOD, ...site.headerLines) + smuggled()],
    ['two hosts', () => request(GOOD, ['Host: y'], smuggled())],
    ['a chunk size that is not one', () => request(POST, [CHUNKED], `zz\r\nok\r\n0\r\n\r\n${smuggled()}`)],
    ['a chunk size beyond all', () => request(POST, [CHUNKED], `fffffffffffffffff\r\nok\r\n0\r\n\r\n`)],
    ['a chunk longer than its size', () => request(POST, [CHUNKED], `1\r\nok\r\n0\r\n\r\n${smuggled()}`)],
    ['a chunk size with a space', () => request(POST, [CHUNKED], `2 \r\nok\r\n0\r\n\r\n${smuggled()}`)],
    ['a chunk size in bare line feeds', () => request(POST, [CHUNKED], `2\nok\n0\n\n${smuggled()}`)],
    [
      'endless chunk extensions',
      () => request(POST, [CHUNKED], `2;${'x'.repeat(20_000)}\r\nok\r\n0\r\n\r\n`),
      '413',
    ],
    ['a head beyond the limit', () => request(GOOD, [`X-A: ${'x'.repeat(17_000)}`]), '431'],
    ['a target beyond the limit', () => request(`GET /${'x'.repeat(17_000)} HTTP/1.1`, []), '431'],
    ['too many fields', () => request(GOOD, Array(101).fill('X-A: b'), smuggled()), '431'],
    ['HTTP/0.9', () => 'GET /api/v1/metrics\r\n\r\n'],
    ['HTTP/2 without TLS', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a version that is unknown', () => request('GET /api/v1/metrics HTTP/1.9', []) + smuggled()],
    ['a method that is unknown', () => request('FROB /api/v1/metrics HTTP/1.1', [], smuggled())],
    ['a target that is no path', () => request('GET api/v1/metrics HTTP/1.1', [], smuggled())],
    ['an asterisk', () => request('OPTIONS * HTTP/1.1', [], smuggled())],
    ['another scheme', () => request('GET ftp://x/api/v1/metrics HTTP/1.1', [], smuggled())],
    ['TLS', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['noise', () => '\xff\xfe\x00'.repeat(100)],
    [
      'a CONNECT to elsewhere',
      () => head('CONNECT example.org:443 HTTP/1.1', 'Host: example.org:443'),
      '405',
    ],
  ];

  test.concurrent.each(table)(
    'the bytes %s get one refusal and the connection ends',
    async (_name, bytes, status = '400') => {
      const before = site.device.seen.length;
      expect(await statusesOf(bytes())).toEqual([status]);
      await expectUnharmed(before);
    },
  );
});

describe('the host of a request', () => {
  const UPGRADE = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13'];
  const KEY = 'Sec-WebSocket-Key: x3JJHMbDL1EzLkh9GBhXDw==';

  test.each([
    ['/api/v1/metrics', []],
    ['/', []],
    ['/healthz', []],
    ['/api/websocket', [...UPGRADE, KEY]],
    ['/tunnel', [...UPGRADE, KEY]],
  ])('a request to %s without a host is 400 with its cause', async (path, lines) => {
    const bytes = head(`GET ${path} HTTP/1.1`, ...site.headerLines, ...lines);
    const answer = await rawExchange(site.system.proxy.url, bytes);
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toContain('{"error":"The request has no Host header"}');
  });

  test.each(['HTTP/1.0', 'HTTP/1.1\r\nHost:', 'HTTP/1.1\r\nHost: [', 'HTTP/1.1\r\nHost: http://x/'])(
    'a request that begins with %j is answered without a failure',
    async (start) => {
      for (const path of ['/', '/healthz', '/api/v1/metrics', '/metrics']) {
        const bytes = head(`GET ${path} ${start}`, 'Connection: close', ...site.headerLines);
        expect(await rawExchange(site.system.proxy.url, bytes)).toMatch(/^HTTP\/1.1 [234]/);
      }
      await expectUnharmed(0);
    },
  );
});

test('garbage after a valid request does not affect its answer', async () => {
  const streams: { respond: () => void }[] = [];
  site.handle = (stream) =>
    streams.push({
      respond: () => {
        stream.respond({ ':status': 200, 'content-length': 2 });
        stream.end('ok');
      },
    });
  const exchange = rawExchange(site.system.proxy.url, `${request(GOOD, [])}GARBAGE\r\n\r\n`);
  await expect.poll(() => streams).toHaveLength(1);
  streams[0]?.respond();
  expect(await exchange).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nok$/s);
});

describe('an absolute-form target', () => {
  test.each(['http://Home.Example:8080', 'HTTPS://Home.Example:8080'])(
    'the target %s is served as its path',
    async (origin) => {
      const statuses = await statusesOf(
        head(
          `GET ${origin}/api/v1/metrics?a=b HTTP/1.1`,
          'Host: elsewhere',
          ...site.headerLines,
          'Connection: close',
        ),
      );
      expect(statuses).toEqual(['200']);
      expect(site.device.seen.at(-1)).toMatchObject({
        ':path': '/api/v1/metrics?a=b',
        host: 'Home.Example:8080',
      });
    },
  );
});
