import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { inPieces } from '@heliograph/dev/in-pieces';
import { describe, expect, test } from 'vitest';
import { chunked, useOneSite, writeUntilHeldBack } from '../../test/one-site.ts';
import { head, rawConnection, rawExchange, readText, receivedUntil } from '../../test/raw-request.ts';
import { TestDevice } from '../../test/test-device.ts';
import { DEFAULT_LIMITS } from '../config/limits.ts';

const site = useOneSite({ limits: { answerMs: 600_000 } });

describe('forwardRequest: a request', () => {
  test.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'QUERY'])(
    'a request by %s reaches the device',
    async (method) => {
      site.handle = (stream, headers) => {
        stream.respond({ ':status': 200 });
        stream.end(
          `${headers[':method']} ${headers[':path']} ${headers['x-forwarded-proto']} ${headers.host}`,
        );
      };
      const answer = await site.send({ method }, '/api/any/path?topic=battery*&q=%20');
      expect(await answer.text()).toBe(
        `${method} /api/any/path?topic=battery*&q=%20 http ${site.system.proxy.host}`,
      );
    },
  );

  test.each([0, 1, 65_536, DEFAULT_LIMITS.bodyBytes])('a body of %i bytes arrives whole', async (bytes) => {
    site.handle = async (stream, headers) => {
      const body = await text(stream);
      stream.respond({ ':status': 201 });
      stream.end(`${headers['content-length']} ${body.length}`);
    };
    const answer = await site.send({ method: 'POST', body: 'x'.repeat(bytes) });
    expect(answer.status).toBe(201);
    expect(await answer.text()).toBe(`${bytes} ${bytes}`);
  });

  test('a streamed body is forwarded chunk by chunk', async () => {
    const request = site.nextRequest();
    const { readable, writable } = new TransformStream();
    const writer = writable.getWriter();
    const answer = site.send(chunked(readable));
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

  test('a request keeps its headers except hop-by-hop and forwarding ones', async () => {
    const request = site.nextRequest();
    const { proxy } = site.system;
    const exchange = rawExchange(
      proxy.url,
      head(
        'GET /api/v1/metrics HTTP/1.1',
        `Host: ${proxy.host}`,
        ...site.headerLines,
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
      'x-forwarded-proto': 'http',
      host: proxy.host,
      ':path': '/api/v1/metrics',
      authorization: `Bearer ${site.credentials.token}`,
      'site-id': '1',
      'site-key': site.credentials.siteKey,
      accept: 'application/json, text/plain',
      connection: 'keep-alive',
      cookie: 'a=1',
      'x-forwarded-for': '127.0.0.1',
      traceparent: expect.stringMatching(/^00-/),
    });
  });

  test('a request that expects 100-continue gets it', async () => {
    site.handle = async (stream) => {
      const body = await text(stream);
      stream.respond({ ':status': 200 });
      stream.end(`got ${body}`);
    };
    const socket = await rawConnection(site.system.proxy.url);
    socket.write(
      head(
        'POST /api/v1/metrics HTTP/1.1',
        'Host: x',
        ...site.headerLines,
        'Content-Length: 2',
        'Expect: 100-continue',
        'Connection: close',
      ),
    );
    expect(await receivedUntil(socket, '\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    socket.write('hi');
    expect(await text(socket)).toContain('got hi');
  });

  test('a request and its answer pass a tunnel whose bytes come in pieces in both directions', async () => {
    const { cloud, proxy } = site.system;
    const relay = inPieces(
      createServer((near) => {
        const far = inPieces(connect(Number(new URL(proxy.url).port), '127.0.0.1'));
        for (const end of [near, far]) end.on('error', () => undefined);
        near.pipe(far).pipe(near);
      }),
    );
    await once(relay.listen(0, '127.0.0.1'), 'listening');
    const { port } = relay.address() as AddressInfo;
    const device = await TestDevice.connect(
      `http://127.0.0.1:${port}`,
      await cloud.tunnelToken(8),
      async (stream) => {
        const body = await text(stream);
        stream.respond({ ':status': 200 });
        stream.end(`${body} 25 °C`);
      },
    );
    await expect.poll(() => site.system.sites()).toContain(8);
    const body = '25 °C '.repeat(10_000);
    const answer = await site.system.fetch('/api/v1/metrics', await cloud.authorize(8), {
      method: 'POST',
      body,
    });
    expect(await answer.text()).toBe(`${body} 25 °C`);
    device.kill();
    relay.close();
  });

  test('an HTTP/1.0 request needs no host', async () => {
    site.handle = (stream, headers) => {
      stream.respond({ ':status': 200 });
      stream.end(`got ${headers[':path']}`);
    };
    const request = head('GET /api/v1/metrics HTTP/1.0', ...site.headerLines);
    expect(await rawExchange(site.system.proxy.url, request)).toContain('got /api/v1/metrics');
  });

  test('a request with an invalid host is refused', async () => {
    const request = head(
      'GET /api/v1/metrics HTTP/1.1',
      'Host: a b"<>',
      ...site.headerLines,
      'Connection: close',
    );
    expect(await rawExchange(site.system.proxy.url, request)).toMatch(/^HTTP\/1.1 400 /);
  });
});

describe('forwardRequest: an answer', () => {
  test.each([200, 201, 204, 302, 304, 401, 403, 404, 422, 500, 503])(
    'an answer with status %i is forwarded',
    async (status) => {
      site.handle = (stream) => {
        stream.respond({ ':status': status, etag: 'device' });
        stream.end();
      };
      const answer = await site.send({ redirect: 'manual' });
      expect(answer.status).toBe(status);
      expect(answer.headers.get('etag')).toBe('device');
      expect(await answer.text()).toBe('');
    },
  );

  test.each(['GET', 'HEAD'])('an answer to %s keeps its content-length', async (method) => {
    site.handle = (stream) => {
      stream.respond({ ':status': 200, 'content-length': 5 });
      stream.end('hello');
    };
    const answer = await site.send({ method });
    expect(answer.headers.get('content-length')).toBe('5');
    expect(await answer.text()).toBe(method === 'HEAD' ? '' : 'hello');
  });

  test('a streamed answer is forwarded chunk by chunk', async () => {
    const request = site.nextRequest();
    const pending = site.send();
    const { stream } = await request;
    stream.respond({ ':status': 200 });
    const answer = await pending;
    const reader = answer.body?.getReader();
    stream.write('first');
    expect(await readText(reader, 5)).toBe('first');
    stream.end('second');
    expect(await readText(reader, 6)).toBe('second');
    expect((await reader?.read())?.done).toBe(true);
  });

  test('an answer of many megabytes arrives whole', async () => {
    const part = Buffer.alloc(1024 * 1024, 'x');
    site.handle = async (stream) => {
      stream.respond({ ':status': 200 });
      for (let i = 0; i < 16; i++) if (!stream.write(part)) await once(stream, 'drain');
      stream.end();
    };
    expect((await (await site.send()).arrayBuffer()).byteLength).toBe(16 * part.length);
  });

  test('an unread answer applies backpressure to the device', async () => {
    const request = site.nextRequest();
    const pending = site.send();
    const { stream } = await request;
    stream.respond({ ':status': 200 });
    const answer = await pending;
    expect(await writeUntilHeldBack(stream, Buffer.alloc(64 * 1024))).toBeLessThan(32 * 1024 * 1024);
    const closed = once(stream, 'close');
    await answer.body?.cancel();
    await closed;
  });
});
