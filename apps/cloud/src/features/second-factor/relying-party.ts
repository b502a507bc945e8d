import { SERVICE_NAME } from '../../config/env.ts';

/** Who asks for a passkey (WebAuthn: relying party): pages of one host, which alone may use it. */
export interface RelyingParty {
  /** The host, without its port. */
  readonly id: string;
  readonly origin: string;
  readonly name: string;
}

/** What is looked at of a request. */
export interface RequestOrigin {
  readonly headers: { readonly origin?: string | undefined };
  /** That the request was sent to. */
  readonly host: string;
}

export interface RelyingPartiesOptions {
  /** The cloud's public URL. */
  readonly cloudUrl: () => string;
  /** Whether an origin is one of the service's own pages. @param host that the request was sent to */
  readonly isOwnOrigin: (origin: string, host: string) => Promise<boolean>;
}

/**
 * Finds out at which of the service's hosts a page is: that of the cloud, or one that an organization has and an
 * operator has looked at. Passkeys of one host are nothing at another.
 */
export class RelyingParties {
  readonly #options: RelyingPartiesOptions;

  constructor(options: RelyingPartiesOptions) {
    this.#options = options;
  }

  /** Of the page that sent a request; the cloud's own for every other page and for programs, which name none. */
  async of({ headers: { origin }, host }: RequestOrigin): Promise<RelyingParty> {
    const { cloudUrl, isOwnOrigin } = this.#options;
    const isOwn = origin !== undefined && (await isOwnOrigin(origin, host));
    return relyingPartyAt(isOwn ? origin : cloudUrl());
  }
}

export function relyingPartyAt(url: string): RelyingParty {
  const { hostname, origin } = new URL(url);
  return { id: hostname, origin, name: SERVICE_NAME };
}
