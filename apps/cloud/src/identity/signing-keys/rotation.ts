import { type Clock, NotFound, Unprocessable } from '@heliograph/kit';
import { type Actor, recordAudit } from '../../db/audit.ts';
import type { Database } from '../../db/open.ts';
import type { KeyRepository } from './repository.ts';
import {
  isDue,
  KEY_PURPOSES,
  type KeyPurpose,
  type KeyTimes,
  PUBLISHED_AHEAD_MS,
  type Scheduled,
  scheduleOf,
} from './schedule.ts';

export type ListedKey = Scheduled<KeyTimes & { readonly purpose: KeyPurpose }>;

/**
 * Rotates and revokes keys. A spare key is always published, so that no verifier ever meets a key that it had no time to
 * fetch, not even after a revocation. Each process of the cloud creates the spare key (`Keyring`), not the rotation: that
 * takes the cloud's secret.
 */
export class KeyRotation {
  readonly #keys: KeyRepository;
  readonly #clock: Clock;

  constructor(keys: KeyRepository, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** The published keys, by purpose and in the order of signing. */
  async list(): Promise<ListedKey[]> {
    const keys = await this.#all();
    return keys.filter(({ state }) => state !== 'expired');
  }

  /**
   * Schedules the next key of a purpose to sign once it has been published long enough.
   *
   * @throws Unprocessable while another rotation is scheduled, or without a next key
   */
  rotate(actor: Actor, purpose: KeyPurpose): Promise<ListedKey> {
    return this.#keys.exclusively(async (tx) => {
      const keys = await this.#schedule(purpose, tx);
      const scheduled = keys.find(({ state, signsFrom }) => state === 'next' && signsFrom !== null);
      if (scheduled !== undefined) {
        throw new Unprocessable(`Key ${scheduled.kid} is to sign from ${scheduled.signsFrom?.toISOString()}`);
      }
      const next = nextOf(keys);
      const earliestMs = next.createdAt.getTime() + PUBLISHED_AHEAD_MS;
      return this.#start(tx, actor, next, new Date(Math.max(earliestMs, this.#clock.now())));
    });
  }

  /**
   * Rotates the keys of a purpose when the signing key has reached its age.
   *
   * @returns the new signing key, if any
   */
  rotateWhenDue(actor: Actor, purpose: KeyPurpose, maxAgeMs: number): Promise<ListedKey | undefined> {
    return this.#keys.exclusively(async (tx) => {
      const keys = await this.#schedule(purpose, tx);
      // Another process may have rotated them.
      if (!isDue(keys, maxAgeMs, this.#clock.now())) return undefined;
      return this.#start(tx, actor, nextOf(keys), this.#now());
    });
  }

  /**
   * Revokes a key at once: all its signatures become invalid. The next key replaces a signing key.
   *
   * @throws NotFound; Unprocessable for the signing key without a next one
   */
  revoke(actor: Actor, kid: string): Promise<void> {
    return this.#keys.exclusively(async (tx) => {
      const keys = await this.#all(tx);
      const revoked = keys.find((key) => key.kid === kid);
      if (revoked === undefined) throw new NotFound();
      await this.#keys.remove(tx, kid);
      await recordAudit(tx, actor, this.#now(), {
        action: 'signing_key.revoked',
        details: { kid, purpose: revoked.purpose, state: revoked.state },
      });
      if (revoked.state !== 'signing') return;
      const next = nextOf(keys.filter(({ purpose }) => purpose === revoked.purpose));
      await this.#start(tx, actor, next, this.#now());
    });
  }

  async #start(tx: Database, actor: Actor, next: ListedKey, signsFrom: Date): Promise<ListedKey> {
    await this.#keys.startFrom(tx, next.kid, signsFrom);
    const { kid, purpose } = next;
    const details = { kid, purpose, signs_from: signsFrom.toISOString() };
    await recordAudit(tx, actor, this.#now(), { action: 'signing_key.rotated', details });
    const started = (await this.#schedule(purpose, tx)).find((key) => key.kid === kid);
    return started ?? next;
  }

  async #all(tx?: Database): Promise<ListedKey[]> {
    const schedules: ListedKey[] = [];
    for (const purpose of KEY_PURPOSES) schedules.push(...(await this.#schedule(purpose, tx)));
    return schedules;
  }

  async #schedule(purpose: KeyPurpose, tx?: Database): Promise<ListedKey[]> {
    const keys = await this.#keys.all(purpose, tx);
    return scheduleOf(
      purpose,
      keys.map(({ kid, createdAt, signsFrom }) => ({ kid, purpose, createdAt, signsFrom })),
      this.#clock.now(),
    );
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

/** @throws Unprocessable */
function nextOf(keys: readonly ListedKey[]): ListedKey {
  const next = keys.find(({ state }) => state === 'next');
  if (next === undefined) {
    throw new Unprocessable('No key waits to sign: a cloud that runs makes one within seconds');
  }
  return next;
}
