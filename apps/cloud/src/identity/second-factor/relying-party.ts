import { SERVICE_NAME } from '../../common/config/env.ts';
import type { Platform } from '../../platform.ts';
import { isOwnHost, isOwnOrigin } from '../own-pages.ts';

/** A relying party of WebAuthn: the pages of one host, which alone may use its passkeys. */
export interface RelyingParty {
  /** The host, without its port. */
  readonly id: string;
  readonly origin: string;
  readonly name: string;
}

/** The parts of a request that its page's origin follows from. */
export interface RequestOrigin {
  readonly headers: { readonly origin?: string | undefined };
  /** The host that the request was sent to. */
  readonly host: string;
}

/**
 * The relying party of the requesting page; that of the cloud for any other page and for programs. A page is at one of the
 * service's hosts: that of the cloud, or one of an organization that an operator has vetted. Passkeys of one host are not
 * valid at another.
 */
export async function relyingPartyOf(
  platform: Platform,
  { headers: { origin }, host }: RequestOrigin,
): Promise<RelyingParty> {
  const isOwn = origin !== undefined && (await isOwnOrigin(platform, origin, host));
  return relyingPartyAt(isOwn ? origin : platform.cloudUrl());
}

/** Those that are hosts of the service's own pages. */
export async function ownHostsAmong(platform: Platform, hosts: readonly string[]): Promise<string[]> {
  const areOwn = await Promise.all(hosts.map((host) => isOwnHost(platform, host)));
  return hosts.filter((_host, index) => areOwn[index]);
}

export function relyingPartyAt(url: string): RelyingParty {
  const { hostname, origin } = new URL(url);
  return { id: hostname, origin, name: SERVICE_NAME };
}
