import type { SiteRevocation } from '@heliograph/contracts';
import {
  revocationSignal,
  revocationSubjects,
  SITE_TOKEN_LIFETIME_MS,
  type SiteTokenClaims,
} from '@heliograph/wire';

/** How often those are forgotten that no living token can be older than, in milliseconds. */
const PRUNE_INTERVAL_MS = 60 * 60_000;

/**
 * Site tokens that are no longer good: those issued to an account before a moment, and all of a source or a recovery session. Kept as long as
 * such a token could live, which bounds how many there are.
 */
export class Revocations {
  readonly #now: () => number;
  /** When, by site and subject (`user:<id>`, `token:<id>`, `grant:<id>`, `recovery:<id>`), in milliseconds since the epoch. */
  readonly #bySite = new Map<number, Map<string, number>>();
  #prunedMs: number;

  constructor(now: () => number) {
    this.#now = now;
    this.#prunedMs = now();
  }

  /** @returns the sites of those that were new here */
  add(revocations: readonly SiteRevocation[]): ReadonlySet<number> {
    const sites = new Set<number>();
    for (const { site_id: siteId, subject, user_id: userId, revoked_at: revokedAt } of revocations) {
      if (this.#addOne(siteId, subject ?? `user:${userId}`, Date.parse(revokedAt))) sites.add(siteId);
    }
    this.#prune();
    return sites;
  }

  /** Whether a token with these claims was revoked. */
  covers(claims: SiteTokenClaims): boolean {
    const ofSite = this.#bySite.get(claims.siteId);
    if (ofSite === undefined) return false;
    return revocationSubjects(claims).some((subject) => claims.issuedAt < (ofSite.get(subject) ?? 0));
  }

  /** Payload of the ping for the site's device; undefined if no revocation can cover an unexpired token. */
  pingOf(siteId: number): Buffer | undefined {
    const oldestMs = this.#now() - SITE_TOKEN_LIFETIME_MS;
    const living = [...(this.#bySite.get(siteId) ?? [])].filter(([, revokedMs]) => revokedMs >= oldestMs);
    if (living.length === 0) return undefined;
    return revocationSignal(living.map(([subject, revokedAt]) => ({ subject, revokedAt })));
  }

  #addOne(siteId: number, subject: string, revokedMs: number): boolean {
    if (Number.isNaN(revokedMs)) return false;
    const ofSite = this.#bySite.get(siteId) ?? new Map<string, number>();
    this.#bySite.set(siteId, ofSite);
    if ((ofSite.get(subject) ?? Number.NEGATIVE_INFINITY) >= revokedMs) return false;
    ofSite.set(subject, revokedMs);
    return true;
  }

  #prune(): void {
    const nowMs = this.#now();
    if (nowMs - this.#prunedMs < PRUNE_INTERVAL_MS) return;
    this.#prunedMs = nowMs;
    for (const [siteId, ofSite] of this.#bySite) {
      for (const [subject, revokedMs] of ofSite) {
        if (revokedMs < nowMs - SITE_TOKEN_LIFETIME_MS) ofSite.delete(subject);
      }
      if (ofSite.size === 0) this.#bySite.delete(siteId);
    }
  }
}
