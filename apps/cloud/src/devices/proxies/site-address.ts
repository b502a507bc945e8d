/** The address of a site in browsers. */
export interface SiteAddress {
  /** `<site>.<region domain>`, with the proxies' port. */
  readonly host: string;
  readonly url: string;
}

/** @returns undefined when the proxy announced no region domain */
export function siteAddress(
  siteName: string,
  proxy: { readonly regionDomain: string | null; readonly host: string; readonly url: string },
): SiteAddress | undefined {
  if (proxy.regionDomain === null) return undefined;
  const { port } = new URL(`http://${proxy.host}`);
  const host = `${siteName.toLowerCase()}.${proxy.regionDomain}${port === '' ? '' : `:${port}`}`;
  return { host, url: `${new URL(proxy.url).protocol}//${host}` };
}
