import type { Logger } from '@heliograph/kit';
import { Type } from 'typebox';
import { Compile } from 'typebox/schema';
import { FailureLog } from '../common/failure-log.ts';
import type { KeyValueStore } from '../storage/key-value.ts';

const KEY = 'mqtt_retained';

const STORED = Compile(Type.Array(Type.String()));

/**
 * The topics that hold a retained message of this device, kept across restarts: a metric that vanishes while the
 * device is off, or with another configuration, must not stay on the broker for ever.
 */
export class RetainedLedger {
  readonly #store: KeyValueStore;
  readonly #failureLog: FailureLog;
  #topics: ReadonlySet<string>;

  constructor(store: KeyValueStore, logger: Logger) {
    this.#store = store;
    this.#failureLog = new FailureLog(logger, 'MQTT topics not stored', 'MQTT topics stored again');
    this.#topics = new Set(store.json(KEY, STORED, []));
  }

  /** Stored before they are published, so that a power cut midway leaves none unknown. */
  add(topics: Iterable<string>): void {
    this.#save(new Set([...this.#topics, ...topics]));
  }

  /** Retained topics other than these. */
  others(wanted: ReadonlyMap<string, string>): readonly string[] {
    return [...this.#topics].filter((topic) => !wanted.has(topic));
  }

  remove(topics: readonly string[]): void {
    const remaining = new Set(this.#topics);
    for (const topic of topics) remaining.delete(topic);
    this.#save(remaining);
  }

  #save(topics: ReadonlySet<string>): void {
    if (topics.size === this.#topics.size) return;
    this.#topics = topics;
    try {
      this.#store.set(KEY, JSON.stringify([...topics]));
      this.#failureLog.succeeded();
    } catch (error) {
      // A full disk costs the tidying up after a restart, not the publishing.
      this.#failureLog.failed(error);
    }
  }
}
