import type { IncomingHttpHeaders } from 'node:http';
import { AddressList } from '@heliograph/kit';

/** Addresses that may read the metrics where none are configured. */
export const THIS_MACHINE = '127.0.0.0/8 ::1';

const OWN_ADDRESSES = new AddressList(THIS_MACHINE.split(' '));

/** The origin of a request for the metrics. */
export interface MetricsRequest {
  /** Of the client. */
  readonly address: string;
  /** The requested host with an optional port. */
  readonly host: string;
  /** Whether a peer that is not trusted sent forwarding headers. */
  readonly isUntrustedForward: boolean;
}

/**
 * Whether a client may read the metrics: its address must be listed. This machine must request them by a name or an address
 * of its own, because a reverse proxy on it that is not trusted would open them to the whole world; such a one sends
 * forwarding headers, or the public host.
 */
export function mayReadMetrics(from: AddressList, request: MetricsRequest): boolean {
  const { address, host, isUntrustedForward } = request;
  if (isUntrustedForward || (OWN_ADDRESSES.has(address) && !namesThisMachine(host))) return false;
  return from.has(address);
}

/** Headers by which reverse proxies name a client, besides those that begin with `x-forwarded`. */
const FORWARDING: ReadonlySet<string> = new Set([
  ...['forwarded', 'via', 'x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip'],
  ...['x-original-forwarded-for', 'x-cluster-client-ip'],
]);

/** Whether a request has any forwarding header. */
export function isForwarded(headers: IncomingHttpHeaders): boolean {
  return Object.keys(headers).some((name) => name.startsWith('x-forwarded') || FORWARDING.has(name));
}

/** @param host with an optional port */
function namesThisMachine(host: string): boolean {
  const name = host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
  return name.toLowerCase() === 'localhost' || OWN_ADDRESSES.has(name);
}
