import {
  InvalidToken,
  type KeySource,
  type SiteTokenClaims,
  SiteTokenVerifier,
  siteKeyMatches,
} from '@heliograph/wire';
import type { Credentials } from './credentials.ts';

/** Decides, without asking anyone, whether a client may reach the site it names. */
export class SiteAccessCheck {
  readonly #verifier: SiteTokenVerifier;

  constructor(keys: KeySource, now: () => number) {
    this.#verifier = new SiteTokenVerifier(keys, now);
  }

  /**
   * The claims of a token that was seen before, or undefined when the credentials are wrong; a promise of the
   * same for a token that is new here. Known tokens are answered at once, so that the hot path has no await.
   */
  check(credentials: Credentials): SiteTokenClaims | undefined | Promise<SiteTokenClaims | undefined> {
    const { token, siteId, siteKey } = credentials;
    if (token === '' || siteId === '' || siteKey === '') return undefined;
    const known = this.#verifier.remembered(token);
    return known === undefined ? this.#verify(credentials) : matching(known, credentials);
  }

  async #verify(credentials: Credentials): Promise<SiteTokenClaims | undefined> {
    try {
      return matching(await this.#verifier.verify(credentials.token), credentials);
    } catch (error) {
      if (error instanceof InvalidToken) return undefined;
      throw error;
    }
  }
}

function matching(claims: SiteTokenClaims, credentials: Credentials): SiteTokenClaims | undefined {
  const sameSite = credentials.siteId === String(claims.siteId);
  return sameSite && siteKeyMatches(credentials.siteKey, claims.keyDigest) ? claims : undefined;
}
