/** A site's name, which is one label of a host name (RFC 1123 section 2.1). */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Recognizes the hosts of sites, `{name}.{region domain}`. */
export class SiteHosts {
  readonly #suffix: string;
  readonly #ownHost: string;

  /**
   * @param regionDomain with or without a port
   * @param ownHost host, or host:port, of the proxy, which may look like that of a site and is none
   */
  constructor(regionDomain: string, ownHost: string) {
    this.#suffix = `.${hostname(regionDomain)}`;
    this.#ownHost = hostname(ownHost);
  }

  /** @param host as the client wrote it, with or without a port. @returns the name of the site, in lower case */
  nameIn(host: string): string | undefined {
    const requested = hostname(host);
    if (!requested.endsWith(this.#suffix) || requested === this.#ownHost) return undefined;
    const label = requested.slice(0, -this.#suffix.length);
    return LABEL.test(label) ? label : undefined;
  }
}

/** Without the port, and without the dot that a complete name may end with. */
function hostname(host: string): string {
  return host.toLowerCase().replace(/\.?(?::\d*)?$/, '');
}
