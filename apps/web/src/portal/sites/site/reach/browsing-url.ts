import type { SiteAuthorization } from '@heliograph/client';

/**
 * Leads a browser to a site's own host and lets it in there.
 *
 * @param siteUrl where the site can be browsed, which has the scheme and the port
 */
export function browsingUrl(
  siteUrl: string,
  { token, site_key: key }: Pick<SiteAuthorization, 'token' | 'site_key'>,
): string {
  const url = new URL('/callback', siteUrl);
  url.search = new URLSearchParams({ token, key }).toString();
  return url.href;
}
