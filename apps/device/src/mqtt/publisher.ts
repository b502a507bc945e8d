import { type Clock, wait } from '@heliograph/kit';
import type { Snapshot, SnapshotSource } from '../poll/snapshot.ts';
import type { BrokerConnection } from './broker-connection.ts';
import type { RetainedLedger } from './retained-ledger.ts';
import type { RetainedMessages } from './retained-messages.ts';

/** How often at most, in milliseconds. */
export interface PublishTimes {
  /** However fast the hardware is polled, changes go out no more often than this. */
  readonly changesMs: number;
  /** Everything goes out again after this time, for a broker that lost what it held. */
  readonly everythingMs: number;
}

export const PUBLISH_TIMES: PublishTimes = { changesMs: 1_000, everythingMs: 5 * 60_000 };

export interface PublisherOptions {
  readonly connection: BrokerConnection;
  readonly snapshots: SnapshotSource;
  readonly messages: RetainedMessages;
  readonly ledger: RetainedLedger;
  readonly clock: Clock;
  readonly times: PublishTimes;
}

/**
 * Keeps what the broker holds equal to the latest snapshot, through one connection. Only changes are published,
 * and none before the broker has taken those before, so a slow broker gets the newest values and no queue grows.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  #published = new Map<string, string>();
  #everythingAt = Number.NEGATIVE_INFINITY;

  constructor(options: PublisherOptions) {
    this.#options = options;
  }

  /**
   * Publishes until the signal aborts.
   *
   * @throws the library's error when the connection ends
   */
  async run(signal: AbortSignal): Promise<void> {
    const { snapshots, times } = this.#options;
    let done: Snapshot | undefined;
    while (!signal.aborted) {
      if (snapshots.current === done) await nextSnapshot(snapshots, signal);
      done = snapshots.current;
      await this.#publish(done);
      await wait(times.changesMs, signal);
    }
  }

  async #publish(snapshot: Snapshot): Promise<void> {
    const { connection, messages, ledger, clock, times } = this.#options;
    const now = clock.monotonic();
    if (now - this.#everythingAt >= times.everythingMs) {
      this.#everythingAt = now;
      this.#published = new Map();
    }
    const wanted = messages.of(snapshot);
    ledger.add(wanted.keys());
    // Before the first poll not everything may be known yet that is there.
    const gone = snapshot.sequence === 0 ? [] : ledger.others(wanted);
    for (const topic of gone) {
      await connection.publish(topic, '', { retain: true });
      this.#published.delete(topic);
    }
    ledger.remove(gone);
    for (const [topic, payload] of wanted) {
      if (this.#published.get(topic) === payload) continue;
      await connection.publish(topic, payload, { retain: true });
      this.#published.set(topic, payload);
    }
  }
}

/** Resolves with the next snapshot, or when the signal aborts. */
async function nextSnapshot(snapshots: SnapshotSource, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const unsubscribe = snapshots.subscribe(end);
  signal.addEventListener('abort', end);
  await promise;
  signal.removeEventListener('abort', end);
  unsubscribe();
}
