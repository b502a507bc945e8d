import { isIP } from 'node:net';
import { canonicalAddress } from '@heliograph/kit';

/** The longest header of version 2, in bytes: its addresses take 52, the rest is optional fields. */
export const MAX_HEADER_BYTES = 2_048;
/** The longest line of version 1, in bytes, with its end. */
const MAX_LINE_BYTES = 107;

/** A header of the PROXY protocol. */
export interface ProxyHeader {
  /** Of the client; undefined: the connection is the balancer's own, such as a health check. */
  readonly address: string | undefined;
  /** Whether the client spoke TLS to the balancer; undefined: the header does not say. */
  readonly isTls: boolean | undefined;
  /** Whether client and balancer agreed on HTTP/2 (ALPN). */
  readonly isHttp2: boolean;
  /** Length of the header in bytes; what follows is the client's. */
  readonly length: number;
}

/** @throws what is no header of the PROXY protocol */
export class ProxyHeaderFault extends Error {
  override readonly name = 'ProxyHeaderFault';
}

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');
const LINE_START = Buffer.from('PROXY ', 'latin1');
const FIXED_BYTES = 16;

const COMMAND_LOCAL = 0;
const COMMAND_PROXY = 1;
const UNSPECIFIED = 0x00;
const TCP_ON_IPV4 = 0x11;
const TCP_ON_IPV6 = 0x21;
/** Bytes of both addresses and both ports. */
const IPV4_BYTES = 12;
const IPV6_BYTES = 36;
const FIELD_ALPN = 0x01;
const FIELD_SSL = 0x20;
const CLIENT_SSL = 0x01;
const ALPN_HTTP2 = Buffer.from('h2', 'latin1');

/** Of a header without fields. */
const NO_FIELDS = { isTls: undefined, isHttp2: false };

/**
 * Decodes the header that a load balancer sends before the bytes of a client, by the specification of HAProxy
 * (doc/proxy-protocol.txt), versions 1 and 2.
 *
 * @param bytes all that came so far
 * @returns undefined while the header is incomplete
 * @throws ProxyHeaderFault as soon as it can be no header
 */
export function decodeProxyHeader(bytes: Buffer): ProxyHeader | undefined {
  if (beginsLike(bytes, SIGNATURE)) return bytes.length < FIXED_BYTES ? undefined : decodeVersion2(bytes);
  if (beginsLike(bytes, LINE_START)) return decodeVersion1(bytes);
  throw new ProxyHeaderFault('no header of the PROXY protocol');
}

function beginsLike(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length);
  return bytes.compare(start, 0, length, 0, length) === 0;
}

/**
 * Version 2, multi-byte numbers in network order:
 *
 *     signature (12) | version = 2 (4 bits) | command (4 bits) | family (4 bits) | transport (4 bits)
 *     | length of the rest (2) | source address | destination address | source port (2) | destination port (2)
 *     | fields, each: type (1) | length (2) | value
 */
function decodeVersion2(bytes: Buffer): ProxyHeader | undefined {
  const version = bytes.readUInt8(12) >> 4;
  const command = bytes.readUInt8(12) & 0x0f;
  const transport = bytes.readUInt8(13);
  const length = FIXED_BYTES + bytes.readUInt16BE(14);
  if (version !== 2) throw new ProxyHeaderFault(`version ${version} of the PROXY protocol`);
  if (command !== COMMAND_LOCAL && command !== COMMAND_PROXY) {
    throw new ProxyHeaderFault(`unknown command ${command}`);
  }
  if (length > MAX_HEADER_BYTES) throw new ProxyHeaderFault(`a header of ${length} bytes`);
  if (bytes.length < length) return undefined;
  if (command === COMMAND_LOCAL || transport === UNSPECIFIED) {
    return { address: undefined, ...NO_FIELDS, length };
  }
  const rest = bytes.subarray(FIXED_BYTES, length);
  if (transport === TCP_ON_IPV4 && rest.length >= IPV4_BYTES) {
    return { address: rest.subarray(0, 4).join('.'), ...fieldsIn(rest.subarray(IPV4_BYTES)), length };
  }
  if (transport === TCP_ON_IPV6 && rest.length >= IPV6_BYTES) {
    return { address: ipv6Of(rest.subarray(0, 16)), ...fieldsIn(rest.subarray(IPV6_BYTES)), length };
  }
  throw new ProxyHeaderFault('a header without the addresses of a TCP connection');
}

/** @param bytes 16 bytes */
function ipv6Of(bytes: Buffer): string | undefined {
  return canonicalAddress(bytes.toString('hex').replace(/(.{4})(?!$)/g, '$1:'));
}

/** Reads the fields behind the addresses. The first byte of the SSL field's value has a bit for a client with TLS. */
function fieldsIn(fields: Buffer): Pick<ProxyHeader, 'isTls' | 'isHttp2'> {
  let isTls: boolean | undefined;
  let isHttp2 = false;
  for (let at = 0; at < fields.length; ) {
    const end = at + 3 <= fields.length ? at + 3 + fields.readUInt16BE(at + 1) : Number.POSITIVE_INFINITY;
    if (end > fields.length) throw new ProxyHeaderFault('a field that is longer than the header');
    const value = fields.subarray(at + 3, end);
    if (fields[at] === FIELD_SSL && value.length > 0) isTls = ((value[0] ?? 0) & CLIENT_SSL) !== 0;
    else if (fields[at] === FIELD_ALPN) isHttp2 = value.equals(ALPN_HTTP2);
    at = end;
  }
  return { isTls, isHttp2 };
}

/** Version 1 is a line: `PROXY TCP4 192.0.2.1 198.51.100.1 56324 443`, or `PROXY UNKNOWN` with anything behind it. */
function decodeVersion1(bytes: Buffer): ProxyHeader | undefined {
  const end = bytes.indexOf('\r\n', 0, 'latin1');
  if (end < 0 && bytes.length < MAX_LINE_BYTES) return undefined;
  if (end < 0 || end + 2 > MAX_LINE_BYTES) throw new ProxyHeaderFault('a line that is too long');
  const parts = bytes.toString('latin1', 0, end).split(' ');
  const [, family = '', source = '', target = '', ...ports] = parts;
  const length = end + 2;
  if (family === 'UNKNOWN') return { address: undefined, ...NO_FIELDS, length };
  const version = { TCP4: 4, TCP6: 6 }[family];
  if (version === undefined || isIP(source) !== version || isIP(target) !== version || !arePorts(ports)) {
    throw new ProxyHeaderFault('a line without the addresses of a TCP connection');
  }
  const address = canonicalAddress(source);
  if (address === undefined) throw new ProxyHeaderFault('an address with a zone');
  return { address, ...NO_FIELDS, length };
}

function arePorts(texts: readonly string[]): boolean {
  return texts.length === 2 && texts.every((text) => /^\d{1,5}$/.test(text) && Number(text) <= 0xffff);
}
