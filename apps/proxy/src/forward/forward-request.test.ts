import { once } from 'node:events';
import type { IncomingHttpHeaders, ServerHttp2Stream } from 'node:http2';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { MAX_BODY_BYTES } from '../http/body.ts';
import { head, rawConnection, rawExchange } from '../testing/raw-request.ts';
import { type SiteCredentials, siteHeaders } from '../testing/test-cloud.ts';
import type { StreamHandler, TestDevice } from '../testing/test-device.ts';
import { startTestSystem, type TestSystem } from '../testing/test-system.ts';

const ANSWER_DEADLINE_MS = 300;
/** Far below any deadline: what happens within it did not wait for one. */
const AT_ONCE_MS = 1_000;

let system: TestSystem;
let device: TestDevice;
let credentials: SiteCredentials;
/** What the device does with the next requests. */
let handle: StreamHandler;
beforeAll(async () => {
  system = await startTestSystem({ answerDeadlineMs: ANSWER_DEADLINE_MS });
  credentials = await system.cloud.authorize(1);
});
afterAll(() => system.stop());
beforeEach(async () => {
  if (device === undefined || device.closed) {
    device = await system.connectDevice(1, (stream, headers) => handle(stream, headers));
  }
});

const send = (init?: RequestInit, path = '/api/v1/metrics') => system.fetch(path, credentials, init);
const chunked = (stream: ReadableStream): RequestInit => ({ method: 'POST', body: stream, duplex: 'half' });

/** The next request as the device sees it. */
function nextRequest(): Promise<{ stream: ServerHttp2Stream; headers: IncomingHttpHeaders }> {
  const { promise, resolve } = Promise.withResolvers<{
    stream: ServerHttp2Stream;
    headers: IncomingHttpHeaders;
  }>();
  handle = (stream, headers) => resolve({ stream, headers });
  return promise;
}

describe('a request', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])(
    'by %s reaches the device',
    async (method) => {
      handle = (stream, headers) => {
        stream.respond({ ':status': 200 });
        stream.end(
          `${headers[':method']} ${headers[':path']} ${headers[':scheme']} ${headers[':authority']}`,
        );
      };
      const answer = await send({ method }, '/api/any/path?topic=battery*&q=%20');
      expect(await answer.text()).toBe(
        `${method} /api/any/path?topic=battery*&q=%20 http ${system.proxy.host}`,
      );
    },
  );

  test.each([0, 1, 65_536, MAX_BODY_BYTES])('with a body of %i bytes arrives whole', async (bytes) => {
    handle = async (stream, headers) => {
      const body = await text(stream);
      stream.respond({ ':status': 201 });
      stream.end(`${headers['content-length']} ${body.length}`);
    };
    const answer = await send({ method: 'POST', body: 'x'.repeat(bytes) });
    expect(answer.status).toBe(201);
    expect(await answer.text()).toBe(`${bytes} ${bytes}`);
  });

  test('with a streamed body is passed on as it comes', async () => {
    const request = nextRequest();
    const { readable, writable } = new TransformStream();
    const writer = writable.getWriter();
    const answer = send(chunked(readable));
    void writer.write(Buffer.from('first'));
    const { stream, headers } = await request;
    expect(headers).not.toHaveProperty('content-length');
    expect(String((await once(stream, 'data'))[0])).toBe('first');
    void writer.write(Buffer.from('second'));
    expect(String((await once(stream, 'data'))[0])).toBe('second');
    await writer.close();
    await once(stream, 'end');
    stream.respond({ ':status': 204 }, { endStream: true });
    expect((await answer).status).toBe(204);
  });

  test('carries its headers but not those of the connection or of hearsay', async () => {
    const request = nextRequest();
    const { proxy } = system;
    const lines = Object.entries(siteHeaders(credentials)).map(([name, value]) => `${name}: ${value}`);
    const exchange = rawExchange(
      proxy.url,
      head(
        'GET /api/v1/metrics HTTP/1.1',
        `Host: ${proxy.host}`,
        ...lines,
        'Connection: close, X-Private',
        'X-Private: this connection only',
        'Keep-Alive: timeout=5',
        'Proxy-Authorization: Basic eA==',
        'TE: trailers',
        'X-Forwarded-For: 10.9.8.7',
        'Forwarded: for=10.9.8.7',
        'X-Real-IP: 10.9.8.7',
        'Accept: application/json',
        'Accept: text/plain',
        'Cookie: a=1',
      ),
    );
    const { stream, headers } = await request;
    stream.respond({ ':status': 200 }, { endStream: true });
    expect(await exchange).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(Object.fromEntries(Object.entries(headers))).toEqual({
      ':method': 'GET',
      ':scheme': 'http',
      ':authority': proxy.host,
      ':path': '/api/v1/metrics',
      authorization: `Bearer ${credentials.token}`,
      'site-id': '1',
      'site-key': credentials.siteKey,
      accept: 'application/json, text/plain',
      cookie: 'a=1',
      'x-forwarded-for': '127.0.0.1',
    });
  });

  test('that expects 100-continue is told to go on', async () => {
    handle = async (stream) => {
      const body = await text(stream);
      stream.respond({ ':status': 200 });
      stream.end(`got ${body}`);
    };
    const socket = await rawConnection(system.proxy.url);
    const lines = Object.entries(siteHeaders(credentials)).map(([name, value]) => `${name}: ${value}`);
    socket.write(
      head(
        'POST /api/v1/metrics HTTP/1.1',
        'Host: x',
        ...lines,
        'Content-Length: 2',
        'Expect: 100-continue',
        'Connection: close',
      ),
    );
    expect(String((await once(socket, 'data'))[0])).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('hi');
    expect(await text(socket)).toContain('got hi');
  });

  test('whose host is not one is refused', async () => {
    const lines = Object.entries(siteHeaders(credentials)).map(([name, value]) => `${name}: ${value}`);
    const request = head('GET /api/v1/metrics HTTP/1.1', 'Host: a b"<>', ...lines, 'Connection: close');
    expect(await rawExchange(system.proxy.url, request)).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('an answer', () => {
  test.each([200, 201, 204, 302, 304, 401, 403, 404, 422, 500, 503])(
    'with status %i is passed on',
    async (status) => {
      handle = (stream) => {
        stream.respond({ ':status': status, 'x-from': 'device', 'set-cookie': ['a=1', 'b=2'] });
        stream.end();
      };
      const answer = await send({ redirect: 'manual' });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('x-from')).toBe('device');
      expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
      expect(await answer.text()).toBe('');
    },
  );

  test.each(['GET', 'HEAD'])('to %s keeps its content-length', async (method) => {
    handle = (stream) => {
      stream.respond({ ':status': 200, 'content-length': 5 });
      stream.end('hello');
    };
    const answer = await send({ method });
    expect(answer.headers.get('content-length')).toBe('5');
    expect(await answer.text()).toBe(method === 'HEAD' ? '' : 'hello');
  });

  test('that is streamed comes as it is sent', async () => {
    const request = nextRequest();
    const pending = send();
    const { stream } = await request;
    stream.respond({ ':status': 200 });
    const answer = await pending;
    const reader = answer.body?.getReader();
    stream.write('first');
    expect(String(Buffer.from((await reader?.read())?.value ?? []))).toBe('first');
    stream.end('second');
    expect(String(Buffer.from((await reader?.read())?.value ?? []))).toBe('second');
    expect((await reader?.read())?.done).toBe(true);
  });

  test('of many megabytes comes whole', async () => {
    const part = Buffer.alloc(1024 * 1024, 'x');
    handle = async (stream) => {
      stream.respond({ ':status': 200 });
      for (let i = 0; i < 16; i++) if (!stream.write(part)) await once(stream, 'drain');
      stream.end();
    };
    expect((await (await send()).arrayBuffer()).byteLength).toBe(16 * part.length);
  });

  test('that nobody reads holds the device back instead of filling the memory', async () => {
    let sentBytes = 0;
    const part = Buffer.alloc(64 * 1024);
    const request = nextRequest();
    const pending = send();
    const { stream } = await request;
    stream.respond({ ':status': 200 });
    const answer = await pending;
    const fill = (): void => {
      while (stream.write(part)) sentBytes += part.length;
    };
    stream.on('drain', fill);
    fill();
    const settled = async (): Promise<void> => {
      const before = sentBytes;
      await new Promise((resolve) => setTimeout(resolve, 50));
      expect(sentBytes).toBe(before);
    };
    await vi.waitFor(settled, { timeout: 5_000 });
    expect(sentBytes).toBeLessThan(32 * 1024 * 1024);
    await answer.body?.cancel();
    await once(stream, 'close');
  });
});

describe('when one side goes away', () => {
  test('a client that hangs up cancels its request at the device', async () => {
    const request = nextRequest();
    const abort = new AbortController();
    const answer = send({ signal: abort.signal });
    const { stream } = await request;
    abort.abort();
    await expect(answer).rejects.toThrow();
    await once(stream, 'close');
    expect(stream.rstCode).toBe(8);
  });

  test('a client that hangs up while it reads cancels its request at the device', async () => {
    const request = nextRequest();
    const abort = new AbortController();
    const pending = send({ signal: abort.signal });
    const { stream } = await request;
    stream.respond({ ':status': 200 });
    stream.write('part');
    await pending;
    abort.abort();
    await once(stream, 'close');
    expect(stream.rstCode).toBe(8);
  });

  test('every request of a device that dies gets 502 at once', async () => {
    const streams: ServerHttp2Stream[] = [];
    handle = (stream) => streams.push(stream);
    const answers = Array.from({ length: 20 }, () => send());
    const upload = send(
      chunked(new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('x')) })),
    );
    await vi.waitFor(() => expect(streams).toHaveLength(21));
    const since = performance.now();
    device.kill();
    for (const answer of await Promise.all([...answers, upload])) {
      expect(answer.status).toBe(502);
      expect(await answer.json()).toEqual({ error: expect.any(String) });
    }
    expect(performance.now() - since).toBeLessThan(ANSWER_DEADLINE_MS);
    expect((await send()).status).toBe(503);
  });

  test('an answer that was begun is cut off when the device dies', async () => {
    const request = nextRequest();
    const pending = send();
    const { stream } = await request;
    stream.respond({ ':status': 200 });
    stream.write('half of it');
    const answer = await pending;
    device.kill();
    await expect(answer.text()).rejects.toThrow();
  });

  test('a device that never answers costs 504, and its other requests nothing', async () => {
    const request = nextRequest();
    const answer = await send();
    expect(answer.status).toBe(504);
    expect(await answer.json()).toEqual({ error: expect.any(String) });
    const { stream } = await request;
    if (!stream.closed) await once(stream, 'close');
    handle = (next) => {
      next.respond({ ':status': 200 });
      next.end('still here');
    };
    expect(await (await send()).text()).toBe('still here');
  });
});

describe('a body beyond 1 MiB', () => {
  test('that says so is refused before the device hears of it', async () => {
    const before = device.seen.length;
    const since = performance.now();
    const answer = await send({ method: 'POST', body: Buffer.alloc(MAX_BODY_BYTES + 1) });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toEqual({ error: expect.any(String) });
    expect(performance.now() - since).toBeLessThan(AT_ONCE_MS);
    expect(device.seen).toHaveLength(before);
  });

  test('that is streamed is refused when it passes the limit, and cancelled at the device', async () => {
    const request = nextRequest();
    let sentBytes = 0;
    const endless = new ReadableStream({
      pull(controller) {
        sentBytes += 65_536;
        controller.enqueue(Buffer.alloc(65_536));
      },
    });
    const answer = send(chunked(endless));
    const { stream } = await request;
    let receivedBytes = 0;
    stream.on('data', (part: Buffer) => {
      receivedBytes += part.length;
    });
    const closed = once(stream, 'close');
    expect((await answer).status).toBe(413);
    await closed;
    expect(stream.rstCode).toBe(8);
    expect(receivedBytes).toBeLessThanOrEqual(MAX_BODY_BYTES);
    expect(sentBytes).toBeGreaterThan(MAX_BODY_BYTES);
  });
});

describe('a request that could be read in two ways', () => {
  const lines = (): string[] =>
    Object.entries(siteHeaders(credentials)).map(([name, value]) => `${name}: ${value}`);

  test.each([
    ['a length and chunks', ['Content-Length: 4', 'Transfer-Encoding: chunked']],
    ['two lengths', ['Content-Length: 4', 'Content-Length: 5']],
    ['a length that is not a number', ['Content-Length: 4x']],
    ['chunks that are not the last encoding', ['Transfer-Encoding: chunked, identity']],
    ['a space before a colon', ['Content-Length : 4']],
    ['a folded header', ['X-A: b', ' Content-Length: 4']],
    ['no host', ['X-Host: missing'], false],
  ])('with %s is refused and the connection closed', async (_name, extra, host = true) => {
    const before = device.seen.length;
    const first = head('POST /api/v1/metrics HTTP/1.1', ...(host ? ['Host: x'] : []), ...lines(), ...extra);
    const smuggled = head('GET /api/v1/smuggled HTTP/1.1', 'Host: x', ...lines());
    expect(await rawExchange(system.proxy.url, `${first}0\r\n\r\n${smuggled}`)).toMatch(/^HTTP\/1.1 400 /);
    expect(device.seen.slice(before).map((headers) => headers[':path'])).not.toContain('/api/v1/smuggled');
  });

  test('with a head beyond 16 KiB is refused', async () => {
    const request = head('GET /api/v1/metrics HTTP/1.1', 'Host: x', `X-Long: ${'x'.repeat(17_000)}`);
    expect(await rawExchange(system.proxy.url, request)).toMatch(/^HTTP\/1.1 431 /);
  });
});
