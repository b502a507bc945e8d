import type { IncomingHttpHeaders } from 'node:http';
import { type ClientRequest, isHttp2 } from '../http/client.ts';
import { canonicalAddress, networkOf } from './address.ts';
import type { AddressList } from './address-list.ts';
import type { ClientAddress } from './client-address.ts';
import { forwardedFor, forwardedHost, forwardedScheme, isForwarded } from './forwarded.ts';

export interface ClientAddressOptions {
  /** Whose word on where a request comes from is believed. */
  readonly trusted: AddressList;
  /** Who may take as much as there is. */
  readonly unlimited: AddressList;
  readonly scheme: 'http' | 'https';
}

/** The other end of a connection; the same for all of its requests unless it is a trusted proxy. */
export interface Peer extends ClientAddress {
  readonly trusted: boolean;
}

/** Tells where requests come from. */
export class ClientAddressResolver {
  readonly #options: ClientAddressOptions;

  constructor(options: ClientAddressOptions) {
    this.#options = options;
  }

  /** @param address of the other end of a connection, as the system tells it */
  peer(address: string): Peer {
    const known = canonicalAddress(address) ?? address;
    const { trusted, scheme } = this.#options;
    return { address: known, scheme, network: this.#network(known), trusted: trusted.has(known) };
  }

  /** Whose request it is. One that comes through a trusted proxy bears the host that the client asked for from now on. */
  resolve(req: ClientRequest, peer: Peer): ClientAddress {
    const { headers } = req;
    if (!peer.trusted) return isForwarded(headers) ? { ...peer, isUntrustedForward: true } : peer;
    const address = forwardedFor(one(headers, 'x-forwarded-for'), peer.address, this.#options.trusted);
    const host = forwardedHost(one(headers, 'x-forwarded-host'));
    if (host !== undefined) headers[isHttp2(req) ? ':authority' : 'host'] = host;
    const scheme = forwardedScheme(one(headers, 'x-forwarded-proto')) ?? peer.scheme;
    return { address, scheme, network: this.#network(address) };
  }

  /** @returns undefined for trusted proxies too, behind which everybody may be */
  #network(address: string): string | undefined {
    const { trusted, unlimited } = this.#options;
    return trusted.has(address) || unlimited.has(address) ? undefined : networkOf(address);
  }
}

function one(headers: IncomingHttpHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
}
