import { isIP } from 'node:net';
import { type AddressList, canonicalAddress } from '@heliograph/kit';

/** More proxies than this in a row are not believed. */
const MAX_HOPS = 16;

/** A name or an address, with an optional port. */
const HOST = /^(?:[\w.-]+|\[[\da-fA-F:.]+\])(?::\d{1,5})?$/;

/**
 * The client's address according to trusted proxies, each of which appended its peer: the last address
 * that is not one of theirs. Earlier entries may be forged.
 *
 * @param peer a trusted proxy: what is left when nothing else can be believed
 */
export function forwardedFor(header: string | undefined, peer: string, trusted: AddressList): string {
  let nearest = peer;
  let end = header?.length ?? 0;
  for (let hops = 0; header !== undefined && end > 0 && hops < MAX_HOPS; hops++) {
    const comma = header.lastIndexOf(',', end - 1);
    const address = addressIn(header.slice(comma + 1, end).trim());
    if (address === undefined) return nearest;
    if (!trusted.has(address)) return address;
    nearest = address;
    end = comma;
  }
  return nearest;
}

/** The last word on a scheme, if it is one. */
export function forwardedScheme(header: string | undefined): 'http' | 'https' | undefined {
  const word = lastOf(header)?.toLowerCase();
  return word === 'http' || word === 'https' ? word : undefined;
}

/** The last word on a host, if it is one. */
export function forwardedHost(header: string | undefined): string | undefined {
  const word = lastOf(header);
  return word !== undefined && HOST.test(word) ? word : undefined;
}

function lastOf(header: string | undefined): string | undefined {
  return header?.slice(header.lastIndexOf(',') + 1).trim();
}

/** An address with or without a port: `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]:80`. */
function addressIn(text: string): string | undefined {
  if (isIP(text) !== 0) return canonicalAddress(text);
  const [, bracketed, plain] = /^(?:\[([\da-fA-F:.]+)\]|([\d.]+))(?::\d{1,5})?$/.exec(text) ?? [];
  return canonicalAddress(bracketed ?? plain ?? '');
}
