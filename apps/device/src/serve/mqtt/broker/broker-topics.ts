/** Metric names may hold slashes, `combine_pv/ac_supply` for one: so many more levels than the usual two. */
const EXTRA_LEVELS = [0, 1, 2];

/** Topics on the broker, below the configured prefix. */
export class BrokerTopics {
  readonly #prefix: string;

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** `online` while the device is connected, otherwise `offline`. */
  get status(): string {
    return `${this.#prefix}/status`;
  }

  /** The topic with the outcome of the last write. */
  get response(): string {
    return `${this.#prefix}/set/response_message/state`;
  }

  /** A message for each alert that begins, is acknowledged or ends. */
  get alert(): string {
    return `${this.#prefix}/alert`;
  }

  /** Filters that match every metric's {@link set} topic, and none that the device itself publishes to. */
  get writes(): readonly string[] {
    return EXTRA_LEVELS.map((levels) => `${this.#prefix}/+/+${'/+'.repeat(levels)}/set`);
  }

  state(metric: string): string {
    return `${this.#prefix}/${metric}/state`;
  }

  attributes(metric: string): string {
    return `${this.#prefix}/${metric}/attributes`;
  }

  set(metric: string): string {
    return `${this.#prefix}/${metric}/set`;
  }

  /** Whether a topic of this device is one of {@link writes}. */
  isSet(topic: string): boolean {
    return topic.endsWith('/set');
  }

  /** The metric that a message to one of {@link writes} is for. */
  metricOf(setTopic: string): string {
    return setTopic.slice(this.#prefix.length + 1, -'/set'.length);
  }
}
