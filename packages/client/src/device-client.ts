import type { DiscoveryFields, MetricRow } from '@heliograph/metrics';
import { baseOf, type DeviceAccess, headersOf, streamUrlOf } from './device-access.ts';
import { type Call, callJson, callText } from './http/call.ts';
import { ApiError, UnexpectedAnswer } from './http/errors.ts';
import { MetricStream, type StreamOptions } from './stream/metric-stream.ts';

/** How long a device may take to answer a read, in milliseconds. */
const READ_TIMEOUT_MS = 15_000;

/** Slow inverters take half a minute to accept a setting and report it back, in milliseconds. */
const WRITE_TIMEOUT_MS = 35_000;

/** A metric as a device reports it; the discovery fields are there when they were asked for. */
export type Metric = MetricRow & Partial<DiscoveryFields>;

export interface MetricsOptions {
  /** Glob such as `total/*` or `battery*`; everything when left out. */
  readonly topic?: string;
  /** Also tells how each metric is shown and what may be written to it. */
  readonly discovery?: boolean;
  /** Gives up the request when it aborts. */
  readonly signal?: AbortSignal;
}

export interface DeviceClientOptions {
  /** Called when the credentials are refused; what it returns is used from then on. */
  readonly renew?: () => Promise<DeviceAccess>;
}

/**
 * One device's live values and settings, through its proxy or on the local network.
 *
 * Every method throws ApiError when the device or its proxy refuses, ConnectionError when neither can be
 * reached.
 */
export class DeviceClient {
  #access: DeviceAccess;
  readonly #renew: (() => Promise<DeviceAccess>) | undefined;

  constructor(access: DeviceAccess, options: DeviceClientOptions = {}) {
    this.#access = access;
    this.#renew = options.renew;
  }

  async metrics(options: MetricsOptions = {}): Promise<Metric[]> {
    const { topic, discovery, signal } = options;
    const rows = await this.#authorized((access) =>
      callJson(baseOf(access), {
        path: '/api/v1/metrics',
        query: { discovery: discovery === true ? true : undefined, topic },
        headers: headersOf(access),
        timeoutMs: READ_TIMEOUT_MS,
        signal,
      }),
    );
    if (!Array.isArray(rows)) throw new UnexpectedAnswer(baseOf(this.#access), 'a list of metrics');
    return rows as Metric[];
  }

  /** The bare value of one topic, as text; empty when the device has no such topic or does not know it. */
  async value(topic: string): Promise<string> {
    return await this.#authorized((access) =>
      callText(baseOf(access), {
        path: '/api/v1/metrics',
        query: { topic, value: 1 },
        headers: headersOf(access),
        timeoutMs: READ_TIMEOUT_MS,
      }),
    );
  }

  /**
   * Changes a setting of the hardware, at once and for real. Resolves when the hardware has taken it.
   *
   * @throws ApiError with status 422 when the topic cannot be written or the value is refused
   * @throws ConnectionError when no answer came: the setting may or may not have changed
   */
  async set(topic: string, value: string | number | boolean): Promise<void> {
    const call: Omit<Call, 'headers'> = {
      method: 'POST',
      path: '/api/v1/metrics',
      body: { topic, value: String(value) },
      timeoutMs: WRITE_TIMEOUT_MS,
    };
    await this.#authorized((access) => callJson(baseOf(access), { ...call, headers: headersOf(access) }));
  }

  /** Live values as they change, from now until the stream is closed; it reconnects by itself. */
  stream(options: StreamOptions): MetricStream {
    const stream = new MetricStream(
      {
        url: () => streamUrlOf(this.#access),
        recover: (signal) => this.#recover(signal),
      },
      options,
    );
    stream.start();
    return stream;
  }

  /** Runs a request; when its credentials are refused and can be renewed, once more with new ones. */
  async #authorized<T>(request: (access: DeviceAccess) => Promise<T>): Promise<T> {
    const used = this.#access;
    try {
      return await request(used);
    } catch (error) {
      if (this.#renew === undefined || !(error instanceof ApiError) || error.status !== 401) throw error;
      if (this.#access === used) this.#access = await this.#renew();
      return await request(this.#access);
    }
  }

  /**
   * Finds out why a stream cannot connect, which a WebSocket does not tell. Renews the access when that may
   * help: the device may be behind another proxy by now.
   *
   * @throws ApiError when the credentials are refused and trying again is of no use
   */
  async #recover(signal: AbortSignal): Promise<void> {
    try {
      await this.metrics({ topic: 'system/site_id', signal });
    } catch (error) {
      if (isRefusal(error)) throw error;
      if (!signal.aborted) await this.#renewQuietly();
    }
  }

  async #renewQuietly(): Promise<void> {
    try {
      if (this.#renew !== undefined) this.#access = await this.#renew();
    } catch (error) {
      if (isRefusal(error)) throw error;
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}
