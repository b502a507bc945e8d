import { REQUEST_ID, requestTrace, TRACEPARENT, TRACESTATE, traceparentOf } from '@heliograph/kit';
import { FORWARDED_FOR_HEADER } from '@heliograph/wire';
import type { Credentials } from '../auth/credentials.ts';
import type { ClientAddress } from '../client-address/client-address.ts';
import { type ClientRequest, type ClientResponse, hostOf } from '../http/client.ts';
import { ANY_ORIGIN_RAW, isCorsHeader, isOpenToOrigins } from '../http/cors.ts';
import type { RequestHead } from '../links/upstream.ts';

/**
 * Headers that concern one connection and not the message (RFC 9110 section 7.6.1 and the older ones of
 * RFC 2616 section 13.5.1); they end at the proxy in both directions.
 */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
];

/** Forwarding headers of clients; only the proxy's own value reaches the device. */
const UNTRUSTED_FORWARDING_HEADERS = [
  FORWARDED_FOR_HEADER,
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-real-ip',
  'forwarded',
];

/** The request's context, which the proxy continues. */
const TRACE_CONTEXT = [TRACEPARENT, TRACESTATE];

/** They go again, from where the client put them, so the device finds them in one place. */
const CREDENTIALS = ['authorization', 'site-id', 'site-key'];

/** `host` goes apart from the others; `expect` is answered by the proxy. */
const DROPPED_FROM_REQUEST: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  ...UNTRUSTED_FORWARDING_HEADERS,
  ...CREDENTIALS,
  ...TRACE_CONTEXT,
  'host',
  'expect',
]);

/** The request's id is the proxy's word, as that of every answer. */
const DROPPED_FROM_RESPONSE: ReadonlySet<string> = new Set([...HOP_BY_HOP, REQUEST_ID]);

/**
 * Headers of a device's answer that are passed on at the proxy's own host, which all sites share: a browser would accept
 * cookies, policies and places to report to for all of them, and a program would follow a redirect to anywhere.
 */
const PASSED_AT_SHARED_HOST: ReadonlySet<string> = new Set([
  'allow',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'etag',
  'expires',
  'last-modified',
  'mcp-protocol-version',
  'mcp-session-id',
  'retry-after',
  'vary',
]);

/** A device's answer is data there, whatever it calls itself: it runs no script in the origin of all sites. */
const SHARED_HOST_RAW: readonly string[] = [
  'content-security-policy',
  "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options',
  'nosniff',
];

/** Syntax of `:authority` (RFC 3986 section 3.2, without user information). */
const AUTHORITY = /^[\w.~%!$&'()*+,;=:[\]-]*$/;

/** Facts about a request that the proxy adds to the client's own headers. */
export interface ForwardContext {
  readonly clientAddress: ClientAddress;
  readonly credentials: Credentials;
  /** Path and query at the device. */
  readonly path: string;
}

/**
 * The head of a client's request as its device gets it.
 *
 * @throws when the request's `host` is not one
 */
export function requestHead(req: ClientRequest, context: ForwardContext): RequestHead {
  const { headers } = req;
  const nominated = nominatedByConnection(headers.connection);
  const out = vouchedHeaders(req, context);
  for (const name in headers) {
    if (name.startsWith(':') || DROPPED_FROM_REQUEST.has(name) || nominated?.has(name)) continue;
    const value = headers[name];
    if (typeof value === 'string') out.push(name, value);
    else for (const one of value ?? []) out.push(name, one);
  }
  return headOf(req, req.method ?? 'GET', context, out);
}

/**
 * The head of a request for a WebSocket, without the parts of the handshake that concern one connection.
 *
 * @throws when the request's `host` is not one
 */
export function webSocketHead(req: ClientRequest, context: ForwardContext): RequestHead {
  const headers = vouchedHeaders(req, context);
  const protocol = req.headers['sec-websocket-protocol'];
  if (protocol !== undefined) headers.push('sec-websocket-protocol', protocol);
  return headOf(req, 'GET', context, headers);
}

function headOf(req: ClientRequest, method: string, context: ForwardContext, headers: string[]): RequestHead {
  const host = hostOf(req);
  if (!AUTHORITY.test(host)) throw new Error('the host is not one');
  return { method, path: context.path, scheme: context.clientAddress.scheme, host, headers };
}

/** Headers that the proxy vouches for. */
function vouchedHeaders(req: ClientRequest, { clientAddress, credentials }: ForwardContext): string[] {
  const trace = requestTrace(req);
  const out = [
    'authorization',
    `Bearer ${credentials.token}`,
    'site-id',
    credentials.siteId,
    'site-key',
    credentials.siteKey,
    FORWARDED_FOR_HEADER,
    clientAddress.address,
    TRACEPARENT,
    traceparentOf(trace),
  ];
  if (trace.state !== undefined) out.push(TRACESTATE, trace.state);
  return out;
}

/** The reader of a device's answer. */
export interface ResponseAudience {
  readonly requestId: string;
  /** Whether pages of every origin may read it, regardless of the device's CORS headers. */
  readonly openToOrigins: boolean;
  /** Whether it is a client at the host that all sites share; else one at the site's own host, or another proxy. */
  readonly atSharedHost: boolean;
}

/** @param res the answer at the host of a site chooses the headers itself, and so does the proxy that relays */
export function audienceOf(
  req: ClientRequest,
  res: ClientResponse,
  { relayedBy }: ClientAddress,
): ResponseAudience {
  const atSharedHost = relayedBy === undefined && res.filtersHeaders !== true;
  return { requestId: requestTrace(req).traceId, openToOrigins: isOpenToOrigins(req), atSharedHost };
}

/**
 * The client's headers of a device's answer, names and values by turns.
 *
 * @param raw the headers as they came, names in lower case and values by turns
 */
export function clientResponseHeaders(
  raw: readonly string[],
  status: number,
  { requestId, openToOrigins, atSharedHost }: ResponseAudience,
): string[] {
  const out: string[] = openToOrigins ? [REQUEST_ID, requestId, ...ANY_ORIGIN_RAW] : [REQUEST_ID, requestId];
  if (atSharedHost) out.push(...SHARED_HOST_RAW);
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = raw[i] ?? '';
    if (DROPPED_FROM_RESPONSE.has(name)) continue;
    if (status === 204 && name === 'content-length') continue;
    if (openToOrigins && isCorsHeader(name)) continue;
    if (atSharedHost && !PASSED_AT_SHARED_HOST.has(name)) continue;
    out.push(name, raw[i + 1] ?? '');
  }
  return out;
}

/** Header names that the client's `Connection` declares to be for this connection only. */
function nominatedByConnection(connection: string | undefined): ReadonlySet<string> | undefined {
  if (connection === undefined || /^(?:keep-alive|close)$/i.test(connection)) return undefined;
  return new Set(connection.split(',').map((name) => name.trim().toLowerCase()));
}
