import type { Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  CONTINUATION,
  connectRawDevice,
  DATA,
  END_HEADERS,
  END_STREAM,
  frame,
  HEADERS,
  hpack,
  RST_STREAM,
} from '../../test/http2-carrier/raw-http2-device.ts';
import { answering, startTestSystem, type TestSystem } from '../../test/test-system.ts';

let system: TestSystem;
let hostile: Socket;
/** Handles the next request of the hostile device. */
let misbehave: (stream: number) => Buffer[] = () => [];
beforeAll(async () => {
  system = await startTestSystem({ limits: { answerMs: 2_000 } });
  await system.connectDevice(1, answering('well'));
  await connectHostile();
});
afterAll(async () => {
  hostile.destroy();
  await system.stop();
});

async function connectHostile(): Promise<void> {
  const token = await system.cloud.tunnelToken(2);
  hostile = await connectRawDevice(system.proxy.url, token, (stream, socket) => {
    for (const bytes of misbehave(stream)) socket.write(bytes);
  });
  await vi.waitFor(() => expect(system.sites()).toContain(2), 10_000);
}

type Field = readonly [name: string, value: string];
const OK: Field = [':status', '200'];
const answer = (...fields: Field[]) => [fields, ''] as const;
const withBody = (body: string, ...fields: Field[]) => [fields, body] as const;

describe('a malformed answer of a device', () => {
  test.each<[string, readonly [Field[], string]]>([
    ['a connection header', answer(OK, ['connection', 'keep-alive, x-secret'])],
    ['a transfer-encoding', answer(OK, ['transfer-encoding', 'chunked'])],
    ['a keep-alive header', answer(OK, ['keep-alive', 'timeout=5'])],
    ['an upper-case name', answer(OK, ['X-Upper', 'a'])],
    ['no status', answer(['x-a', 'b'])],
    ['two statuses', answer(OK, OK)],
    ['a status that is a word', answer([':status', 'abc'])],
    ['a status beyond the known classes', answer([':status', '700'])],
    ['status 101', answer([':status', '101'])],
    ['status 0', answer([':status', '000'])],
    ['an informational status and nothing after it', answer([':status', '103'])],
    ['a pseudo header of requests', answer(OK, [':path', '/'])],
    ['a pseudo header after others', answer(OK, ['x-a', 'b'], [':other', 'c'])],
    ['two lengths', answer(OK, ['content-length', '1'], ['content-length', '2'])],
    ['a length that is not a number', answer(OK, ['content-length', 'x'])],
    ['200 headers', answer(OK, ...Array.from({ length: 200 }, (_, i): Field => [`x-${i}`, 'v']))],
    ['a 100 KB header', answer(OK, ['x-long', 'v'.repeat(100_000)])],
  ])('an answer with %s fails that request alone', async (_name, [fields, body]) => {
    misbehave = (stream) => headersAnd(stream, fields, body);
    await expectBadGateway();
    await expectOthersWell();
  });

  test.each<[string, Field]>([
    ['a line end in a value', ['etag', 'a\r\nset-cookie: evil=1']],
    ['a bare carriage return in a value', ['etag', 'a\rset-cookie: evil=1']],
    ['a zero byte in a value', ['etag', 'a\0b']],
    ['a space in a name', ['x split', 'a']],
    ['a line end in a name', ['x\r\nevil', 'a']],
    ['a colon in a name', ['x:evil', 'a']],
    ['an empty name', ['', 'a']],
  ])('an answer with %s loses that header', async (_name, field) => {
    misbehave = (stream) => headersAnd(stream, [OK, ['vary', 'kept'], field], 'body');
    const { status, headers } = await fetchHostile();
    expect(status).toBe(200);
    expect(headers.get('vary')).toBe('kept');
    expect([...headers.keys()].filter((name) => /etag|^x split|evil|cookie/.test(name))).toEqual([]);
    await expectOthersWell();
  });

  test.each<[string, readonly [Field[], string]]>([
    ['more body than its length', withBody('abcdef', OK, ['content-length', '3'])],
    ['less body than its length', withBody('abc', OK, ['content-length', '6'])],
  ])('an answer with %s is not forwarded as complete', async (_name, [fields, body]) => {
    misbehave = (stream) => headersAnd(stream, fields, body);
    const outcome = await fetchHostile()
      .then((response) => response.text())
      .catch(() => 'cut off');
    expect(outcome).toMatch(/^cut off$|^{"error":/);
    await expectOthersWell();
  });

  test('an answer with a body before its head fails that request alone', async () => {
    misbehave = (stream) => [frame(DATA, END_STREAM, stream, 'body')];
    await expectBadGateway();
    await expectOthersWell();
  });
});

describe('an answer at the shared host', () => {
  const OFFENSIVE: Field[] = [
    ['set-cookie', '__Host-heliograph_site=x; Path=/; Secure'],
    ['set-cookie', 'a=b; Domain=example.org'],
    ['clear-site-data', '"*"'],
    ['strict-transport-security', 'max-age=31536000; includeSubDomains'],
    ['alt-svc', 'h3="evil.example:443"; ma=2592000'],
    ['nel', '{"report_to":"evil","max_age":2592000}'],
    ['report-to', '{"group":"evil","max_age":2592000,"endpoints":[{"url":"https://evil.example"}]}'],
    ['reporting-endpoints', 'evil="https://evil.example"'],
    ['public-key-pins', 'pin-sha256="x"; max-age=2592000'],
    ['service-worker-allowed', '/'],
    ['refresh', '0; url=https://evil.example'],
    ['link', '<https://evil.example/x.js>; rel=preload; as=script'],
    ['location', 'http://127.0.0.1/'],
    ['www-authenticate', 'Basic realm="Sign in"'],
    ['access-control-allow-credentials', 'true'],
    ['server-timing', 'x;dur=1'],
    ['x-frame-options', 'ALLOWALL'],
  ];

  test('headers that would affect other sites are dropped', async () => {
    misbehave = (stream) => headersAnd(stream, [OK, ['content-type', 'text/html'], ...OFFENSIVE], 'page');
    const { headers } = await fetchHostile();
    const passed = OFFENSIVE.map(([name]) => name).filter((name) => headers.has(name));
    expect(passed).toEqual([]);
    expect(headers.get('content-type')).toBe('text/html');
  });

  test('a page of a device runs no script', async () => {
    misbehave = (stream) =>
      headersAnd(stream, [OK, ['content-type', 'text/html'], ['content-security-policy', 'x']], 'page');
    const { headers } = await fetchHostile();
    expect(headers.get('content-security-policy')).toBe(
      "sandbox; default-src 'none'; frame-ancestors 'none'",
    );
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('headers that describe the data are forwarded', async () => {
    const useful: Field[] = [
      ['content-type', 'application/json'],
      ['cache-control', 'no-store'],
      ['retry-after', '60'],
      ['etag', '"a"'],
      ['mcp-session-id', 's'],
    ];
    misbehave = (stream) => headersAnd(stream, [OK, ...useful], '[]');
    const { headers } = await fetchHostile();
    for (const [name, value] of useful) expect(headers.get(name)).toBe(value);
  });
});

describe('a misbehaving device', () => {
  test.each(Array.from({ length: 15 }, (_, code) => code))(
    'resets with code %i fails that request alone',
    async (code) => {
      const payload = Buffer.alloc(4);
      payload.writeUInt32BE(code);
      misbehave = (stream) => [frame(RST_STREAM, 0, stream, payload)];
      await expectBadGateway();
      await expectOthersWell();
    },
  );

  test('a reset in the middle of a body cuts the client off', async () => {
    misbehave = (stream) => [
      frame(HEADERS, END_HEADERS, stream, hpack(OK, ['content-length', '6'])),
      frame(DATA, 0, stream, 'abc'),
      frame(RST_STREAM, 0, stream, Buffer.alloc(4)),
    ];
    const whole = (async () => (await fetchHostile()).text())();
    await expect(whole).rejects.toThrow();
    await expectOthersWell();
  });

  test('a device that never ends its header block is cut off with its request', async () => {
    const endless = Array.from({ length: 64 }, () => hpack(['x-more', 'v'.repeat(16_000)]));
    misbehave = (stream) => [
      frame(HEADERS, 0, stream, hpack(OK)),
      ...endless.map((block) => frame(CONTINUATION, 0, stream, block)),
    ];
    await expectBadGateway();
    await expectOthersWell();
  });

  test('a device that sends garbage is cut off, and its requests fail', async () => {
    misbehave = () => [Buffer.alloc(8192, 0xff)];
    await expectBadGateway();
    await expectOthersWell();
  });
});

function headersAnd(stream: number, fields: Field[], body: string): Buffer[] {
  const block = hpack(...fields);
  const first = block.subarray(0, 16_000);
  const end = body === '' ? END_STREAM : 0;
  const rest: Buffer[] = [];
  for (let at = 16_000; at < block.length; at += 16_000) {
    const last = at + 16_000 >= block.length;
    rest.push(frame(CONTINUATION, last ? END_HEADERS : 0, stream, block.subarray(at, at + 16_000)));
  }
  return [
    frame(HEADERS, end | (rest.length === 0 ? END_HEADERS : 0), stream, first),
    ...rest,
    ...(body === '' ? [] : [frame(DATA, END_STREAM, stream, body)]),
  ];
}

async function fetchHostile(): Promise<Response> {
  if (hostile.destroyed) await connectHostile();
  return system.fetch('/api/v1/metrics', await system.cloud.authorize(2));
}

async function expectBadGateway(): Promise<void> {
  const response = await fetchHostile();
  expect(response.status).toBe(502);
  expect(await response.json()).toEqual({ error: expect.any(String) });
}

/** A good device beside it and the next, well-formed answer of the same device come through. */
async function expectOthersWell(): Promise<void> {
  const well = await system.fetch('/api/v1/metrics', await system.cloud.authorize(1));
  expect(await well.text()).toBe('well');
  misbehave = (stream) => headersAnd(stream, [OK], 'well again');
  await expect.poll(async () => (await fetchHostile()).text()).toBe('well again');
}
