/**
 * The topics that hold a retained message of this device on one broker, kept across restarts: a metric that vanishes
 * while the device is off, or with another configuration, must not stay on the broker for ever.
 */
export class RetainedLedger {
  readonly #store: (topics: readonly string[]) => void;
  #topics: ReadonlySet<string>;

  /** @param store keeps the topics after each change */
  constructor(topics: Iterable<string>, store: (topics: readonly string[]) => void) {
    this.#topics = new Set(topics);
    this.#store = store;
  }

  get topics(): readonly string[] {
    return [...this.#topics];
  }

  /** Stored before they are published, so that a power cut midway leaves none unknown. */
  add(topics: Iterable<string>): void {
    this.#change(new Set([...this.#topics, ...topics]));
  }

  /** Retained topics other than these. */
  others(wanted: ReadonlyMap<string, string>): readonly string[] {
    return this.topics.filter((topic) => !wanted.has(topic));
  }

  remove(topics: readonly string[]): void {
    const remaining = new Set(this.#topics);
    for (const topic of topics) remaining.delete(topic);
    this.#change(remaining);
  }

  #change(topics: ReadonlySet<string>): void {
    if (topics.size === this.#topics.size) return;
    this.#topics = topics;
    this.#store([...topics]);
  }
}
