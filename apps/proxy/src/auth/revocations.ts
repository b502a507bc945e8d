import type { SiteRevocation } from '@heliograph/contracts';
import { SITE_TOKEN_LIFETIME_MS, type SiteTokenClaims } from '@heliograph/wire';

/** How often those are forgotten that no living token can be older than, in milliseconds. */
const PRUNE_INTERVAL_MS = 60 * 60_000;

/**
 * Who lost access to which site: site tokens issued before are good no more. Kept as long as such a token could live,
 * which bounds how many there are.
 */
export class Revocations {
  readonly #now: () => number;
  /** By site and user, in milliseconds since the epoch. */
  readonly #bySite = new Map<number, Map<number, number>>();
  #prunedMs: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#prunedMs = now();
  }

  /** @returns whether any was new here */
  add(revocations: readonly SiteRevocation[]): boolean {
    let anyNew = false;
    for (const { site_id: siteId, user_id: userId, revoked_at: revokedAt } of revocations) {
      anyNew = this.#addOne(siteId, userId, Date.parse(revokedAt)) || anyNew;
    }
    this.#prune();
    return anyNew;
  }

  /** Whether a token with these claims was issued before its holder lost access. */
  cover({ siteId, userId, issuedAt }: SiteTokenClaims): boolean {
    const revokedMs = this.#bySite.get(siteId)?.get(userId);
    return revokedMs !== undefined && issuedAt < revokedMs;
  }

  #addOne(siteId: number, userId: number, revokedMs: number): boolean {
    if (Number.isNaN(revokedMs)) return false;
    const ofSite = this.#bySite.get(siteId) ?? new Map<number, number>();
    this.#bySite.set(siteId, ofSite);
    if ((ofSite.get(userId) ?? Number.NEGATIVE_INFINITY) >= revokedMs) return false;
    ofSite.set(userId, revokedMs);
    return true;
  }

  #prune(): void {
    const nowMs = this.#now();
    if (nowMs - this.#prunedMs < PRUNE_INTERVAL_MS) return;
    this.#prunedMs = nowMs;
    for (const [siteId, ofSite] of this.#bySite) {
      for (const [userId, revokedMs] of ofSite) {
        if (revokedMs < nowMs - SITE_TOKEN_LIFETIME_MS) ofSite.delete(userId);
      }
      if (ofSite.size === 0) this.#bySite.delete(siteId);
    }
  }
}
