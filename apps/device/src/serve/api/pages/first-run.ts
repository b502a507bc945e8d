import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIPv6 } from 'node:net';
import { canonicalAddress } from '@heliograph/kit';
import { isForwarded } from '@heliograph/telemetry';
import type { FastifyRequest } from 'fastify';
import { OwnPageRefused } from './lan-only.ts';
import { originOf } from './origin.ts';
import { cannotBeRebound, isSameOrigin } from './own-page.ts';

const NOT_LOCAL = 'The first password is set from the local network alone';

/** A request that wants to set the first password. */
export interface FirstRunRequest {
  /** The peer address of its connection. */
  readonly address: string;
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** @throws Forbidden, OwnPageRefused for a request that may not set the first password */
export async function requireFirstRun({ raw, method, headers }: FastifyRequest): Promise<void> {
  if (originOf(raw).via === 'proxy') throw new OwnPageRefused(NOT_LOCAL, 'not_local');
  const refusal = firstRunRefusal({ address: raw.socket.remoteAddress ?? '', method, headers });
  if (refusal !== undefined) throw refusal;
}

/** The refusal of a request that may not set the first password; undefined when it may. */
export function firstRunRefusal({ address, method, headers }: FirstRunRequest): OwnPageRefused | undefined {
  // Behind a reverse proxy every client seems to be on the local network.
  if (!isLocal(address) || isForwarded(headers)) {
    return new OwnPageRefused(NOT_LOCAL, 'not_local');
  }
  if (!cannotBeRebound(headers.host ?? '')) {
    return new OwnPageRefused(
      'Open this device by its IP address, or by its name on the local network, to set its password',
      'public_name',
    );
  }
  if (method !== 'GET' && !isSameOrigin(headers)) {
    return new OwnPageRefused(
      'The first password is set on the page of this device alone. A reverse proxy before it must preserve the Host header',
      'foreign_page',
    );
  }
  return undefined;
}

/** Addresses that no router of the internet delivers to: RFC 1918, 3927, 4193, 4291, and the machine itself. */
const LOCAL = new BlockList();
for (const [net, prefix] of [
  ['10.0.0.0', 8],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const) {
  LOCAL.addSubnet(net, prefix, 'ipv4');
}
LOCAL.addSubnet('fc00::', 7, 'ipv6');
LOCAL.addSubnet('fe80::', 10, 'ipv6');
LOCAL.addAddress('::1', 'ipv6');

/** A link-local address comes with its interface. */
function isLocal(address: string): boolean {
  const plain = canonicalAddress(address.replace(/%.*$/, ''));
  return plain !== undefined && LOCAL.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
}
