/** A label of a host name: 1 to 63 letters, digits and hyphens, no hyphen at either end (RFC 1123, 2.1). */
const HOSTNAME_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Whether a site may have this name, which is also its host name. The cloud decides; this saves asking it. */
export function isSiteName(name: string): boolean {
  return HOSTNAME_LABEL.test(name);
}

/** The address of the site under another name. @param url the current address */
export function renamedAddress(url: string, name: string): string {
  const { protocol, host } = new URL(url);
  return `${protocol}//${[name.toLowerCase(), ...host.split('.').slice(1)].join('.')}`;
}
