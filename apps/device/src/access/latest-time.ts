import type { Clock } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import type { KeyValueStore } from '../storage/key-value.ts';

const KEY = 'latest_time';

const STORED = Compile(Type.Number());

/**
 * Time for judging tokens, which does not go back: a board without a battery for its clock starts years ago, where
 * tokens that expired would be good again.
 */
export class LatestTime {
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
