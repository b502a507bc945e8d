import type {
  DeviceAbout,
  DeviceAuditEntry,
  DeviceClaim,
  DeviceLinks,
  HistoryAnswer,
  SettingWrite,
} from '@heliograph/contracts';
import type { DiscoveryFields, MetricRow } from '@heliograph/metrics';
import { baseOf, type DeviceAccess, streamUrlOf } from './device/access.ts';
import { Configuration } from './device/configuration.ts';
import { type DeviceClientOptions, DeviceConnection } from './device/connection.ts';
import { Probes } from './device/probes.ts';
import { PageSession } from './device/session.ts';
import type { CallOptions } from './http/call-options.ts';
import { isRecord } from './http/error-message.ts';
import { ApiError, UnexpectedAnswer } from './http/errors.ts';
import type { Query } from './http/query.ts';
import { MetricStream, type StreamOptions } from './stream/metric-stream.ts';

/** How long it may take to read a long past, in milliseconds: a small computer, which polls meanwhile. */
const HISTORY_TIMEOUT_MS = 60_000;

/** Slow inverters take half a minute to accept a setting and report it back, in milliseconds. */
const WRITE_TIMEOUT_MS = 35_000;

/** A metric as a device reports it; the discovery fields are there when they were asked for. */
export type Metric = MetricRow & Partial<DiscoveryFields>;

export interface MetricsOptions {
  /** Glob such as `total/*` or `battery*`; everything when left out. */
  readonly topic?: string;
  /** Adds how each metric is shown and which values it accepts. */
  readonly discovery?: boolean;
  /** Gives up the request when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

export interface HistoryOptions {
  /** Glob such as `total/*`; everything when left out. */
  readonly topic?: string;
  /** The beginning; a day before the end when left out. */
  readonly from?: Date;
  /** The end, which does not belong to it; now when left out. */
  readonly to?: Date;
  /** Seconds between points; as many as a screen shows when left out. */
  readonly stepS?: number;
  /** Gives up the request when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

export interface SettingWritesOptions {
  /** The device answers 20 when it is left out, and never more than 200. */
  readonly limit?: number;
  /** The `id` of a write: only those before it, for the next page. */
  readonly before?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * One device's live values and settings, through its proxy or on the local network.
 *
 * Every method throws ApiError when the device or its proxy refuses, ConnectionError when neither can be
 * reached.
 */
export class DeviceClient {
  /** Signing in to the device's own pages, and its password. */
  readonly session: PageSession;
  readonly configuration: Configuration;
  readonly probes: Probes;
  readonly #device: DeviceConnection;

  constructor(access: DeviceAccess, options: DeviceClientOptions = {}) {
    this.#device = new DeviceConnection(access, options);
    this.session = new PageSession(this.#device);
    this.configuration = new Configuration(this.#device);
    this.probes = new Probes(this.#device);
  }

  async metrics(options: MetricsOptions = {}): Promise<Metric[]> {
    const { topic, discovery, signal } = options;
    const query = { discovery: discovery === true ? true : undefined, topic } as const;
    return (await this.#list('/api/v1/metrics', query, signal)) as Metric[];
  }

  /**
   * The past of the topics that match, as arrays ready to plot; times are seconds since 1970, null is a gap.
   *
   * @throws ApiError with status 400 when it would be too many points, 503 when the device cannot read its file
   */
  async history(options: HistoryOptions = {}): Promise<HistoryAnswer> {
    const { topic, from, to, stepS, signal } = options;
    const answer = await this.#device.json({
      path: '/api/v1/history',
      query: { topic, from: from?.toISOString(), to: to?.toISOString(), step: stepS },
      timeoutMs: HISTORY_TIMEOUT_MS,
      signal,
    });
    if (!isRecord(answer) || !Array.isArray(answer.series)) {
      throw new UnexpectedAnswer(baseOf(this.#device.access), 'the past of metrics');
    }
    // Answers are not validated, since browsers carry no validator.
    return answer as unknown as HistoryAnswer;
  }

  /**
   * Writes and attempted writes of settings, newest first.
   *
   * @throws ApiError with status 403 when the caller may not change settings
   */
  async settingWrites({ limit, before, signal }: SettingWritesOptions = {}): Promise<SettingWrite[]> {
    return (await this.#list('/api/v1/settings/log', { limit, before }, signal)) as SettingWrite[];
  }

  /**
   * Changes of the configuration, probes and failed sign-ins, newest first.
   *
   * @throws ApiError with status 403 when the caller may not configure the device
   */
  async audit({ limit, before, signal }: SettingWritesOptions = {}): Promise<DeviceAuditEntry[]> {
    return (await this.#list('/api/v1/audit', { limit, before }, signal)) as DeviceAuditEntry[];
  }

  /** The bare value of one topic, as text; empty when the device has no such topic or does not know it. */
  async value(topic: string, { signal }: CallOptions = {}): Promise<string> {
    return await this.#device.text({ path: '/api/v1/metrics', query: { topic, value: 1 }, signal });
  }

  /** Identity and software of the device. */
  async about({ signal }: CallOptions = {}): Promise<DeviceAbout> {
    return (await this.#device.json({ path: '/api/v1/device', signal })) as DeviceAbout;
  }

  /** How its connections to hardware, cloud and broker do. @throws ApiError with status 403 for who may only read */
  async links({ signal }: CallOptions = {}): Promise<DeviceLinks> {
    return (await this.#device.json({ path: '/api/v1/links', signal })) as DeviceLinks;
  }

  /** How far it is on its way into an account. @throws ApiError with status 403 for who may only read */
  async claim({ signal }: CallOptions = {}): Promise<DeviceClaim> {
    return (await this.#device.json({ path: '/api/v1/claim', signal })) as DeviceClaim;
  }

  /**
   * Changes a setting of the hardware, at once and for real. Resolves when the hardware has taken it.
   *
   * @throws ApiError with status 422 when the topic cannot be written or the value is refused
   * @throws ConnectionError when no answer came, or the signal aborted: the setting may or may not have changed
   */
  async set(topic: string, value: string | number | boolean, { signal }: CallOptions = {}): Promise<void> {
    await this.#device.json({
      method: 'POST',
      path: '/api/v1/metrics',
      body: { topic, value: String(value) },
      timeoutMs: WRITE_TIMEOUT_MS,
      signal,
    });
  }

  /** Live values as they change, from now until the stream is closed; it reconnects by itself. */
  stream(options: StreamOptions): MetricStream {
    const stream = new MetricStream(
      {
        url: () => streamUrlOf(this.#device.access),
        recover: (signal) => this.#recover(signal),
      },
      options,
    );
    stream.start();
    return stream;
  }

  async #list(path: string, query: Query, signal?: AbortSignal): Promise<unknown[]> {
    const rows = await this.#device.json({ path, query, signal });
    if (!Array.isArray(rows)) throw new UnexpectedAnswer(baseOf(this.#device.access), 'a list');
    return rows;
  }

  /**
   * Finds out why a stream cannot connect, which a WebSocket hides. Renews the access when that may
   * help: the device may be behind another proxy by now.
   *
   * @throws ApiError when the credentials are refused and trying again is of no use
   */
  async #recover(signal: AbortSignal): Promise<void> {
    try {
      await this.#device.json({
        path: '/api/v1/metrics',
        query: { topic: 'system/site_id' },
        retry: false,
        signal,
      });
    } catch (error) {
      if (isRefusal(error)) throw error;
      if (!signal.aborted) await this.#renewQuietly();
    }
  }

  async #renewQuietly(): Promise<void> {
    try {
      await this.#device.renew();
    } catch (error) {
      if (isRefusal(error)) throw error;
    }
  }
}

function isRefusal(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 401 || error.status === 403);
}
