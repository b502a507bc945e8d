/**
 * Names that a visitor takes for the service's own, and that mail programs, browsers and certificate authorities look for
 * below a domain (RFC 2142; RFC 6761 for localhost).
 */
const RESERVED: ReadonlySet<string> = new Set(
  `abuse account accounts admin administrator api app apps assets auth autoconfig autodiscover billing
  broadcasthost callback cdn cloud confirm console dashboard dns docs download downloads ftp gateway help
  hostmaster imap isatap localdomain localhost login logout mail mcp metrics mx noc ns ns1 ns2 ns3 ns4 oauth
  password pop pop3 portal postmaster proxy register root secure security sign-in sign-up signin signup sites smtp
  ssl sso staging static status support sysadmin system tunnel usenet uucp webmail webmaster websocket wpad www
  www1 www2 wwww`
    .split(/\s+/)
    .filter((name) => name !== ''),
);

/** Whether no site may have the name, in whatever case. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(name.toLowerCase());
}
