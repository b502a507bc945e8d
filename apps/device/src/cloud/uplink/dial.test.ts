import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DialOptions, dialTunnel, TunnelRefused } from './dial.ts';

let server: Server;
let answer = '';
const sockets: Socket[] = [];
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => socket.write(answer));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  server.close();
  await once(server, 'close');
});

const dial = (options: Partial<DialOptions> = {}) =>
  dialTunnel({
    proxyUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tunnelToken: 'a token',
    signal: AbortSignal.timeout(10_000),
    ...options,
  });

describe('a dialled proxy', () => {
  it('the first bytes are read that come with the answer of the proxy', async () => {
    answer = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nfirst bytes';
    const socket = await dial();
    const [bytes] = await once(socket, 'data');
    expect(String(bytes)).toBe('first bytes');
    // An idle tunnel is not a late one.
    expect(socket.timeout).toBe(0);
    socket.destroy();
  });

  it.each([
    ['its reason', 'full\n', 'the proxy answers 503: full'],
    ['no reason', '', 'the proxy answers 503'],
    ['a long page', 'x'.repeat(100_000), `the proxy answers 503: ${'x'.repeat(200)}`],
  ])('a proxy refuses with %s', async (_what, body, message) => {
    answer = `HTTP/1.1 503 Service Unavailable\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const error = await dial().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TunnelRefused);
    expect(error).toMatchObject({ message, status: 503 });
  });

  it('a proxy that asks for the token of a site is too old', async () => {
    const body = '{"error":"Unauthorized"}';
    answer = `HTTP/1.1 401 Unauthorized\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    await expect(dial()).rejects.toThrow(
      'the proxy runs an older release than this device: update the proxy',
    );
  });

  it('a proxy refuses in an answer without an end', async () => {
    answer = `HTTP/1.1 503 Service Unavailable\r\n\r\n${'x'.repeat(300)}`;
    await expect(dial()).rejects.toThrow(TunnelRefused);
  });

  it('a proxy that does not answer is given up after its own time, not after that of its machine', async () => {
    answer = '';
    await expect(dial({ connectTimeoutMs: 60_000, answerTimeoutMs: 50 })).rejects.toThrow(
      'no answer within 0.05 s',
    );
  });

  it('a dial ends when the device stops', async () => {
    answer = '';
    await expect(dial({ signal: AbortSignal.timeout(20) })).rejects.toThrow();
  });
});
