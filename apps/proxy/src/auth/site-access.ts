import { InvalidToken, type SiteTokenClaims, SiteTokenVerifier, siteKeyMatches } from '@heliograph/wire';
import type { Refusal } from '../http/refuse.ts';
import type { CloudKeys } from './cloud-keys.ts';
import type { Credentials } from './credentials.ts';

const UNAUTHORIZED: Refusal = {
  status: 401,
  error: 'Unauthorized',
  headers: { 'www-authenticate': 'Bearer' },
};
/** Not 401, which makes clients throw their good token away. */
export const KEYS_UNKNOWN: Refusal = {
  status: 503,
  error: 'The keys of the cloud are not known yet',
  headers: { 'retry-after': '5' },
};

/** Decides, without asking anyone, whether a client may reach the site it names. */
export class SiteAccessCheck {
  readonly #keys: CloudKeys;
  readonly #verifier: SiteTokenVerifier;

  constructor(keys: CloudKeys, now: () => number) {
    this.#keys = keys;
    this.#verifier = new SiteTokenVerifier(keys.keys, now);
  }

  /**
   * The claims of a token that was seen before, or why it opens nothing; a promise of the same for a token
   * that is new here. Known tokens are answered at once, so that the hot path has no await.
   */
  check(credentials: Credentials): SiteTokenClaims | Refusal | Promise<SiteTokenClaims | Refusal> {
    const { token, siteId, siteKey } = credentials;
    if (token === '' || siteId === '' || siteKey === '') return UNAUTHORIZED;
    const known = this.#verifier.remembered(token);
    return known === undefined ? this.#verify(credentials) : matching(known, credentials);
  }

  async #verify(credentials: Credentials): Promise<SiteTokenClaims | Refusal> {
    try {
      return matching(await this.#verifier.verify(credentials.token), credentials);
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      return this.#keys.fetched ? UNAUTHORIZED : KEYS_UNKNOWN;
    }
  }
}

function matching(claims: SiteTokenClaims, credentials: Credentials): SiteTokenClaims | Refusal {
  const sameSite = credentials.siteId === String(claims.siteId);
  return sameSite && siteKeyMatches(credentials.siteKey, claims.keyDigest) ? claims : UNAUTHORIZED;
}
