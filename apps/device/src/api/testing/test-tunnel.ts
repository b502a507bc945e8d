import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TunnelHandler } from '../tunnel-handler.ts';

export interface TestTunnel {
  /** What is asked here arrives at the device as what the proxy passes on. */
  readonly url: string;
  stop(): void;
}

/** What the tunnel carries is handed to the same handler, whichever version of HTTP it came with. */
export async function startTestTunnel(handler: TunnelHandler): Promise<TestTunnel> {
  const server = createServer((request, response) => handler.request(request as never, response as never));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
