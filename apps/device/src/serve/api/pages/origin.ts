import type { IncomingHttpHeaders } from 'node:http';
import { AddressList, forwardedClient, peerAddress } from '@heliograph/kit';
import type { Origin } from '../../../access/caller.ts';
import { isOwnPage } from './own-page.ts';

/** Kept on the request itself, which no header of any client can forge. */
const TUNNELLED = Symbol('tunnelled');
const ORIGIN = Symbol('origin');

/** The parts of a request that both versions of HTTP have. */
export interface RawRequest {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined };
  [TUNNELLED]?: boolean;
  [ORIGIN]?: Origin;
}

/** The proxy names the client alone, whatever proxies are before it. */
const NO_PROXIES = new AddressList([]);

/** Of a request that came through the tunnel. */
export function markTunnelled(request: RawRequest): void {
  request[TUNNELLED] = true;
}

/** Resolves the origin of a request. The proxy's word on the client's address counts in the tunnel alone. */
export function originOf(request: RawRequest): Origin {
  request[ORIGIN] ??= resolvedOrigin(request);
  return request[ORIGIN];
}

function resolvedOrigin({ headers, socket, [TUNNELLED]: isTunnelled = false }: RawRequest): Origin {
  return {
    via: isTunnelled ? 'proxy' : 'lan',
    address: isTunnelled
      ? forwardedClient(headers, 'proxy', NO_PROXIES).address
      : peerAddress(socket.remoteAddress),
    siteId: textOf(headers['site-id']),
    siteKey: textOf(headers['site-key']),
    foreignPage: !isOwnPage(headers),
  };
}

/**
 * The address that a client sent a request to, as `https://us-1.example.org`. A proxy's word on it is enough here: who
 * makes it up misleads itself.
 */
export function addressOf({ headers, socket }: RawRequest): string {
  const forwarded = forwardedClient(headers, peerAddress(socket.remoteAddress), NO_PROXIES);
  const scheme = forwarded.scheme ?? 'http';
  const host = forwarded.host ?? headers.host ?? 'localhost';
  return `${scheme}://${host}`;
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : undefined;
}
