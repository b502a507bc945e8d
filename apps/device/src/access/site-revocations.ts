import type { DeviceConnectAnswer } from '@heliograph/contracts';
import type { Clock } from '@heliograph/kit';
import {
  type RevokedSubject,
  revocationSignal,
  revocationSubjects,
  SITE_TOKEN_LIFETIME_MS,
  type SiteTokenClaims,
} from '@heliograph/wire';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from '../storage/key-value.ts';

const KEY = 'site_revocations';

/** As the cloud answers them. */
export type AnsweredRevocations = NonNullable<
  Extract<DeviceConnectAnswer, { status: 'ready' }>['revocations']
>;

/** The stored form. */
interface StoredRevocations {
  readonly siteId: number;
  readonly revoked: readonly RevokedSubject[];
}

const STORED = Compile(
  Type.Object({
    siteId: Type.Integer(),
    revoked: Type.Array(Type.Object({ subject: Type.String(), revokedAt: Type.Number() })),
  }),
);

/**
 * Site tokens of this device's site that the cloud revoked: those issued before a moment to an account, or for a
 * session, an API token, a third party or a support recovery session. Kept, so that they stay refused after a restart without the
 * cloud, for as long as such a token could live.
 */
export class SiteRevocations {
  readonly #store: KeyValueStore;
  readonly #clock: Clock;
  #siteId: number;
  /** When, by subject, in milliseconds since the epoch. */
  #bySubject: Map<string, number>;

  constructor(store: KeyValueStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    const { siteId, revoked } = store.json(KEY, STORED, { siteId: 0, revoked: [] });
    this.#siteId = siteId;
    this.#bySubject = new Map(revoked.map(({ subject, revokedAt }) => [subject, revokedAt]));
  }

  /**
   * Adds what the cloud answered, and forgets what no living token can be older than. Nothing is forgotten otherwise:
   * when the cloud has just answered, the clock is right.
   */
  learn(siteId: number, answered: AnsweredRevocations): void {
    const bySubject = siteId === this.#siteId ? new Map(this.#bySubject) : new Map<string, number>();
    for (const { subject, revoked_at: revokedAt } of answered) {
      bySubject.set(subject, Math.max(Date.parse(revokedAt), bySubject.get(subject) ?? 0));
    }
    for (const [subject, revokedAt] of bySubject) if (!this.#isLiving(revokedAt)) bySubject.delete(subject);
    const stored: StoredRevocations = {
      siteId,
      revoked: Array.from(bySubject, ([subject, revokedAt]) => ({ subject, revokedAt })),
    };
    const text = JSON.stringify(stored);
    if (text !== this.#store.get(KEY)) this.#store.set(KEY, text);
    this.#siteId = siteId;
    this.#bySubject = bySubject;
  }

  /** Whether a token with these claims was revoked. */
  cover(claims: SiteTokenClaims): boolean {
    if (claims.siteId !== this.#siteId) return false;
    return revocationSubjects(claims).some(
      (subject) => claims.issuedAt < (this.#bySubject.get(subject) ?? 0),
    );
  }

  /** The ping of a proxy that knows of the same revocations. */
  get ping(): Buffer {
    const revoked = Array.from(this.#bySubject, ([subject, revokedAt]) => ({ subject, revokedAt }));
    return revocationSignal(revoked.filter(({ revokedAt }) => this.#isLiving(revokedAt)));
  }

  #isLiving(revokedAt: number): boolean {
    return revokedAt >= this.#clock.now() - SITE_TOKEN_LIFETIME_MS;
  }
}
