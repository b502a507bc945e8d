import { type AddressList, forwardedClient, networkOf, peerAddress } from '@heliograph/kit';
import { isForwarded } from '@heliograph/telemetry';
import { type ClientRequest, isHttp2 } from '../http/client.ts';
import type { ClientAddress } from './client-address.ts';

export interface ClientAddressOptions {
  /** Proxies whose forwarding headers are trusted. */
  readonly trusted: AddressList;
  /** Clients without limits. */
  readonly unlimited: AddressList;
  readonly scheme: 'http' | 'https';
}

/** The other end of a connection; the same for all of its requests unless it is a trusted proxy. */
export interface Peer extends ClientAddress {
  readonly trusted: boolean;
}

/** Resolves the addresses of clients, also behind trusted proxies. */
export class ClientAddressResolver {
  readonly #options: ClientAddressOptions;

  constructor(options: ClientAddressOptions) {
    this.#options = options;
  }

  /**
   * @param address of the other end of a connection, as the system or a load balancer reports it
   * @param scheme that a load balancer reports
   */
  peer(address: string, scheme = this.#options.scheme): Peer {
    const known = peerAddress(address);
    const { trusted } = this.#options;
    return { address: known, scheme, network: this.#network(known), trusted: trusted.has(known) };
  }

  /** The client of a request. A request of a trusted proxy gets the forwarded host as its host. */
  resolve(req: ClientRequest, peer: Peer): ClientAddress {
    const { headers } = req;
    if (!peer.trusted) return isForwarded(headers) ? { ...peer, isUntrustedForward: true } : peer;
    const { address, host, scheme } = forwardedClient(headers, peer.address, this.#options.trusted);
    if (host !== undefined) headers[isHttp2(req) ? ':authority' : 'host'] = host;
    return { address, scheme: scheme ?? peer.scheme, network: this.#network(address) };
  }

  /** @returns undefined also for trusted proxies, which forward many clients */
  #network(address: string): string | undefined {
    const { trusted, unlimited } = this.#options;
    return trusted.has(address) || unlimited.has(address) ? undefined : networkOf(address);
  }
}
