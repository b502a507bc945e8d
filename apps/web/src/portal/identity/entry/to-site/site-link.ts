/**
 * The characters of host names and of names of regions: the search has further operators, which must not come from a
 * link.
 */
const NAME = /^[a-z0-9-]{1,63}$/i;

/** The target of a link with which a site sends its visitors here. */
export interface SiteLink {
  readonly site: string;
  /** Empty where the link does not say. */
  readonly region: string;
  /** A path at the site. */
  readonly returnTo: string;
  /** Whether the visitor is there in a support recovery session, and wants no other access. */
  readonly isRecovery: boolean;
}

/** @param query of the link @returns undefined when it names no site */
export function siteLink(site: string, query: URLSearchParams): SiteLink | undefined {
  const region = query.get('region') ?? '';
  if (!NAME.test(site) || !(region === '' || NAME.test(region))) return undefined;
  const wanted = query.get('return_to') ?? '';
  // Browsers read `//` and `/\` as another host. The site checks the path again.
  const returnTo = /^\/(?![/\\])/.test(wanted) ? wanted : '/';
  return { site, region, returnTo, isRecovery: query.get('roles') === 'recovery' };
}

export interface SiteCredentials {
  /** The host of the site's own pages, with the port where it is not the default. */
  readonly host: string;
  readonly token: string;
  readonly key: string;
}

/** The address at the site that signs a browser in. */
export function callbackUrl({ host, token, key }: SiteCredentials, returnTo: string): string {
  const address = new URL(`${schemeFor(host)}://${host}/callback`);
  address.search = new URLSearchParams({ token, key, return_to: returnTo }).toString();
  return address.href;
}

/** Sites are served without TLS on loopback addresses alone. */
function schemeFor(host: string): 'http' | 'https' {
  const { hostname } = new URL(`http://${host}`);
  const isLoopback =
    hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname) || /(^|\.)localhost$/.test(hostname);
  return isLoopback ? 'http' : 'https';
}
