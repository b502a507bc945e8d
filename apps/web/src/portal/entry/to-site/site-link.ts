/** What hostnames and names of regions are made of: the search knows more signs, which must not come from a link. */
const NAME = /^[a-z0-9-]{1,63}$/i;

/** Where a link leads that a site sends its visitors here with. */
export interface SiteLink {
  readonly site: string;
  /** Empty where the link does not say. */
  readonly region: string;
  /** A path at the site. */
  readonly returnTo: string;
}

/** @param query of the link @returns undefined when it names no site */
export function siteLink(site: string, query: URLSearchParams): SiteLink | undefined {
  const region = query.get('region') ?? '';
  if (!NAME.test(site) || !(region === '' || NAME.test(region))) return undefined;
  const wanted = query.get('return_to') ?? '';
  // What browsers take for another host is no path on the site, which looks at this once more.
  return { site, region, returnTo: /^\/(?![/\\])/.test(wanted) ? wanted : '/' };
}

export interface SiteCredentials {
  /** Where the site's own pages are, with the port where it is not the usual one. */
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

/** Only on the machine itself, where nobody can listen in, sites are served without TLS. */
function schemeFor(host: string): 'http' | 'https' {
  const { hostname } = new URL(`http://${host}`);
  const isLoopback =
    hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname) || /(^|\.)localhost$/.test(hostname);
  return isLoopback ? 'http' : 'https';
}
