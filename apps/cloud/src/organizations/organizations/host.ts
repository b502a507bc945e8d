import { domainToASCII } from 'node:url';

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
