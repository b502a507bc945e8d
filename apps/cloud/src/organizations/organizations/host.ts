import { domainToASCII } from 'node:url';
import { foldAscii } from '@heliograph/contracts/folded-text';
import type { Database } from '../../db/open.ts';

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const MAX_HOST_LENGTH = 253;
const HTTPS_PORT = 443;

/**
 * Reads a host as browsers write it in an origin: in lower case, international names in ASCII, the port only where
 * it is not that of HTTPS.
 *
 * @returns undefined when it is no host name with or without a port
 */
export function readHost(text: string): string | undefined {
  const [, name = '', port] = /^([^:/@?#\s]+)(?::(\d{1,5}))?$/.exec(text.trim()) ?? [];
  const host = domainToASCII(name).toLowerCase();
  if (host.length > MAX_HOST_LENGTH || !host.split('.').every((label) => LABEL.test(label))) return undefined;
  if (port === undefined || Number(port) === HTTPS_PORT) return host;
  return Number(port) >= 1 && Number(port) <= 65_535 ? `${host}:${Number(port)}` : undefined;
}

/** The organization that a vetted host belongs to, of the pages there; null for other hosts. @param host as in requests */
export async function organizationOfHost(db: Database, host: string): Promise<number | null> {
  const organization = await db
    .selectFrom('organizations')
    .select('id')
    .where('cloud_host', '=', foldAscii(readHost(host) ?? ''))
    .where('cloud_host_vetted', '=', true)
    .executeTakeFirst();
  return organization?.id ?? null;
}
