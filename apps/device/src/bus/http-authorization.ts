import { createHash, randomBytes } from 'node:crypto';
import type { HttpLogin } from './json-bus.ts';

/** Names of digest algorithms (RFC 7616, section 3.3) by Node's names of them. */
const HASHES: Readonly<Record<string, string>> = { 'SHA-256': 'sha256', MD5: 'md5' };

/** A request of the hardware, with status 401, for the digest of a password. */
export interface DigestChallenge {
  readonly realm: string;
  readonly nonce: string;
  readonly algorithm: 'SHA-256' | 'MD5';
  readonly opaque: string | undefined;
}

/** @param header `WWW-Authenticate` @returns undefined for any other scheme, algorithm or quality of protection */
export function digestChallenge(header: string): DigestChallenge | undefined {
  if (!/^Digest\s/i.test(header)) return undefined;
  const parameters = new Map(
    [...header.matchAll(/(?<![a-z])([a-z]+)=(?:"([^"\\]*)"|([^\s",]+))/gi)].map(
      ([, name = '', quoted, plain]) => [name.toLowerCase(), quoted ?? plain ?? ''],
    ),
  );
  const [realm, nonce, algorithm = 'MD5', qop = ''] = ['realm', 'nonce', 'algorithm', 'qop'].map((name) =>
    parameters.get(name),
  );
  const isKnown = algorithm === 'SHA-256' || algorithm === 'MD5';
  if (realm === undefined || nonce === undefined || !isKnown || !qop.split(/[\s,]+/).includes('auth'))
    return undefined;
  return { realm, nonce, algorithm, opaque: parameters.get('opaque') };
}

/** `Authorization` by RFC 7617. */
export function basicAuthorization({ username, password }: HttpLogin): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/**
 * `Authorization` of a GET by RFC 7616.
 *
 * @param count how many requests have used the challenge's nonce, this one included
 */
export function digestAuthorization(
  { realm, nonce, algorithm, opaque }: DigestChallenge,
  { username, password }: HttpLogin,
  path: string,
  count: number,
  clientNonce = randomBytes(16).toString('hex'),
): string {
  const hash = (text: string): string =>
    createHash(HASHES[algorithm] ?? '')
      .update(text)
      .digest('hex');
  const nc = count.toString(16).padStart(8, '0');
  const user = hash(`${username}:${realm}:${password}`);
  const response = hash(`${user}:${nonce}:${nc}:${clientNonce}:auth:${hash(`GET:${path}`)}`);
  const fields = [
    `username="${username}"`,
    `realm="${realm}"`,
    `nonce="${nonce}"`,
    `uri="${path}"`,
    `algorithm=${algorithm}`,
    `response="${response}"`,
    `qop=auth`,
    `nc=${nc}`,
    `cnonce="${clientNonce}"`,
    ...(opaque === undefined ? [] : [`opaque="${opaque}"`]),
  ];
  return `Digest ${fields.join(', ')}`;
}
