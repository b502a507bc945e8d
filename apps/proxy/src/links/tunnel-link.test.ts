import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Multiplexer, type VirtualConnection } from '@heliograph/tunnel';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { TunnelLink } from './tunnel-link.ts';
import type { RequestHead } from './upstream.ts';

const HEAD: RequestHead = { method: 'POST', path: '/', scheme: 'http', host: 'site', headers: [] };
const EMPTY = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

let socket: Socket;
let link: TunnelLink;
let device: Multiplexer;
let connections: VirtualConnection[];
beforeEach(async () => {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  socket = connect((listener.address() as AddressInfo).port, '127.0.0.1');
  const [far] = (await once(listener, 'connection')) as [Socket];
  listener.close();
  link = new TunnelLink(socket, { left: () => undefined, closed: () => undefined });
  connections = [];
  device = new Multiplexer(
    { socket: far, opens: false },
    {
      onConnection: (connection) => connections.push(connection),
      onSignal: () => undefined,
      onLeave: () => undefined,
      onClose: () => undefined,
    },
  );
});
afterEach(() => link.end('the test is over'));

function listener() {
  return { onHead: vi.fn(), onData: vi.fn(), onEnd: vi.fn(), onLost: vi.fn() };
}

test('a request that waits for its turn on a connection that is then reset was not read', async () => {
  const first = listener();
  link.send(HEAD, undefined, first);
  await expect.poll(() => connections).toHaveLength(1);
  const [connection] = connections;
  connection?.resume().write(EMPTY);
  await vi.waitFor(() => expect(first.onEnd).toHaveBeenCalled());

  const second = listener();
  socket.prependOnceListener('data', () => link.send(HEAD, undefined, second));
  connection?.destroy();
  await vi.waitFor(() => expect(second.onLost.mock.calls).toEqual([['unread']]));
  expect(link.openRequests).toBe(0);
});

test('a request that cannot be sent leaves no connection behind', async () => {
  const head = { ...HEAD, headers: ['x-mine', 'a\nb'] };
  expect(() => link.send(head, undefined, listener())).toThrow('invalid x-mine header');
  expect(link.openRequests).toBe(0);
  device.leave();
  await once(socket, 'close');
  expect(device.size).toBe(0);
});
