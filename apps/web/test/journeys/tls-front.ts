import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import { TEST_TLS } from '@heliograph/dev/testing/tls';

/** Ends TLS before a server, as load balancers do, and passes every byte on. */
export interface TlsFront extends AsyncDisposable {
  readonly port: number;
}

/** @param url of the server behind it */
export async function startTlsFront(url: string): Promise<TlsFront> {
  const { hostname, port } = new URL(url);
  const sockets = new Set<TLSSocket>();
  const server = createServer({ cert: TEST_TLS.cert, key: TEST_TLS.key }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    const behind = connect(Number(port), hostname);
    for (const one of [socket, behind]) one.on('error', () => one.destroy());
    socket.pipe(behind).pipe(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
