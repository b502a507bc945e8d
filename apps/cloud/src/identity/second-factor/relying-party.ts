import { SERVICE_NAME } from '../../common/config/env.ts';

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

export interface RelyingPartiesOptions {
  /** The cloud's public URL. */
  readonly cloudUrl: () => string;
  /** True for an origin of the service's own pages. @param host the host that the request was sent to */
  readonly isOwnOrigin: (origin: string, host: string) => Promise<boolean>;
  /** True for a host of the service's own pages, without its port. */
  readonly isOwnHost: (host: string) => Promise<boolean>;
}

/**
 * Maps a page to one of the service's hosts: that of the cloud, or one of an organization that an operator has vetted.
 * Passkeys of one host are not valid at another.
 */
export class RelyingParties {
  readonly #options: RelyingPartiesOptions;

  constructor(options: RelyingPartiesOptions) {
    this.#options = options;
  }

  /** The relying party of the requesting page; that of the cloud for any other page and for programs. */
  async of({ headers: { origin }, host }: RequestOrigin): Promise<RelyingParty> {
    const { cloudUrl, isOwnOrigin } = this.#options;
    const isOwn = origin !== undefined && (await isOwnOrigin(origin, host));
    return relyingPartyAt(isOwn ? origin : cloudUrl());
  }

  /** Those that are hosts of the service's own pages. */
  async ownHostsAmong(hosts: readonly string[]): Promise<string[]> {
    const areOwn = await Promise.all(hosts.map((host) => this.#options.isOwnHost(host)));
    return hosts.filter((_host, index) => areOwn[index]);
  }
}

export function relyingPartyAt(url: string): RelyingParty {
  const { hostname, origin } = new URL(url);
  return { id: hostname, origin, name: SERVICE_NAME };
}
