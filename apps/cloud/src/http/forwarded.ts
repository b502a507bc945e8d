import { type AddressList, type ForwardedClient, forwardedClient, peerAddress } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';
import type { App } from './app-type.ts';

/** Makes `ip`, `host` and `protocol` of requests those of the client, also behind trusted proxies. */
export function readForwarded(app: App, trusted: AddressList): void {
  const clientOf = ({ raw }: FastifyRequest): ForwardedClient => {
    const peer = peerAddress(raw.socket.remoteAddress);
    return trusted.has(peer) ? forwardedClient(raw.headers, peer, trusted) : { address: peer };
  };
  app.decorateRequest('ip', {
    getter() {
      return clientOf(this).address;
    },
  });
  app.decorateRequest('host', {
    getter() {
      return clientOf(this).host ?? this.raw.headers.host ?? '';
    },
  });
  app.decorateRequest('protocol', {
    getter() {
      return clientOf(this).scheme ?? 'http';
    },
  });
}
