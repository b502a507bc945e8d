import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';

/** @returns the free port that was taken on the loopback interface */
export async function listenLocally(server: Server): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    inPieces(server).listen(0, '127.0.0.1', resolve);
  });
  return (server.address() as AddressInfo).port;
}

export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}
