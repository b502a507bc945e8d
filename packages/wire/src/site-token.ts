import { randomUUID } from 'node:crypto';
import { CompactSign, compactVerify } from 'jose';
import { InvalidToken } from './invalid-token.ts';
import { type KeySource, keyFor } from './jwks.ts';
import { SIGNATURE_ALGORITHM, type SigningKey } from './signing-key.ts';

/** How long a site token is good for, in milliseconds. */
export const SITE_TOKEN_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

export type SiteAccess = 'read' | 'write';

export interface SiteTokenClaims {
  readonly siteId: number;
  readonly userId: number;
  /** Whether the holder may change settings of the hardware. */
  readonly access: SiteAccess;
  /** Whether the holder may change the device's configuration. */
  readonly mayConfigure: boolean;
  /**
   * The credential that the token was issued for: `token:<id>` for a session or an API token, `grant:<id>` for the grant of
   * a third party. Null in tokens of an earlier release and in those for the cloud's own calls.
   */
  readonly source: string | null;
  /** Digest of the site key that must accompany the token. */
  readonly keyDigest: string;
  readonly id: string;
  /** Milliseconds since the epoch, in whole seconds. */
  readonly issuedAt: number;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
  /** The key that signed the token (`kid`); the token is good no longer than it is. */
  readonly signedBy: string;
}

/** The claims as they stand in the token. `exp` is ISO 8601, which existing clients decode as a string. */
interface Payload {
  readonly aud: 'site';
  readonly sub: string;
  readonly site: number;
  readonly access: SiteAccess;
  readonly configure?: true;
  readonly src?: string;
  readonly key: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: string;
}

/** The claims to sign. Without the optional ones the holder may not configure, and the token has no source. */
export type SiteTokenGrant = Pick<SiteTokenClaims, 'siteId' | 'userId' | 'access' | 'keyDigest'> &
  Partial<Pick<SiteTokenClaims, 'mayConfigure' | 'source' | 'issuedAt' | 'expiresAt'>>;

/** @param claims `issuedAt` only where it is not now, `expiresAt` only where it is sooner than in seven days */
export async function signSiteToken(key: SigningKey, claims: SiteTokenGrant, nowMs: number): Promise<string> {
  const payload: Payload = {
    aud: 'site',
    sub: String(claims.userId),
    site: claims.siteId,
    access: claims.access,
    ...(claims.mayConfigure === true && { configure: true }),
    ...(claims.source != null && { src: claims.source }),
    key: claims.keyDigest,
    jti: randomUUID(),
    iat: Math.floor((claims.issuedAt ?? nowMs) / 1000),
    exp: new Date(
      Math.min(nowMs + SITE_TOKEN_LIFETIME_MS, claims.expiresAt ?? Number.POSITIVE_INFINITY),
    ).toISOString(),
  };
  return new CompactSign(new TextEncoder().encode(JSON.stringify(payload)))
    .setProtectedHeader({ alg: SIGNATURE_ALGORITHM, kid: key.kid, typ: 'JWT' })
    .sign(key.privateKey);
}

/** A site token that was good until it expired. */
export class SiteTokenExpired extends InvalidToken {}

/** How many verified tokens are remembered; beyond it the oldest is verified again when it comes. */
const MAX_CACHED_TOKENS = 10_000;

/**
 * Verifies site tokens without asking anyone; a signature is checked once, and remembered until the token expires or
 * its key is withdrawn.
 */
export class SiteTokenVerifier {
  readonly #keys: KeySource;
  readonly #now: () => number;
  readonly #verified = new Map<string, SiteTokenClaims>();

  constructor(keys: KeySource, now: () => number = Date.now) {
    this.#keys = keys;
    this.#now = now;
  }

  /**
   * @throws SiteTokenExpired; InvalidToken for every other fault, with the reason, which is for the log and not for the
   * caller of an API
   */
  async verify(token: string): Promise<SiteTokenClaims> {
    const known = this.cached(token);
    if (known !== undefined) return known;
    const claims = await this.#claims(token);
    if (claims.expiresAt <= this.#now()) throw new SiteTokenExpired('site token expired');
    if (this.#verified.size >= MAX_CACHED_TOKENS) {
      const [oldest] = this.#verified.keys();
      if (oldest !== undefined) this.#verified.delete(oldest);
    }
    this.#verified.set(token, claims);
    return claims;
  }

  /** The claims of a token that was verified before and is still good; answers at once, for hot paths. */
  cached(token: string): SiteTokenClaims | undefined {
    const claims = this.#verified.get(token);
    if (claims === undefined || this.isValid(claims)) return claims;
    this.#verified.delete(token);
    return undefined;
  }

  /** Whether a token with these claims, verified before, would be good now; answers at once, for long connections. */
  isValid({ expiresAt, signedBy }: SiteTokenClaims): boolean {
    return expiresAt > this.#now() && this.#keys.has(signedBy);
  }

  async #claims(token: string): Promise<SiteTokenClaims> {
    try {
      const { payload, protectedHeader } = await compactVerify(token, ({ kid }) => keyFor(this.#keys, kid), {
        algorithms: [SIGNATURE_ALGORITHM],
      });
      return claimsOf(JSON.parse(new TextDecoder().decode(payload)), protectedHeader.kid ?? '');
    } catch (error) {
      throw error instanceof InvalidToken
        ? error
        : new InvalidToken('not a valid site token', { cause: error });
    }
  }
}

function claimsOf(payload: unknown, signedBy: string): SiteTokenClaims {
  const p = payload as Partial<Record<keyof Payload, unknown>> | null;
  const expiresAt = typeof p?.exp === 'string' ? Date.parse(p.exp) : Number.NaN;
  if (
    p?.aud !== 'site' ||
    typeof p.site !== 'number' ||
    (p.access !== 'read' && p.access !== 'write') ||
    (p.src !== undefined && typeof p.src !== 'string') ||
    typeof p.key !== 'string' ||
    typeof p.jti !== 'string' ||
    typeof p.iat !== 'number' ||
    !Number.isFinite(p.iat) ||
    typeof p.sub !== 'string' ||
    !Number.isInteger(Number(p.sub)) ||
    Number.isNaN(expiresAt)
  ) {
    throw new InvalidToken('not a site token');
  }
  return {
    siteId: p.site,
    userId: Number(p.sub),
    access: p.access,
    mayConfigure: p.configure === true,
    source: p.src ?? null,
    keyDigest: p.key,
    id: p.jti,
    issuedAt: p.iat * 1000,
    expiresAt,
    signedBy,
  };
}
