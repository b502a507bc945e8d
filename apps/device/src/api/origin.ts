import type { IncomingHttpHeaders } from 'node:http';
import { canonicalAddress } from '@heliograph/kit';
import { FORWARDED_FOR_HEADER } from '@heliograph/wire';
import type { Origin } from '../auth/caller.ts';
import { isOwnPage } from './own-page.ts';

/** The parts of a request that both versions of HTTP have. */
export interface RawRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
}

/**
 * The requests that came through the tunnel. Membership is by identity of the request object, which no
 * header of any client can forge.
 */
const throughTunnel = new WeakSet<object>();

export function markTunnelled(request: object): void {
  throughTunnel.add(request);
}

/** Resolves the origin of a request. The proxy's word on the client's address counts on tunnel streams alone. */
export function originOf(request: RawRequest): Origin {
  const { headers, socket } = request;
  const tunnelled = throughTunnel.has(request);
  const forwarded = tunnelled ? textOf(headers[FORWARDED_FOR_HEADER]) : undefined;
  return {
    via: tunnelled ? 'proxy' : 'lan',
    address: forwarded ?? (tunnelled ? 'proxy' : peerAddress(socket.remoteAddress)),
    siteId: textOf(headers['site-id']),
    siteKey: textOf(headers['site-key']),
    foreignPage: !isOwnPage(headers),
  };
}

/** IPv4 as such also at a socket for both families; an address with a zone stays as it is. */
function peerAddress(remote = 'unknown'): string {
  return canonicalAddress(remote) ?? remote;
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
