import { once } from 'node:events';
import { constants } from 'node:http2';
import { text } from 'node:stream/consumers';
import { HTTP2_TUNNEL_PROTOCOL, TUNNEL_MOVE_SIGNAL } from '@heliograph/wire';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { Http2Device, type Http2Handler } from '../../test/http2-carrier/http2-device.ts';
import { FIRST_SETTINGS } from '../../test/http2-carrier/raw-http2-device.ts';
import { siteHeaders } from '../../test/test-cloud.ts';
import { dialled, TestDevice } from '../../test/test-device.ts';
import { answering, startTestSystem, type TestSystem } from '../../test/test-system.ts';

/** No test that waits for it can do anything sooner. */
const HANDSHAKE_MS = 250;

let system: TestSystem;
let device: Http2Device;
beforeAll(async () => {
  system = await startTestSystem({
    handshakeTimeoutMs: HANDSHAKE_MS,
    announceIntervalMs: 20,
    moveGraceMs: HANDSHAKE_MS,
  });
});
afterEach(() => device?.kill());
afterAll(() => system.stop());

async function connect(siteId: number, onStream: Http2Handler): Promise<void> {
  device = await Http2Device.connect(system.proxy.url, await system.cloud.tunnelToken(siteId), onStream);
  await expect.poll(() => system.sites()).toContain(siteId);
}

const send = async (siteId: number, init?: RequestInit): Promise<Response> =>
  system.fetch('/api/v1/metrics', await system.cloud.authorize(siteId), init);

test('a device of release 0.1 answers reads and writes', async () => {
  await connect(1, async (stream, headers) => {
    const body = await text(stream);
    stream.respond({ ':status': 200, 'content-type': 'text/plain' });
    stream.end(`${headers[':method']} ${headers[':scheme']} ${headers['site-id']} ${body}`);
  });
  expect(await (await send(1)).text()).toBe('GET http 1 ');
  expect(await (await send(1, { method: 'POST', body: 'on' })).text()).toBe('POST http 1 on');
});

test('a device of release 0.1 gets the frames of a WebSocket', async () => {
  await connect(2, (stream, headers) => {
    stream.respond({ ':status': 200 });
    if (headers[':protocol'] === 'websocket') stream.write(Buffer.from([0x81, 2, 0x68, 0x69]));
  });
  const headers = siteHeaders(await system.cloud.authorize(2));
  const socket = new WebSocket(`ws://${system.proxy.host}/api/websocket`, { headers });
  expect(String((await once(socket, 'message'))[0])).toBe('hi');
  socket.terminate();
});

test('a write that a device of release 0.1 refuses unprocessed is sent again, and one that it resets is not', async () => {
  let requests = 0;
  let code: number = constants.NGHTTP2_REFUSED_STREAM;
  await connect(3, (stream) => {
    if (++requests === 1) stream.close(code);
    else stream.respond({ ':status': 204 }, { endStream: true });
  });
  expect((await send(3, { method: 'POST', body: 'on' })).status).toBe(204);
  expect(requests).toBe(2);
  requests = 0;
  code = constants.NGHTTP2_INTERNAL_ERROR;
  expect((await send(3, { method: 'POST', body: 'on' })).status).toBe(502);
  expect(requests).toBe(1);
});

test('a device of release 0.1 is replaced by itself with the next release, which asks it to leave', async () => {
  await connect(4, (stream) => stream.respond({ ':status': 204 }, { endStream: true }));
  const next = await TestDevice.connect(
    system.proxy.url,
    await system.cloud.tunnelToken(4),
    answering('next'),
  );
  await expect.poll(() => device.closed).toBe(true);
  expect(await (await send(4)).text()).toBe('next');
  next.kill();
});

test('a device of release 0.1 that leaves finishes what it has', async () => {
  const held = Promise.withResolvers<Parameters<Http2Handler>[0]>();
  await connect(5, held.resolve);
  const answer = send(5);
  const stream = await held.promise;
  device.leave();
  await expect.poll(async () => (await send(5)).status).toBe(503);
  stream.respond({ ':status': 200 });
  stream.end('last words');
  expect(await (await answer).text()).toBe('last words');
});

test('a device of release 0.1 is asked to move by a ping', async () => {
  const own = await startTestSystem();
  const token = await own.cloud.tunnelToken(1);
  device = await Http2Device.connect(own.proxy.url, token, () => undefined);
  await expect.poll(() => own.sites()).toContain(1);
  await own.stopProxy();
  expect(device.pings).toContainEqual(TUNNEL_MOVE_SIGNAL);
  await own.stop();
});

test('a device that speaks no HTTP/2 is cut off at the deadline of its handshake', async () => {
  const socket = await dialled(system.proxy.url, await system.cloud.tunnelToken(50), {
    protocol: HTTP2_TUNNEL_PROTOCOL,
  });
  socket.resume();
  await once(socket, 'close');
  expect((await send(50)).status).toBe(503);
});

test('a device that is revoked during its handshake gets no session', async () => {
  const own = await startTestSystem({ announceIntervalMs: 20 });
  const { cloud, proxy } = own;
  const token = await cloud.tunnelToken(1);
  const first = await TestDevice.connect(proxy.url, token, answering('first'));
  await expect.poll(() => own.sites()).toContain(1);
  const socket = await dialled(proxy.url, token, { protocol: HTTP2_TUNNEL_PROTOCOL });
  socket.resume();
  cloud.proxies.revoked.add('uid-of-1');
  await expect.poll(() => first.closed).toBe(true);
  cloud.proxies.revoked.clear();
  await expect.poll(() => own.sites()).toEqual([]);
  const announced = cloud.announcements.length;
  socket.write(FIRST_SETTINGS);
  await once(socket, 'close');
  await expect.poll(() => cloud.announcements.length).toBeGreaterThan(announced + 1);
  const later = cloud.announcements.slice(announced).map(({ body }) => body);
  expect(JSON.stringify(later)).not.toContain('uid-of-1');
  await own.stop();
});
