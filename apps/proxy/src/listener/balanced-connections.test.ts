import { once } from 'node:events';
import { request } from 'node:http';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { TEST_TLS } from '@heliograph/dev/testing/tls';
import { createLogger } from '@heliograph/kit';
import { TUNNEL_PATH, TUNNEL_PROTOCOL } from '@heliograph/wire';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { head, rawConnection, rawExchange } from '../../test/raw-request.ts';
import { siteHeaderLines, siteHeaders } from '../../test/test-cloud.ts';
import { TestDevice } from '../../test/test-device.ts';
import { answering, startTestSystem, type TestSystem } from '../../test/test-system.ts';
import type { ProxyConfig } from '../config/config.ts';
import type { ProxyOptions } from '../proxy.ts';

const { certPath, keyPath, cert: ca } = TEST_TLS;
const TLS = { tls: { certPath, keyPath } };

const SIGNATURE = '0d0a0d0a000d0a515549540a';
/** Version 2 from 192.0.2.7 port 56324 to 198.51.100.1 port 443. */
const IPV4 = Buffer.from(`${SIGNATURE}21 11 000c c0000207 c6336401 dc04 01bb`.replaceAll(' ', ''), 'hex');
/** Version 2 from 2001:db8::7 to 2001:db8::1, followed by a field of 3 bytes. */
const IPV6 = Buffer.from(
  `${SIGNATURE}21 21 002a 20010db8000000000000000000000007 20010db8000000000000000000000001 dc04 01bb ee 0003 616263`.replaceAll(
    ' ',
    '',
  ),
  'hex',
);
/** As above over IPv4, of a client that spoke TLS to the balancer. */
const IPV4_TLS = Buffer.from(
  `${SIGNATURE}21 11 0014 c0000207 c6336401 dc04 01bb 20 0005 01 00000000`.replaceAll(' ', ''),
  'hex',
);
/** As above, of a client that agreed on HTTP/2 with the balancer. */
const IPV4_HTTP2 = Buffer.from(
  `${SIGNATURE}21 11 0019 c0000207 c6336401 dc04 01bb 01 0002 6832 20 0005 01 00000000`.replaceAll(' ', ''),
  'hex',
);
const LOCAL = Buffer.from(`${SIGNATURE}20000000`, 'hex');
const LINE = Buffer.from('PROXY TCP4 192.0.2.7 198.51.100.1 56324 443\r\n');
const UNKNOWN = Buffer.from('PROXY UNKNOWN whatever follows\r\n');

let system: TestSystem;
let lines: Record<string, unknown>[];
let open: Socket[];
beforeEach(() => {
  lines = [];
  open = [];
});
afterEach(async () => {
  for (const socket of open) socket.destroy();
  await system.stop();
});

async function start(config: Partial<ProxyConfig> = {}, options: ProxyOptions = {}): Promise<void> {
  const logger = createLogger('proxy', 'debug', { write: (line) => lines.push(JSON.parse(line)) });
  system = await startTestSystem({ logger, ...options }, { proxyProtocolFrom: ['127.0.0.1'], ...config });
}

const refusals = (): unknown[] =>
  lines.filter(({ msg }) => String(msg).includes('PROXY protocol')).map(({ reason }) => reason);

async function connected(): Promise<Socket> {
  const socket = await rawConnection(system.proxy.url);
  open.push(socket);
  return socket;
}

/** A request by hand behind a header; answers with all bytes until the proxy closes. */
async function exchange(header: Buffer, ...requestLines: string[]): Promise<string> {
  const request = head(...requestLines, 'Host: localhost', 'Connection: close');
  return rawExchange(system.proxy.url, header.toString('latin1') + request);
}

/** A device that dials the proxy through the load balancer. */
async function connectDevice(): Promise<TestDevice> {
  const { hostname, port } = new URL(system.proxy.url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(IPV4);
  const token = await system.cloud.tunnelToken(1);
  const req = request({
    createConnection: () => socket,
    path: TUNNEL_PATH,
    headers: { connection: 'Upgrade', upgrade: TUNNEL_PROTOCOL, authorization: `Bearer ${token}` },
  });
  req.end();
  const [, tunnel, first] = await once(req, 'upgrade');
  if (first.length > 0) tunnel.unshift(first);
  const device = new TestDevice(tunnel, answering('the sun shines'));
  open.push(socket);
  await expect.poll(() => system.sites()).toContain(1);
  return device;
}

describe('a load balancer that sends the PROXY protocol', () => {
  test.each([
    ['version 2 over IPv4', IPV4, '192.0.2.7', 'http'],
    ['version 2 over IPv6 with a field', IPV6, '2001:db8::7', 'http'],
    ['version 2 of a client with TLS', IPV4_TLS, '192.0.2.7', 'https'],
    ['version 1', LINE, '192.0.2.7', 'http'],
    ['version 2 for itself', LOCAL, '127.0.0.1', 'http'],
    ['version 1 of an unknown client', UNKNOWN, '127.0.0.1', 'http'],
  ])('a header of %s gives the device the address of the client', async (_name, header, address, scheme) => {
    await start();
    const device = await connectDevice();
    const credentials = siteHeaderLines(await system.cloud.authorize(1));
    const answer = await exchange(header, 'GET /api/v1/metrics HTTP/1.1', ...credentials);
    expect(answer).toContain('the sun shines');
    expect(device.seen.at(-1)).toMatchObject({ 'x-forwarded-for': address, 'x-forwarded-proto': scheme });
    expect(refusals()).toEqual([]);
  });

  test('HTTP/2 without TLS follows a header that names it', async () => {
    await start();
    const device = await connectDevice();
    const socket = await connected();
    await new Promise((resolve) => socket.write(IPV4_HTTP2, resolve));
    const client = connectHttp2(system.proxy.url, { createConnection: () => socket });
    const stream = client.request({
      ':path': '/api/v1/metrics',
      ...siteHeaders(await system.cloud.authorize(1)),
    });
    const [headers] = await once(stream, 'response');
    expect([headers[':status'], await text(stream)]).toEqual([200, 'the sun shines']);
    expect(device.seen.at(-1)).toMatchObject({
      'x-forwarded-for': '192.0.2.7',
      'x-forwarded-proto': 'https',
    });
    client.destroy();
  });

  test('a header that arrives byte by byte is read, and so is the request behind it', async () => {
    await start();
    const socket = await connected();
    socket.setNoDelay(true);
    let answer = '';
    socket.setEncoding('latin1').on('data', (part: string) => {
      answer += part;
    });
    const bytes = Buffer.concat([IPV4, Buffer.from(head('GET /healthz HTTP/1.1', 'Host: x'))]);
    for (const byte of bytes) {
      await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
      await new Promise(setImmediate);
    }
    await expect.poll(() => answer).toContain('200 OK');
  });

  test.each([
    ['in one write', true],
    ['before the client sends anything', false],
  ])('TLS follows the header that is sent %s, over HTTP/1.1 and HTTP/2', async (_when, together) => {
    await start(TLS);
    const secure = async (protocol: string): Promise<TLSSocket> => {
      const socket = await connected();
      if (together) socket.cork();
      const written = new Promise((resolve) => socket.write(IPV4, resolve));
      if (!together) await written;
      const secured = connectTls({ socket, ca, ALPNProtocols: [protocol] });
      if (together) setImmediate(() => socket.uncork());
      await once(secured, 'secureConnect');
      return secured;
    };
    const http1 = await secure('http/1.1');
    http1.write(head('GET /healthz HTTP/1.1', 'Host: x', 'Connection: close'));
    expect(await text(http1)).toContain('200 OK');
    const secured = await secure('h2');
    const http2 = connectHttp2(system.proxy.url, { createConnection: () => secured });
    const stream = http2.request({ ':path': '/healthz' });
    const [headers] = await once(stream, 'response');
    expect(headers[':status']).toBe(200);
    http2.destroy();
  });

  test('clients behind the balancer are limited one by one, and the balancer is not', async () => {
    await start({ unlimitedFrom: [] }, { limits: { connectionBurst: 3, connectionRate: 1 } });
    const of = (last: number): Buffer => {
      const header = Buffer.from(IPV4);
      header[19] = last;
      return header;
    };
    const statuses = async (last: number, count: number): Promise<string[]> => {
      const answers = [];
      for (let i = 0; i < count; i++) {
        answers.push((await exchange(of(last), 'GET /healthz HTTP/1.1')).slice(9, 12));
      }
      return answers;
    };
    expect(await statuses(1, 4)).toEqual(['200', '200', '200', '429']);
    expect(await statuses(2, 3)).toEqual(['200', '200', '200']);
    expect(await statuses(3, 3)).toEqual(['200', '200', '200']);
  });

  test('the metrics are hidden from a client that the balancer names', async () => {
    await start();
    const metrics = (header: Buffer): Promise<string> => exchange(header, 'GET /metrics HTTP/1.1');
    expect(await metrics(IPV4)).toContain('HTTP/1.1 404 ');
    expect(await metrics(LINE)).toContain('HTTP/1.1 404 ');
  });

  test('a refused tunnel is logged with the address of the device', async () => {
    await start();
    const upgrade = [`GET ${TUNNEL_PATH} HTTP/1.1`, `Upgrade: ${TUNNEL_PROTOCOL}`];
    const request = head(...upgrade, 'Host: x', 'Connection: Upgrade');
    expect(await rawExchange(system.proxy.url, IPV4.toString('latin1') + request)).toContain(' 401 ');
    expect(lines.find(({ msg }) => msg === 'tunnel refused')).toMatchObject({ peer: '192.0.2.7' });
  });

  test('addresses that the client forges behind the header are ignored', async () => {
    await start();
    const device = await connectDevice();
    const credentials = siteHeaderLines(await system.cloud.authorize(1));
    await exchange(IPV4, 'GET /api/v1/metrics HTTP/1.1', ...credentials, 'X-Forwarded-For: 203.0.113.9');
    expect(device.seen.at(-1)).toMatchObject({ 'x-forwarded-for': '192.0.2.7' });
    expect(await exchange(Buffer.concat([IPV4, IPV4]), 'GET /healthz HTTP/1.1')).toContain(' 400 ');
  });
});

describe('a connection of a load balancer without a valid header', () => {
  const version2 = (rest: string): Buffer => Buffer.from(SIGNATURE + rest.replaceAll(' ', ''), 'hex');
  test.each<[string, Buffer, string]>([
    [
      'that has none',
      Buffer.from(head('GET /healthz HTTP/1.1', 'Host: x')),
      'no header of the PROXY protocol',
    ],
    ['that begins with TLS', Buffer.from('160301', 'hex'), 'no header of the PROXY protocol'],
    ['with version 3', version2('31 11 000c'), 'version 3 of the PROXY protocol'],
    ['with an unknown command', version2('22 11 000c'), 'unknown command 2'],
    ['that is too long', version2('21 11 ffff'), 'a header of 65551 bytes'],
    [
      'over UDP',
      version2('21 12 000c c0000207 c6336401 dc04 01bb'),
      'a header without the addresses of a TCP connection',
    ],
    [
      'whose addresses are cut',
      version2('21 21 000c c0000207 c6336401 dc04 01bb'),
      'a header without the addresses of a TCP connection',
    ],
    [
      'whose field is cut',
      version2('21 11 000f c0000207 c6336401 dc04 01bb ee 0009'),
      'a field that is longer than the header',
    ],
    [
      'with a line of another family',
      Buffer.from('PROXY TCP4 ::1 ::1 1 2\r\n'),
      'a line without the addresses of a TCP connection',
    ],
    [
      'with a line of wrong ports',
      Buffer.from('PROXY TCP4 192.0.2.7 192.0.2.8 1 65536\r\n'),
      'a line without the addresses of a TCP connection',
    ],
    ['with a line without end', Buffer.from(`PROXY ${'x'.repeat(200)}`), 'a line that is too long'],
  ])('%s is closed without an answer, and logged once', async (_what, bytes, reason) => {
    await start();
    expect(await rawExchange(system.proxy.url, bytes.toString('latin1'))).toBe('');
    await expect.poll(refusals).toEqual([reason]);
    expect(lines.find((line) => line.reason === reason)).toMatchObject({ peer: '127.0.0.1' });
    expect(await exchange(LOCAL, 'GET /metrics HTTP/1.1')).toContain(
      'protocol_errors_total{reason="PROXY_HEADER"} 1',
    );
  });

  test('a header that does not come in time closes its connection', async () => {
    await start({}, { limits: { headMs: 100 } });
    const socket = await connected();
    socket.resume().write(IPV4.subarray(0, 20));
    await once(socket, 'close');
    await expect.poll(refusals).toEqual(['no complete header in time']);
  });

  test('a header that is cut is logged, and a connection without a byte is not', async () => {
    await start();
    (await connected()).end();
    (await connected()).end(IPV4.subarray(0, 20));
    await expect.poll(refusals).toEqual(['the connection ended within its header']);
  });

  test('a proxy that stops does not wait for headers', async () => {
    await start();
    const socket = await connected();
    socket.resume().write(IPV4.subarray(0, 20));
    await system.stopProxy();
    if (!socket.destroyed) await once(socket, 'close');
    expect(refusals()).toEqual([]);
  });
});

describe('a connection from elsewhere than the load balancers', () => {
  test('a client is served without a header, and its header is not believed', async () => {
    await start({ proxyProtocolFrom: ['192.0.2.0/24'] });
    expect(await exchange(Buffer.alloc(0), 'GET /healthz HTTP/1.1')).toContain('200 OK');
    for (const header of [IPV4, LINE]) {
      expect(await exchange(header, 'GET /healthz HTTP/1.1')).toContain(' 400 ');
    }
  });
});
