import { Forbidden, UnsupportedMediaType } from '@heliograph/kit';
import type { FastifyRequest } from 'fastify';
import type { Database } from '../db/open.ts';
import { organizationOfHost } from '../organizations/organizations/roles.ts';
import type { Platform } from '../platform.ts';

export type PageRequest = Pick<FastifyRequest, 'method' | 'headers' | 'host'>;

/** The types that a form can send; scripts of other pages can send no other without asking first. */
const FORM_TYPES = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)\b/i;

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/;

/**
 * Distinguishes requests of the service's own pages from those that other pages make a browser send (CSRF): both carry
 * the session cookie.
 *
 * Every browser sends the origin of a request that changes data. Most add the relation of page and server (Fetch
 * Metadata), which separates sites of the same domain even where the origin is hidden.
 *
 * @throws Forbidden; UnsupportedMediaType for what a form can send
 */
export async function requireOwnPage(
  platform: Platform,
  { method, headers, host }: PageRequest,
): Promise<void> {
  const { origin, 'sec-fetch-site': relation = 'same-origin', 'content-type': type = '' } = headers;
  const isRead = method === 'GET' || method === 'HEAD';
  const isOwn = origin === undefined ? isRead : await isOwnOrigin(platform, origin, host);
  if (!isOwn || relation !== 'same-origin') throw new Forbidden('Only the pages of this service may do this');
  if (FORM_TYPES.test(type)) {
    throw new UnsupportedMediaType('The body must be JSON, with Content-Type: application/json');
  }
}

/** Whether an origin is of pages of the service. @param host that the request was sent to */
export async function isOwnOrigin(
  { db, cloudUrl }: Platform,
  origin: string,
  host: string,
): Promise<boolean> {
  if (origin === new URL(cloudUrl()).origin) return true;
  // On the machine itself people may type another of its names than the one that is configured.
  if (LOOPBACK.test(host) && origin === `http://${host}`) return true;
  // Links in mails lead to such a host with TLS alone.
  return origin === `https://${host.toLowerCase()}` && (await isPortalHost(db, host));
}

/** Whether a host, without its port, has pages of the service. */
export async function isOwnHost({ db, cloudUrl }: Platform, host: string): Promise<boolean> {
  return host === new URL(cloudUrl()).hostname || LOOPBACK.test(host) || (await isPortalHost(db, host));
}

/** Whether a host is the vetted one of an organization. */
async function isPortalHost(db: Database, host: string): Promise<boolean> {
  return (await organizationOfHost(db, host)) !== null;
}
