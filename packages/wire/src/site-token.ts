import { randomUUID } from 'node:crypto';
import { CompactSign, compactVerify } from 'jose';
import { InvalidToken } from './invalid-token.ts';
import { type KeySource, keyFor } from './jwks.ts';
import { SIGNATURE_ALGORITHM, type SigningKey } from './signing-key.ts';

/** How long a site token is good for, in milliseconds. */
export const SITE_TOKEN_LIFETIME_MS = 7 * 24 * 60 * 60 * 1000;

export type SiteAccess = 'read' | 'write';

/** Access of a support recovery session; each has the one before. */
export const RECOVERY_ACCESS = ['diagnose', 'repair', 'settings'] as const;
export type RecoveryAccess = (typeof RECOVERY_ACCESS)[number];

/** The support recovery session that a token was issued for, and who is let in by it. */
export interface RecoveryClaim {
  readonly sessionId: number;
  readonly access: RecoveryAccess;
  /** The name of the person, for logs and pages of the device. */
  readonly name: string;
  /** The firm that the person works for; null for the operator of the service. */
  readonly firm: string | null;
  /** End of the session, in milliseconds since the epoch. */
  readonly until: number;
}

export interface SiteTokenClaims {
  readonly siteId: number;
  readonly userId: number;
  /** Whether the holder may change settings of the hardware. */
  readonly access: SiteAccess;
  /** Whether the holder may change the device's configuration. */
  readonly mayConfigure: boolean;
  /** Whether it was issued to a signed-in session; false for an API token or a third party, which are programs. */
  readonly isPerson: boolean;
  /**
   * The credential that the token was issued for: `token:<id>` for a session or an API token, `grant:<id>` for the grant of
   * a third party. Null in tokens of an earlier release and in those for the cloud's own calls.
   */
  readonly source: string | null;
  /** Null for all but tokens of a support recovery session, which are good through the tunnel only. */
  readonly recovery: RecoveryClaim | null;
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
  readonly person?: true;
  readonly src?: string;
  readonly recovery?: {
    readonly session: number;
    readonly access: RecoveryAccess;
    readonly name: string;
    readonly firm: string | null;
    readonly until: string;
  };
  readonly key: string;
  readonly jti: string;
  readonly iat: number;
  readonly exp: string;
}

/** The claims to sign. Without the optional ones the holder may not configure, and the token has no source. */
export type SiteTokenGrant = Pick<SiteTokenClaims, 'siteId' | 'userId' | 'access' | 'keyDigest'> &
  Partial<
    Pick<SiteTokenClaims, 'mayConfigure' | 'isPerson' | 'source' | 'recovery' | 'issuedAt' | 'expiresAt'>
  >;

/** @param claims `issuedAt` only where it is not now, `expiresAt` only where it is sooner than in seven days */
export async function signSiteToken(key: SigningKey, claims: SiteTokenGrant, nowMs: number): Promise<string> {
  const payload: Payload = {
    aud: 'site',
    sub: String(claims.userId),
    site: claims.siteId,
    access: claims.access,
    ...(claims.mayConfigure === true && { configure: true }),
    ...(claims.isPerson === true && { person: true }),
    ...(claims.source != null && { src: claims.source }),
    ...(claims.recovery != null && { recovery: recoveryPayload(claims.recovery) }),
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

function recoveryPayload({ sessionId, until, ...rest }: RecoveryClaim): NonNullable<Payload['recovery']> {
  return { session: sessionId, ...rest, until: new Date(until).toISOString() };
}

/** The revocation subject of a support recovery session. */
export const recoverySubject = (sessionId: number): string => `recovery:${sessionId}`;

/** The subjects of which each revokes a token with these claims, if the token is older than the revocation. */
export function revocationSubjects({ userId, source, recovery }: SiteTokenClaims): string[] {
  const subjects = [`user:${userId}`];
  if (source !== null) subjects.push(source);
  if (recovery !== null) subjects.push(recoverySubject(recovery.sessionId));
  return subjects;
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
    isPerson: p.person === true,
    source: p.src ?? null,
    recovery: recoveryOf(p.recovery),
    keyDigest: p.key,
    id: p.jti,
    issuedAt: p.iat * 1000,
    expiresAt,
    signedBy,
  };
}

/** @throws InvalidToken for a claim that is there and cannot be read: its token must not pass for an ordinary one */
function recoveryOf(value: unknown): RecoveryClaim | null {
  if (value === undefined) return null;
  const r = value as Partial<Record<keyof NonNullable<Payload['recovery']>, unknown>> | null;
  const until = typeof r?.until === 'string' ? Date.parse(r.until) : Number.NaN;
  const access = RECOVERY_ACCESS.find((one) => one === r?.access);
  if (
    typeof r?.session !== 'number' ||
    typeof r.name !== 'string' ||
    (r.firm !== null && typeof r.firm !== 'string') ||
    access === undefined ||
    Number.isNaN(until)
  ) {
    throw new InvalidToken('not a token of a recovery session');
  }
  return { sessionId: r.session, access, name: r.name, firm: r.firm, until };
}
