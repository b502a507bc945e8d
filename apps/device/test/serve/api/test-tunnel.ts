import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TunnelHandler } from '../../../src/serve/api/tunnel-handler.ts';

export interface TestTunnel {
  /** Requests to it arrive at the device as those that the proxy passes on. */
  readonly url: string;
  stop(): void;
}

/** Requests of either HTTP version are handed to the same handler as the tunnel's. */
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
