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
 * Changes which key signs. One more key than is needed is always published, so that no verifier ever meets a key that
 * it had no time to fetch, not even after a withdrawal; every process of the cloud sees to it that there is one. So
 * none of this makes keys, which takes the cloud's secret.
 */
export class KeyRotation {
  readonly #keys: KeyRepository;
  readonly #clock: Clock;

  constructor(keys: KeyRepository, clock: Clock) {
    this.#keys = keys;
    this.#clock = clock;
  }

  /** Every key that is published, by purpose and in the order in which they sign. */
  async list(): Promise<ListedKey[]> {
    const keys = await this.#all();
    return keys.filter(({ state }) => state !== 'expired');
  }

  /**
   * Lets the next key of a purpose sign, as soon as it has been published long enough.
   *
   * @throws Unprocessable while another rotation is under way, or no key waits
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
   * Lets the next key of a purpose sign when the one that does is as old as it may be.
   *
   * @returns the key that signs now, if so
   */
  rotateWhenDue(actor: Actor, purpose: KeyPurpose, maxAgeMs: number): Promise<ListedKey | undefined> {
    return this.#keys.exclusively(async (tx) => {
      const keys = await this.#schedule(purpose, tx);
      // Another process may have been faster.
      if (!isDue(keys, maxAgeMs, this.#clock.now())) return undefined;
      return this.#start(tx, actor, nextOf(keys), this.#now());
    });
  }

  /**
   * Withdraws a key at once: everything it signed is refused. Was it the one that signs, the next one does from now on.
   *
   * @throws NotFound; Unprocessable when it signs and no other key waits
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
