import type { Clock, Logger } from '@heliograph/kit';
import { type JwksKeys, SiteTokenVerifier } from '@heliograph/wire';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from '../storage/key-value.ts';
import { cloudKeys } from './cloud-keys.ts';
import { DevicePassword, type HashCost, type PasswordWatch } from './device-password.ts';
import { Guard } from './guard.ts';
import { PageSessions } from './page-sessions.ts';
import { RegisteredSite } from './registered-site.ts';
import { SiteRevocations } from './site-revocations.ts';
import { SupportSessions } from './support-sessions.ts';

const KEY = 'latest_time';

const STORED = Compile(Type.Number());

/**
 * Time for judging tokens, which does not go back: a board without a battery for its clock starts years ago, where
 * tokens that expired would be good again.
 */
class LatestTime {
  readonly #store: KeyValueStore;
  readonly #clock: Clock;
  #latestMs: number;

  constructor(store: KeyValueStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
    this.#latestMs = store.json(KEY, STORED, 0);
  }

  /** Milliseconds since the epoch: the clock's, or when the clock was last known to be right. */
  now(): number {
    return Math.max(this.#clock.now(), this.#latestMs);
  }

  /** Stores the current time, because the cloud has just accepted a proof that is dated by it. */
  confirm(): void {
    this.#latestMs = this.#clock.now();
    this.#store.set(KEY, String(this.#latestMs));
  }
}

/** Everything that decides who may come in. */
export interface Access {
  readonly guard: Guard;
  readonly password: DevicePassword;
  readonly sessions: PageSessions;
  readonly site: RegisteredSite;
  readonly revocations: SiteRevocations;
  readonly support: SupportSessions;
  readonly keys: JwksKeys;
  readonly time: LatestTime;
}

export interface AccessOptions {
  readonly store: KeyValueStore;
  /** Undefined for a device without a cloud. */
  readonly cloudUrl: string | undefined;
  readonly watch?: PasswordWatch;
  /** Of the password, in tests. */
  readonly hashCost?: HashCost;
  readonly clock: Clock;
  readonly logger: Logger;
}

export function createAccess(options: AccessOptions): Access {
  const { store, cloudUrl, watch, hashCost, clock, logger } = options;
  const password = new DevicePassword(store, clock, watch, hashCost);
  const sessions = new PageSessions(store, password, clock);
  const site = new RegisteredSite(store);
  const revocations = new SiteRevocations(store, clock);
  const support = new SupportSessions(store, clock);
  const keys = cloudKeys(cloudUrl, store, clock);
  const time = new LatestTime(store, clock);
  const tokens = new SiteTokenVerifier(keys, () => time.now());
  const guard = new Guard({ password, sessions, tokens, site, revocations, support, logger });
  return { guard, password, sessions, site, revocations, support, keys, time };
}
