import {
  InvalidToken,
  type SiteTokenClaims,
  SiteTokenExpired,
  SiteTokenVerifier,
  siteKeyMatches,
} from '@heliograph/wire';
import { knownRefusal, type Refusal } from '../http/refuse.ts';
import type { CloudKeys } from './cloud-keys.ts';
import type { Credentials } from './credentials.ts';
import type { Revocations } from './revocations.ts';

const unauthorized = (error: string): Refusal => ({
  status: 401,
  error,
  headers: { 'www-authenticate': 'Bearer' },
});
const UNAUTHORIZED = unauthorized('Unauthorized');
/** Only clients with a token that the cloud signed learn more. */
const EXPIRED = unauthorized('The site token has expired: authorize again');
const REVOKED = unauthorized('The site token was revoked: authorize again');
const OTHER_SITE = unauthorized('The site token is for another site');

/** Not 401, which makes clients throw their good token away. */
export const KEYS_UNKNOWN = knownRefusal({
  status: 503,
  error: 'The keys of the cloud are not known yet',
  headers: { 'retry-after': '5' },
});

/** Decides, without asking anyone, whether a client may reach the site it names. */
export class SiteAccessCheck {
  readonly #keys: CloudKeys;
  readonly #verifier: SiteTokenVerifier;
  readonly #revocations: Revocations;

  constructor(keys: CloudKeys, now: () => number, revocations: Revocations) {
    this.#keys = keys;
    this.#verifier = new SiteTokenVerifier(keys.keys, now);
    this.#revocations = revocations;
  }

  /**
   * The claims of a token that was seen before, or why it opens nothing; a promise of the same for a token
   * that is new here. Known tokens are answered at once, so that the hot path has no await.
   */
  check(credentials: Credentials): SiteTokenClaims | Refusal | Promise<SiteTokenClaims | Refusal> {
    const { token, siteId, siteKey } = credentials;
    if (token === '' || siteId === '' || siteKey === '') return UNAUTHORIZED;
    const known = this.#verifier.cached(token);
    return known === undefined ? this.#verify(credentials) : this.#matching(known, credentials);
  }

  /** Whether a token with these claims, let in before, would be let in now. */
  isStillAuthorized(claims: SiteTokenClaims): boolean {
    return this.#verifier.isValid(claims) && !this.#revocations.covers(claims);
  }

  async #verify(credentials: Credentials): Promise<SiteTokenClaims | Refusal> {
    try {
      return this.#matching(await this.#verifier.verify(credentials.token), credentials);
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      if (error instanceof SiteTokenExpired) return EXPIRED;
      return this.#keys.fetched ? UNAUTHORIZED : KEYS_UNKNOWN;
    }
  }

  #matching(claims: SiteTokenClaims, credentials: Credentials): SiteTokenClaims | Refusal {
    if (credentials.siteId !== String(claims.siteId)) return OTHER_SITE;
    if (!siteKeyMatches(credentials.siteKey, claims.keyDigest)) return UNAUTHORIZED;
    return this.#revocations.covers(claims) ? REVOKED : claims;
  }
}
