/** A hostname label: 1 to 63 letters, digits and hyphens, no hyphen at either end (RFC 1123, 2.1). */
const HOSTNAME_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** The rule, as it completes "name ...". */
export const SITE_NAME_RULE =
  'must be a hostname label: letters, digits and hyphens, at most 63, no hyphen at the ends';

/** Whether a site may have this name, which is also its hostname on the proxy. */
export function isSiteName(name: string): boolean {
  return HOSTNAME_LABEL.test(name);
}
