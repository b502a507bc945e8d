import type {
  MetricChange,
  MetricDefinition,
  MetricStream,
  MetricValue,
  StreamOptions,
  StreamStatus,
} from '@heliograph/client';

export interface LiveValue {
  /** Null is unknown. */
  readonly value: MetricValue;
  /** Whether the device has had no reading for too long. */
  readonly stale: boolean;
  /** The last reading, while it is stale; null where none is known. */
  readonly lastValue?: MetricValue;
  /** When that was, in milliseconds since 1970; undefined where it is not known. */
  readonly readAt?: number;
}

/** The value, or what it was before it became stale: shown as old then. Undefined for a topic that is not there. */
export function shownValue(live: LiveValue | undefined): MetricValue | undefined {
  return live?.stale === true ? (live.lastValue ?? null) : live?.value;
}

/**
 * `connecting` until the first values, `live` while the stream runs, `reconnecting` when it broke (the values are the
 * last ones, from `since`), `refused` when the credentials are good no more.
 */
export interface LiveStatus {
  readonly state: 'connecting' | 'live' | 'reconnecting' | 'refused';
  /** When the state began, in milliseconds since 1970. */
  readonly since: number;
}

/** The source of values: a device of the SDK, or a substitute. */
export interface LiveSource {
  stream(options: StreamOptions): Pick<MetricStream, 'check' | 'close' | 'ended'>;
}

type Listener = () => void;

/** How soon a dead connection is noticed: at most after the two together, for one small message every five seconds. */
const TIMINGS = { heartbeatIntervalMs: 5_000, heartbeatTimeoutMs: 6_000 } as const;

/**
 * How long a device that is back may take to define a topic again, in milliseconds: after a restart it sends its
 * readings as they come.
 */
const DEFINED_WITHIN_MS = 15_000;

/** The values of one device as they come, outside of React: a value that changes renders what shows it, nothing else. */
export class LiveValues {
  readonly #values = new Map<string, LiveValue>();
  readonly #listeners = new Map<string, Set<Listener>>();
  readonly #listListeners = new Set<Listener>();
  readonly #statusListeners = new Set<Listener>();
  #definitions: readonly MetricDefinition[] = [];
  #status: LiveStatus = { state: 'connecting', since: Date.now() };
  #stream: ReturnType<LiveSource['stream']> | undefined;
  /** The topics that the current connection has defined. */
  #defined = new Set<string>();
  #forgetting: ReturnType<typeof setTimeout> | undefined;

  /** Begins to follow all topics of a device, totals first, until {@link stop}; again after a refusal. */
  follow(device: LiveSource): void {
    this.#stream?.close();
    if (this.#status.state === 'refused') this.#setStatus('reconnecting');
    this.#stream = device.stream({
      topics: ['*'],
      firstTopics: ['total/*'],
      timings: TIMINGS,
      onDefinitions: (definitions) => this.#define(definitions),
      onMetrics: (changes) => this.#change(changes),
      onStatus: (status) => this.#turn(status),
    });
    this.#stream.ended.catch(() => this.#setStatus('refused'));
  }

  stop(): void {
    clearTimeout(this.#forgetting);
    this.#stream?.close();
    this.#stream = undefined;
  }

  /** Checks the connection at once, as when the browser goes offline. */
  check(): void {
    this.#stream?.check();
  }

  /** In the order of the device. The same array until it changes. */
  get definitions(): readonly MetricDefinition[] {
    return this.#definitions;
  }

  get status(): LiveStatus {
    return this.#status;
  }

  get(topic: string): LiveValue | undefined {
    return this.#values.get(topic);
  }

  /** @returns what ends the subscription, as for the others */
  onValue(topic: string, listener: Listener): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  onDefinitions(listener: Listener): () => void {
    this.#listListeners.add(listener);
    return () => this.#listListeners.delete(listener);
  }

  onStatus(listener: Listener): () => void {
    this.#statusListeners.add(listener);
    return () => this.#statusListeners.delete(listener);
  }

  /** Puts a value in place that is known from elsewhere, such as the answer to a write, or a first read. */
  put(topic: string, value: LiveValue): void {
    const before = this.#values.get(topic);
    if (before?.value === value.value && before.stale === value.stale && before.readAt === value.readAt)
      return;
    this.#values.set(topic, value);
    for (const listener of this.#listeners.get(topic) ?? []) listener();
  }

  #define(definitions: readonly MetricDefinition[]): void {
    const known = new Map(this.#definitions.map((definition) => [definition.topic, definition]));
    for (const definition of definitions) {
      known.set(definition.topic, definition);
      this.#defined.add(definition.topic);
    }
    this.#definitions = [...known.values()];
    for (const listener of this.#listListeners) listener();
  }

  #change(changes: readonly MetricChange[]): void {
    for (const change of changes) this.put(change.topic, this.#valueOf(change));
  }

  /** Devices of earlier releases do not send what they read last: it is what this page had. */
  #valueOf({ topic, value, stale = false, last_value: last, updated_at: readAt }: MetricChange): LiveValue {
    if (!stale) return { value, stale };
    const lastValue = last ?? shownValue(this.#values.get(topic)) ?? null;
    return { value, stale, lastValue, ...(readAt != null && { readAt: Date.parse(readAt) }) };
  }

  #turn({ state }: StreamStatus): void {
    clearTimeout(this.#forgetting);
    if (state === 'live') {
      this.#defined = new Set();
      this.#forgetting = setTimeout(() => this.#forgetUndefined(), DEFINED_WITHIN_MS);
    }
    this.#setStatus(state);
  }

  /** A device whose configuration was changed has other topics than before. */
  #forgetUndefined(): void {
    const gone = this.#definitions.filter(({ topic }) => !this.#defined.has(topic));
    if (gone.length === 0) return;
    this.#definitions = this.#definitions.filter(({ topic }) => this.#defined.has(topic));
    for (const { topic } of gone) {
      this.#values.delete(topic);
      for (const listener of this.#listeners.get(topic) ?? []) listener();
    }
    for (const listener of this.#listListeners) listener();
  }

  #setStatus(state: LiveStatus['state']): void {
    if (this.#status.state === state) return;
    this.#status = { state, since: Date.now() };
    for (const listener of this.#statusListeners) listener();
  }
}
