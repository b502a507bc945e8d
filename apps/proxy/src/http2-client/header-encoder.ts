import { STATIC_TABLE } from './hpack-tables.ts';

/** A header cannot be sent over HTTP/2. */
export class UnsendableHeader extends Error {
  override readonly name = 'UnsendableHeader';
}

/** A token in lower case, or a pseudo header (RFC 9113 section 8.2.1). */
const NAME = /^:?[a-z0-9!#$%&'*+\-.^_`|~]+$/;
/** Characters that no value may contain: control characters, and those that are not a byte. */
const NOT_IN_VALUE = /[^\t\x20-\x7e\x80-\xff]/;
/** Fields whose values no table on the way may keep (RFC 7541 section 7.1.3). */
const SECRETS: ReadonlySet<string> = new Set(['authorization', 'cookie', 'site-key']);
/** So many names of clients' own headers are remembered with what they look like in a block. */
const MAX_KNOWN_NAMES = 500;

const INDEXED = new Map(STATIC_TABLE.map(([name, value], i) => [`${name}\n${value}`, i + 1]));
const NAME_INDEX = new Map([...STATIC_TABLE].map(([name], i) => [name, i + 1] as const).reverse());
/** The beginning of a literal field, up to its value, by name. */
const prefixes = new Map<string, string>();

/**
 * A header block of literals that no table keeps (RFC 7541), a character a byte. It needs no state, and what a client sends
 * cannot be found out from the length of another one's.
 *
 * @param headers names and values by turns, pseudo headers first
 * @throws UnsendableHeader
 */
export function encodeHeaders(headers: readonly string[]): string {
  let block = '';
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] ?? '';
    const value = headers[i + 1] ?? '';
    const index = name.charCodeAt(0) === 0x3a ? INDEXED.get(`${name}\n${value}`) : undefined;
    if (index !== undefined) block += String.fromCharCode(0x80 | index);
    else if (NOT_IN_VALUE.test(value)) throw new UnsendableHeader(`the value of ${name} cannot be sent`);
    else block += (prefixes.get(name) ?? prefixOf(name)) + integer(0, 7, value.length) + value;
  }
  return block;
}

function prefixOf(name: string): string {
  if (!NAME.test(name)) throw new UnsendableHeader(`${name} is not the name of a header`);
  const kind = SECRETS.has(name) ? 0x10 : 0;
  const index = NAME_INDEX.get(name) ?? 0;
  const prefix = integer(kind, 4, index) + (index > 0 ? '' : integer(0, 7, name.length) + name);
  if (prefixes.size < MAX_KNOWN_NAMES) prefixes.set(name, prefix);
  return prefix;
}

/** An integer behind the bits that say what it is (RFC 7541 section 5.1). */
function integer(kind: number, prefixBits: number, value: number): string {
  const limit = (1 << prefixBits) - 1;
  if (value < limit) return String.fromCharCode(kind | value);
  let out = String.fromCharCode(kind | limit);
  let rest = value - limit;
  for (; rest >= 0x80; rest >>>= 7) out += String.fromCharCode((rest & 0x7f) | 0x80);
  return out + String.fromCharCode(rest);
}
