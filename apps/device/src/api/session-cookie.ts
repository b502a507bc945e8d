import type { IncomingHttpHeaders } from 'node:http';
import type { Origin } from '../auth/caller.ts';
import type { Credentials } from '../auth/credentials.ts';
import { PAGE_SESSION_S } from '../auth/page-sessions.ts';
import { cannotBeRebound, isSameOrigin } from './own-page.ts';

const NAME = 'heliograph_device';

/** Methods that change nothing, with which browsers do not say where a page of the same origin comes from. */
const READS = new Set(['GET', 'HEAD']);

/** The parts of a request that decide whether the browser's cookie counts. */
export interface PageRequest {
  readonly headers: IncomingHttpHeaders;
  /** `Upgrade` for a WebSocket, with which browsers always say where the page comes from. */
  readonly method: string;
  readonly via: Origin['via'];
}

/**
 * The session of a browser that shows this device's own pages, on the network of the home. The cookie counts for
 * requests of these pages alone: browsers add it to those of any page. A read without an origin is one of our own,
 * or one whose page cannot see the answer; changes and WebSockets must name theirs.
 */
export function sessionOf({ headers, method, via }: PageRequest): Credentials | undefined {
  const token = via === 'lan' ? tokenIn(headers.cookie) : undefined;
  if (token === undefined || !isSameOrigin(headers) || !cannotBeRebound(headers.host ?? '')) return undefined;
  if (headers.origin === undefined && !READS.has(method)) return undefined;
  return { kind: 'session', token };
}

/** The session that a browser has, whichever page asks. */
export function tokenIn(cookies: string | undefined): string | undefined {
  for (const cookie of cookies?.split(';') ?? []) {
    const [name, value] = cookie.split('=');
    if (name?.trim() === NAME && value !== undefined) return value.trim();
  }
  return undefined;
}

/** `Set-Cookie` that signs a browser in. */
export function sessionCookie(token: string, headers: IncomingHttpHeaders): string {
  return cookie(token, PAGE_SESSION_S, headers);
}

/** `Set-Cookie` that makes the browser forget. */
export function forgetCookie(headers: IncomingHttpHeaders): string {
  return cookie('', 0, headers);
}

/** A device speaks plain HTTP; where a server before it adds TLS, the page's origin is https. */
function cookie(value: string, maxAgeS: number, { origin }: IncomingHttpHeaders): string {
  const secure = origin?.startsWith('https://') === true ? '; Secure' : '';
  return `${NAME}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Strict${secure}`;
}
