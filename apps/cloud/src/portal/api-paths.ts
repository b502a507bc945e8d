/** Below it the pages of the portal find the API. */
const PORTAL_API = '/portal/api/v1/';

/**
 * Whether a request was sent to the API of the portal.
 *
 * @param url as it was sent; what spells the path otherwise is not ours, and no route has it
 */
export function isPortalApi(url: string): boolean {
  return url.startsWith(PORTAL_API);
}

/** The path that is served: that of the operation, for the API of the portal. */
export function servedUrl(url: string): string {
  return isPortalApi(url) ? url.slice('/portal'.length) : url;
}
