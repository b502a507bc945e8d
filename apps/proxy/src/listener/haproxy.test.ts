import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { HAS_HAPROXY, startHaproxy, type TestHaproxy } from '@heliograph/dev/testing/haproxy';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { createLogger } from '@heliograph/kit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Http2Client } from '../../test/http2-client.ts';
import { siteHeaders } from '../../test/test-cloud.ts';
import { type StreamHandler, TestDevice } from '../../test/test-device.ts';
import { startTestSystem, type TestSystem } from '../../test/test-system.ts';

const CLIENT = '127.0.0.9';
const CLOUD_HOST = 'cloud.example.org';
const PATH = '/api/v1/metrics';
/** Below the limit of a body, and more than one buffer of HAProxy. */
const UPLOAD = 'x'.repeat(700_000);
const ca = TEST_TLS.cert;

/** Answers with what it saw of a request, and WebSockets with an echo. */
const seen: StreamHandler = async (stream, headers) => {
  if (headers.upgrade === 'websocket') {
    stream.respond({ ':status': 200 });
    stream.pipe(stream);
    return;
  }
  const { length } = await text(stream);
  stream.respond({ ':status': 200, 'content-type': 'application/json' });
  const { ':method': method, 'x-forwarded-proto': scheme, 'x-forwarded-for': client } = headers;
  stream.end(JSON.stringify({ method, scheme, client, length }));
};

describe.runIf(HAS_HAPROXY)('a proxy behind HAProxy, which ends TLS', () => {
  const lines: Record<string, unknown>[] = [];
  const undo = new AsyncDisposableStack();
  let system: TestSystem;
  let haproxy: TestHaproxy;
  let device: TestDevice;
  let headers: Record<string, string>;
  beforeAll(async () => {
    const logger = createLogger('proxy', 'debug', { write: (line) => lines.push(JSON.parse(line)) });
    system = await startTestSystem({ logger }, { proxyProtocolFrom: ['127.0.0.1'], unlimitedFrom: [] });
    undo.defer(() => system.stop());
    const cloud = createServer((req, res) => res.end(JSON.stringify(req.headers))).listen(0, '127.0.0.1');
    undo.defer(() => void cloud.close());
    await once(cloud, 'listening');
    haproxy = undo.use(
      await startHaproxy(system.proxy.url, {
        HELIOGRAPH_CLOUD: `127.0.0.1:${(cloud.address() as AddressInfo).port}`,
        HELIOGRAPH_CLOUD_HOST: CLOUD_HOST,
      }),
    );
    device = await TestDevice.connect(haproxy.url, await system.cloud.tunnelToken(1), seen, { ca });
    await vi.waitFor(() => expect(system.sites()).toEqual([1]), 10_000);
    headers = siteHeaders(await system.cloud.authorize(1));
  });
  afterAll(async () => {
    device.kill();
    await undo.disposeAsync();
  });

  /** A request over HTTP/1.1 from an address of its own. */
  async function send(options: object, body?: string): Promise<IncomingMessage> {
    const call = request(haproxy.url, { ca, localAddress: CLIENT, agent: false, ...options });
    call.end(body);
    const [answer] = (await once(call, 'response')) as [IncomingMessage];
    return answer;
  }

  test('a read over HTTP/1.1 reaches the device with the address and scheme of the client', async () => {
    const answer = await send({ path: PATH, headers });
    expect([answer.statusCode, JSON.parse(await text(answer))]).toEqual([
      200,
      { method: 'GET', scheme: 'https', client: CLIENT, length: 0 },
    ]);
  });

  test.each([
    ['a length', { 'content-length': UPLOAD.length }],
    ['chunks', { 'transfer-encoding': 'chunked' }],
  ])('a body of %s reaches the device whole', async (_form, form) => {
    const answer = await send({ path: PATH, method: 'POST', headers: { ...headers, ...form } }, UPLOAD);
    expect(JSON.parse(await text(answer))).toMatchObject({ method: 'POST', length: UPLOAD.length });
  });

  test('HTTP/2 is agreed on with clients, and carries reads, bodies and WebSockets on one connection', async () => {
    const client = await Http2Client.connect(haproxy.url);
    const replies = await Promise.all([
      client.send(PATH, headers),
      client.send(PATH, { ...headers, ':method': 'POST' }, UPLOAD),
    ]);
    expect(replies.map(({ status, body }) => [status, JSON.parse(String(body))])).toEqual([
      [200, { method: 'GET', scheme: 'https', client: '127.0.0.1', length: 0 }],
      [200, { method: 'POST', scheme: 'https', client: '127.0.0.1', length: UPLOAD.length }],
    ]);
    const connect = { ':method': 'CONNECT', ':protocol': 'websocket', ':scheme': 'https' };
    const socket = client.open('/api/websocket', { ...headers, ...connect }, false);
    const [answer] = await once(socket, 'response');
    socket.write(Buffer.from([0x82, 0x80, 0, 0, 0, 0]));
    const [echo] = await once(socket, 'data');
    expect([answer[':status'], echo.length > 0]).toEqual([200, true]);
    socket.close();
    client.close();
  });

  test('a WebSocket over HTTP/1.1 carries frames both ways', async () => {
    const url = `${haproxy.url.replace('https', 'wss')}/api/websocket`;
    const socket = new WebSocket(url, { ca, localAddress: CLIENT, headers });
    await once(socket, 'open');
    socket.send('sun');
    // The device echoes the masked frame, which a client refuses (RFC 6455 section 5.1): it arrived.
    const [error] = await once(socket, 'error');
    expect(error.message).toMatch(/MASK/);
    socket.terminate();
  });

  test.each(['http/1.1', 'h2'])(
    'the host of the cloud leads to the cloud over %s, with the client alone',
    async (protocol) => {
      const sent = {
        'x-forwarded-for': '192.0.2.1',
        forwarded: 'for=192.0.2.1',
        'x-forwarded-host': 'evil.example',
      };
      const expected = {
        'x-forwarded-for': protocol === 'h2' ? '127.0.0.1' : CLIENT,
        'x-forwarded-proto': 'https',
      };
      let body: Record<string, string>;
      if (protocol === 'h2') {
        const client = await Http2Client.connect(haproxy.url, CLOUD_HOST);
        body = JSON.parse(String((await client.send('/', sent)).body));
        client.close();
      } else {
        body = JSON.parse(
          await text(
            await send({ servername: CLOUD_HOST, checkServerIdentity: () => undefined, headers: sent }),
          ),
        );
      }
      expect(body).toMatchObject(expected);
      expect(Object.keys(body).filter((name) => /^forwarded|-host$/.test(name))).toEqual([]);
    },
  );

  test('each connection had its header', () => {
    expect(lines.filter(({ msg }) => String(msg).includes('PROXY protocol'))).toEqual([]);
  });

  test('a device that is gone is gone for the cloud at once', async () => {
    device.kill();
    await expect.poll(() => system.sites()).toEqual([]);
  });
});
