import type { DefinitionRow, DiscoveryFields, MetricRow, MetricValue } from '@heliograph/metrics';
import { type BackOff, backOffMs, pause } from '../http/back-off.ts';
import { ChannelConnection, type ConnectionTimings } from './channel-connection.ts';
import { PendingWrites, WriteFailed } from './pending-writes.ts';

/** Definition of a metric, sent once per connection before the metric's first value. */
export type MetricDefinition = DefinitionRow & Partial<DiscoveryFields>;

/** A metric's new value, or its old one again: devices repeat values from time to time. */
export interface MetricChange {
  readonly topic: string;
  readonly value: MetricValue;
  /** The last reading is too old to count; the value is null then. */
  readonly stale?: boolean;
  /** When it was read last, as ISO 8601, while that is too old; null before the first reading. */
  readonly updated_at?: string | null;
  /** The reading of that time. */
  readonly last_value?: MetricValue;
}

/** A glob, or a glob with the shortest time between two updates of one topic, in whole seconds. */
export type StreamTopic = string | { readonly topic: string; readonly maxFrequencyS: number };

export type StreamStatus =
  | { readonly state: 'live' }
  /** The connection ended or could not be made; the stream tries again by itself. */
  | { readonly state: 'reconnecting'; readonly reason: string };

export interface StreamOptions {
  /** `*` for everything; left out, the device sends its usual selection. */
  readonly topics?: readonly StreamTopic[];
  /** Topics whose values come before those of all others, on a slow line seconds earlier; they are among `topics`. */
  readonly firstTopics?: readonly StreamTopic[];
  readonly onDefinitions?: (definitions: readonly MetricDefinition[]) => void;
  readonly onMetrics?: (changes: readonly MetricChange[]) => void;
  /** Rows about the device itself, whatever the topics. */
  readonly onSystem?: (rows: readonly MetricRow[]) => void;
  readonly onStatus?: (status: StreamStatus) => void;
  /** Closes the stream when it aborts. */
  readonly signal?: AbortSignal;
  readonly timings?: Partial<StreamTimings>;
}

export interface StreamTimings extends ConnectionTimings {
  readonly reconnect: BackOff;
  /** A connection that lived this long was a good one: the next attempt comes soon. */
  readonly stableAfterMs: number;
  readonly writeTimeoutMs: number;
}

const TIMINGS: StreamTimings = {
  joinTimeoutMs: 10_000,
  heartbeatIntervalMs: 30_000,
  heartbeatTimeoutMs: 10_000,
  checkTimeoutMs: 2_000,
  reconnect: { minMs: 500, maxMs: 30_000 },
  stableAfterMs: 10_000,
  writeTimeoutMs: 35_000,
};

/** The endpoint of a stream. */
export interface StreamOrigin {
  /** The URL for the next connection. */
  url(): string;
  /** Called after a connection that never came to life. @throws when trying again is of no use */
  recover(signal: AbortSignal): Promise<void>;
}

/**
 * Live values of one device, over as many connections as it takes.
 */
export class MetricStream {
  readonly #origin: StreamOrigin;
  readonly #options: StreamOptions;
  readonly #timings: StreamTimings;
  readonly #closing = new AbortController();
  readonly #writes = new PendingWrites();
  #ended = Promise.resolve();
  #connection: ChannelConnection | undefined;
  #live = false;

  constructor(origin: StreamOrigin, options: StreamOptions) {
    this.#origin = origin;
    this.#options = options;
    this.#timings = { ...TIMINGS, ...options.timings };
  }

  /** Resolves when the stream was closed; rejects with ApiError when its credentials were refused for good. */
  get ended(): Promise<void> {
    return this.#ended;
  }

  start(): void {
    const { signal } = this.#options;
    if (signal?.aborted) return;
    signal?.addEventListener('abort', () => this.close());
    this.#ended = this.#run();
    this.#ended.catch(() => undefined);
  }

  /**
   * Checks at once whether the connection is alive, for instance after a change of the network. A dead one is
   * replaced as usual.
   */
  check(): void {
    this.#connection?.check();
  }

  close(): void {
    this.#closing.abort();
    this.#connection?.close();
  }

  /**
   * Changes a setting over the stream's connection. Never repeated by the stream.
   *
   * @throws WriteFailed when the device refuses, or with an unknown outcome when the connection is lost
   */
  async set(topic: string, value: string | number | boolean): Promise<void> {
    if (!this.#live) throw new WriteFailed(`${topic}: not connected; nothing was changed`);
    this.#connection?.push('set', { topic, value: String(value) });
    await this.#writes.add(topic, this.#timings.writeTimeoutMs);
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let failures = 0;
    while (!signal.aborted) {
      const { reason, stableMs } = await this.#connectOnce();
      if (signal.aborted) return;
      this.#options.onStatus?.({ state: 'reconnecting', reason });
      if (stableMs === null) await this.#origin.recover(signal);
      failures = stableMs !== null && stableMs >= this.#timings.stableAfterMs ? 0 : failures + 1;
      await pause(backOffMs(failures, this.#timings.reconnect), signal);
    }
  }

  /** One connection's life; `stableMs` counts from the join, null when there was none. */
  async #connectOnce(): Promise<{ reason: string; stableMs: number | null }> {
    const { topics, firstTopics } = this.#options;
    let joinedAt: number | null = null;
    const reason = await new Promise<string>((resolve) => {
      this.#connection = new ChannelConnection(
        this.#origin.url(),
        topicsPayload(firstTopics ?? topics),
        {
          onJoined: () => {
            joinedAt = performance.now();
            this.#live = true;
            if (firstTopics !== undefined) this.#connection?.push('topics', topicsPayload(topics));
            this.#options.onStatus?.({ state: 'live' });
          },
          onPush: (event, payload) => this.#receive(event, payload),
          onEnded: resolve,
        },
        this.#timings,
      );
    });
    this.#live = false;
    this.#writes.abandon();
    return { reason, stableMs: joinedAt === null ? null : performance.now() - joinedAt };
  }

  #receive(event: string, payload: Readonly<Record<string, unknown>>): void {
    const { onDefinitions, onMetrics, onSystem } = this.#options;
    if (event === 'data') onMetrics?.(listOf<MetricChange>(payload.metrics));
    else if (event === 'definition') onDefinitions?.(listOf<MetricDefinition>(payload.definitions));
    else if (event === 'system') onSystem?.(listOf<MetricRow>(payload.metrics));
    else if (event === 'set_result') this.#writes.settle(payload);
  }
}

function topicsPayload(topics: readonly StreamTopic[] | undefined): Readonly<Record<string, unknown>> {
  if (topics === undefined) return {};
  return {
    topics: topics.map((topic) =>
      typeof topic === 'string' ? { topic } : { topic: topic.topic, max_frequency_s: topic.maxFrequencyS },
    ),
  };
}

function listOf<T>(value: unknown): readonly T[] {
  return Array.isArray(value) ? (value as T[]) : [];
}
