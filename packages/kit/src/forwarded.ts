import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';
import type { AddressList } from './address-list.ts';
import { canonicalAddress } from './client-address.ts';

/** The origin of a request according to trusted proxies. */
export interface ForwardedClient {
  readonly address: string;
  /** Undefined: no proxy named a valid one. */
  readonly scheme?: 'http' | 'https' | undefined;
  /** With an optional port; undefined: no proxy named a valid one. */
  readonly host?: string | undefined;
}

/** More proxies than this in a row are not believed. */
const MAX_HOPS = 16;

/** A name or an address, with an optional port. */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;

/** An address in brackets or of IPv4, with an optional port, which may be obfuscated (RFC 7239, 6). */
const NODE = /^(?:\[([\da-fA-F:.]+)\]|([\d.]+))(?::(?:\d{1,5}|_[\w.-]+))?$/;

/** A parameter of `Forwarded`, also with an address that should be quoted and is not. */
const PARAMETER = /\s*([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s";,]+))\s*(?:;|$)/y;

/**
 * Reads the headers of a trusted proxy. Each proxy appends its peer, so the client is the last address that is not a
 * trusted proxy's; earlier entries may be forged. Scheme and host are the last ones. `Forwarded` (RFC 7239) counts in
 * requests without `X-Forwarded-For`, `-Proto` and `-Host` alone: most proxies write these, and pass on a client's `Forwarded`.
 *
 * @param peer the trusted proxy: the client's address when nothing else can be believed
 */
export function forwardedClient(
  headers: IncomingHttpHeaders,
  peer: string,
  trusted: AddressList,
): ForwardedClient {
  const addresses = textOf(headers['x-forwarded-for']);
  const scheme = textOf(headers['x-forwarded-proto']);
  const host = textOf(headers['x-forwarded-host']);
  if (addresses === undefined && scheme === undefined && host === undefined) {
    return standardClient(textOf(headers.forwarded), peer, trusted);
  }
  return {
    address: nearestUntrusted(mapped(fromLast(addresses), unquoted), peer, trusted),
    scheme: schemeIn(lastOf(scheme)),
    host: hostIn(lastOf(host)),
  };
}

/** The address of a connection's other end: IPv4 as such also on a socket for both families, a zone as it is. */
export function peerAddress(remote: string | undefined): string {
  return canonicalAddress(remote ?? '') ?? remote ?? 'unknown';
}

/** The client that a header as in RFC 7239 names. */
function standardClient(header: string | undefined, peer: string, trusted: AddressList): ForwardedClient {
  const last = parametersOf(lastOf(header) ?? '');
  return {
    address: nearestUntrusted(
      mapped(fromLast(header), (element) => parametersOf(element).get('for')),
      peer,
      trusted,
    ),
    scheme: schemeIn(last.get('proto')),
    host: hostIn(last.get('host')),
  };
}

/** @param nodes that proxies appended, the last one first; undefined: unreadable, which ends the trust */
function nearestUntrusted(nodes: Iterable<string | undefined>, peer: string, trusted: AddressList): string {
  let nearest = peer;
  let hops = 0;
  for (const node of nodes) {
    const address = hops++ < MAX_HOPS && node !== undefined ? addressIn(node) : undefined;
    if (address === undefined) return nearest;
    if (!trusted.has(address)) return address;
    nearest = address;
  }
  return nearest;
}

/**
 * The elements of a list, the last one first. Reads backwards, so that a quote that a client left open cannot hide
 * what a proxy appended.
 */
function* fromLast(header: string | undefined): Generator<string> {
  if (header === undefined) return;
  let end = header.length;
  let quoted = false;
  for (let at = end - 1; at >= 0; at--) {
    if (header[at] === '"' && header[at - 1] !== '\\') quoted = !quoted;
    if (header[at] !== ',' || quoted) continue;
    yield header.slice(at + 1, end).trim();
    end = at;
  }
  yield header.slice(0, end).trim();
}

function lastOf(header: string | undefined): string | undefined {
  const [last] = fromLast(header);
  return last;
}

function* mapped<T>(elements: Iterable<string>, change: (element: string) => T): Generator<T> {
  for (const element of elements) yield change(element);
}

/** The parameters of an element with names in lower case; none where the element is not valid. */
function parametersOf(element: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  PARAMETER.lastIndex = 0;
  while (PARAMETER.lastIndex < element.length) {
    const [, name, quoted, plain = ''] = PARAMETER.exec(element) ?? [];
    if (name === undefined || found.has(name.toLowerCase())) return new Map();
    found.set(name.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain);
  }
  return found;
}

/** An address with or without a port, or with a zone, which it loses: `192.0.2.1:80`, `[2001:db8::1]:80`, `fe80::1%eth0`. */
function addressIn(text: string): string | undefined {
  if (isIP(text) !== 0) return canonicalAddress(text.replace(/%.*/, ''));
  const [, bracketed, plain] = NODE.exec(text) ?? [];
  return canonicalAddress(bracketed ?? plain ?? '');
}

function schemeIn(text: string | undefined): 'http' | 'https' | undefined {
  const scheme = text?.toLowerCase();
  return scheme === 'http' || scheme === 'https' ? scheme : undefined;
}

function hostIn(text: string | undefined): string | undefined {
  return text !== undefined && HOST.test(text) ? text : undefined;
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, '$1');
}

function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(',');
}
