import { type Clock, wait } from '@heliograph/kit';
import type { Snapshot, SnapshotSource } from '../../poll/snapshot.ts';
import { type BrokerConnection, SubscriptionUnanswered } from './broker/broker-connection.ts';
import { type ClearRetainedOptions, clearRetained } from './broker/clear-retained.ts';
import type { RetainedLedger } from './broker/retained-ledger.ts';
import { isIncomplete, type RetainedMessages } from './broker/retained-messages.ts';

/** How often messages are published, in milliseconds. */
export interface PublishTimes {
  /** However fast the hardware is polled, changes go out no more often than this. */
  readonly changesMs: number;
  /** Each state goes out again after this time, as on the live stream, for programs that listen for a moment. */
  readonly statesMs: number;
  /** Everything goes out again after this time, for a broker that lost what it held. */
  readonly everythingMs: number;
}

export const PUBLISH_TIMES: PublishTimes = {
  changesMs: 1_000,
  statesMs: 15_000,
  everythingMs: 5 * 60_000,
};

export interface PublisherOptions extends ClearRetainedOptions {
  readonly connection: BrokerConnection;
  readonly snapshots: SnapshotSource;
  readonly messages: RetainedMessages;
  readonly ledger: RetainedLedger;
  readonly clock: Clock;
  readonly times: PublishTimes;
  /**
   * Called with everything once it was published and nothing is awaited any more: for each round of everything once.
   *
   * @param newest the text of a topic that was published since, or then; undefined while it is published again
   */
  readonly onEverything: (
    published: ReadonlyMap<string, string>,
    newest: (topic: string) => string | undefined,
  ) => void;
}

const STATE = /\/state$/;

/**
 * Keeps what the broker holds equal to the latest snapshot, through one connection. Only changes are published,
 * and none before the broker has taken those before, so a slow broker gets the newest values and no queue grows.
 */
export class Publisher {
  readonly #options: PublisherOptions;
  #published = new Map<string, string>();
  #statesAt = Number.NEGATIVE_INFINITY;
  #everythingAt = Number.NEGATIVE_INFINITY;
  #isRoundOpen = false;
  /** Topics of the ledger that another device has published since. */
  #othersTopics: ReadonlySet<string> = new Set();

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
      if (snapshots.current === done) await nextSnapshot(snapshots, this.#untilRepeatMs(), signal);
      done = snapshots.current;
      await this.#publish(done);
      if (this.#isRoundOpen && !isIncomplete(done)) {
        this.#isRoundOpen = false;
        this.#options.onEverything(new Map(this.#published), (topic) => this.#published.get(topic));
      }
      await wait(times.changesMs, signal);
    }
  }

  #untilRepeatMs(): number {
    const { clock, times } = this.#options;
    return Math.max(0, this.#statesAt + times.statesMs - clock.monotonic());
  }

  async #publish(snapshot: Snapshot): Promise<void> {
    const { connection, messages, ledger } = this.#options;
    this.#forgetWhatIsDue();
    const wanted = messages.of(snapshot);
    ledger.add(wanted.keys());
    const gone = ledger.others(wanted);
    await this.#clear(isIncomplete(snapshot) ? gone.filter((topic) => messages.isMoved(topic)) : gone);
    for (const [topic, payload] of wanted) {
      if (this.#published.get(topic) === payload) continue;
      await connection.publish(topic, payload, { retain: true });
      this.#published.set(topic, payload);
    }
  }

  #forgetWhatIsDue(): void {
    const { clock, times } = this.#options;
    const now = clock.monotonic();
    if (now - this.#everythingAt >= times.everythingMs) {
      this.#everythingAt = now;
      this.#statesAt = now;
      this.#isRoundOpen = true;
      this.#published = new Map();
      this.#othersTopics = new Set();
    } else if (now - this.#statesAt >= times.statesMs) {
      this.#statesAt = now;
      for (const topic of this.#published.keys()) if (STATE.test(topic)) this.#published.delete(topic);
    }
  }

  async #clear(gone: readonly string[]): Promise<void> {
    const { connection, ledger, ...options } = this.#options;
    const topics = gone.filter((topic) => !this.#othersTopics.has(topic));
    if (topics.length === 0) return;
    const left = new Set(await clearRetained(connection, topics, options).catch(unlessUnanswered(topics)));
    this.#othersTopics = new Set([...this.#othersTopics, ...left]);
    const cleared = topics.filter((topic) => !left.has(topic));
    for (const topic of cleared) this.#published.delete(topic);
    ledger.remove(cleared);
  }
}

/** Leaves topics that cannot be checked, until everything is published again. */
function unlessUnanswered(topics: readonly string[]) {
  return (error: unknown): readonly string[] => {
    if (error instanceof SubscriptionUnanswered) return topics;
    throw error;
  };
}

/** Resolves with the next snapshot, after a time in milliseconds, or when the signal aborts. */
async function nextSnapshot(snapshots: SnapshotSource, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  const unsubscribe = snapshots.subscribe(end);
  const timer = setTimeout(end, ms);
  signal.addEventListener('abort', end);
  await promise;
  signal.removeEventListener('abort', end);
  clearTimeout(timer);
  unsubscribe();
}
