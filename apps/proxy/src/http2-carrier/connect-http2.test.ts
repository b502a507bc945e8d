import { once } from 'node:events';
import { createServer as createHttp2Server, type Http2Session, type Settings } from 'node:http2';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { performHandshake } from './connect-http2.ts';

/** No test waits for it. */
const LONG_MS = 60_000;

let listener: Server;
let device: Socket;
let socket: Socket;
beforeEach(async () => {
  listener = createServer({ allowHalfOpen: true });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  // A server that listens on a port has no other kind of address.
  const { port } = listener.address() as AddressInfo;
  device = connect({ port, host: '127.0.0.1' });
  device.on('error', () => undefined);
  [socket] = await once(listener, 'connection');
  socket.on('error', () => undefined);
});
afterEach(() => {
  vi.restoreAllMocks();
  device.destroy();
  socket.destroy();
  listener.close();
});

/** Speaks HTTP/2 as a device. */
function serve(settings: Settings): Promise<Http2Session> {
  const server = createHttp2Server({ settings });
  server.on('sessionError', () => undefined);
  const { promise, resolve } = Promise.withResolvers<Http2Session>();
  server.on('session', resolve);
  server.emit('connection', device);
  return promise;
}

describe('performHandshake', () => {
  test('a device that offers extended CONNECT gets the limits of the proxy', async () => {
    const serving = serve({ enableConnectProtocol: true });
    const http2 = await performHandshake(socket, LONG_MS);
    const session = await serving;
    await expect
      .poll(() => session.remoteSettings)
      .toMatchObject({ enablePush: false, initialWindowSize: 65_536, maxHeaderListSize: 32_768 });
    await expect.poll(() => session.state.remoteWindowSize).toBe(4 * 1024 * 1024);
    expect(http2.destroyed).toBe(false);
    for (const event of ['error', 'remoteSettings']) expect(http2.listenerCount(event)).toBe(0);
    http2.destroy();
  });

  test('a tunnel has no timeout of its connection, and no delay', async () => {
    const timeout = vi.spyOn(socket, 'setTimeout');
    const noDelay = vi.spyOn(socket, 'setNoDelay');
    void serve({ enableConnectProtocol: true });
    const http2 = await performHandshake(socket, LONG_MS);
    expect(timeout.mock.calls).toContainEqual([0]);
    expect(noDelay.mock.calls).toContainEqual([true]);
    http2.destroy();
  });

  test('a device that ends its side is disconnected', async () => {
    void serve({ enableConnectProtocol: true });
    const http2 = await performHandshake(socket, LONG_MS);
    http2.on('error', () => undefined);
    device.end();
    await once(http2, 'close');
    expect(socket.destroyed).toBe(true);
  });

  test('a device without extended CONNECT is too old', async () => {
    void serve({ enableConnectProtocol: false });
    await expect(performHandshake(socket, LONG_MS)).rejects.toThrow('its software is too old');
    expect(socket.destroyed).toBe(true);
  });

  test('a device that sends nothing in time is disconnected', async () => {
    await expect(performHandshake(socket, 1)).rejects.toThrow('no HTTP/2 settings in time');
    expect(socket.destroyed).toBe(true);
  });

  test('a device that goes before it spoke HTTP/2 has closed the connection', async () => {
    device.end();
    await expect(performHandshake(socket, LONG_MS)).rejects.toThrow('before it spoke HTTP/2');
  });

  test('a device that sends garbage fails with a protocol error', async () => {
    device.write(Buffer.alloc(4_096, 0xa5));
    await expect(performHandshake(socket, LONG_MS)).rejects.toThrow(/protocol error/i);
    expect(socket.destroyed).toBe(true);
  });

  test('the deadline of a handshake that succeeded ends nothing', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      void serve({ enableConnectProtocol: true });
      const http2 = await performHandshake(socket, 100);
      vi.advanceTimersByTime(1_000);
      expect(http2.destroyed).toBe(false);
      http2.destroy();
    } finally {
      vi.useRealTimers();
    }
  });
});
