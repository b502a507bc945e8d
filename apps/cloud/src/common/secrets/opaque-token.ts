import { createHash, randomBytes } from 'node:crypto';

/** Prefixes by which people and secret scanners recognise a leaked token. */
export const TOKEN_PREFIXES = {
  api: 'hga_',
  session: 'hgs_',
  oauth: 'hgo_',
  mcp: 'hgm_',
  /** Tokens that are used once. */
  once: 'hg1_',
  /** Secrets of applications. */
  client: 'hgc_',
  /** Credentials of proxies. */
  proxy: 'hgp_',
} as const;

/** The kinds of bearer tokens. */
export type TokenKind = Exclude<keyof typeof TOKEN_PREFIXES, 'once' | 'client' | 'proxy'>;

/** A new token: its kind's prefix and 256 random bits in base64url. */
export function newToken(kind: keyof typeof TOKEN_PREFIXES): string {
  return TOKEN_PREFIXES[kind] + randomBytes(32).toString('base64url');
}

/** The digest that is stored. A token has too many bits to guess, so that a plain digest is enough. */
export function tokenHash(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
