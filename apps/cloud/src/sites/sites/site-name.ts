import { ValidationError } from '@heliograph/kit';
import { isUniqueViolation } from '../../db/failures.ts';
import type { Database } from '../../db/open.ts';

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
function isReservedName(name: string): boolean {
  return RESERVED.has(name.toLowerCase());
}

/** A hostname label: 1 to 63 letters, digits and hyphens, no hyphen at either end (RFC 1123, 2.1). */
const HOSTNAME_LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;

/** Continues "name ..." in the error. */
const SITE_NAME_RULE =
  'must be a hostname label: letters, digits and hyphens, at most 63, no hyphen at the ends';

/** The name of a site is also its hostname on the proxy. @param present a site keeps its own. @throws ValidationError */
export function requireSiteName(name: string, present: string | null): void {
  if (!HOSTNAME_LABEL.test(name)) throw new ValidationError({ name: [SITE_NAME_RULE] });
  if (isReservedName(name) && name.toLowerCase() !== present?.toLowerCase())
    throw new ValidationError({ name: ['is reserved for the service, choose another'] });
}

/** Runs a change in a transaction. @throws ValidationError when it names a site as another one in the same region */
export async function withUniqueName<T>(db: Database, change: (tx: Database) => Promise<T>): Promise<T> {
  try {
    return await db.transaction().execute(change);
  } catch (error) {
    if (isUniqueViolation(error, 'sites_hostname')) throw new ValidationError({ name: ['is already taken'] });
    throw error;
  }
}
