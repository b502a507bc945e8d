import type {
  DeviceAbout,
  DeviceAuditEntry,
  DeviceClaim,
  DeviceLinks,
  DeviceSupport,
  DeviceSupportChange,
  EnergyAnswer,
  EnergyStepName,
  HistoryAnswer,
  SettingWrite,
} from '@heliograph/contracts';
import type { DiscoveryFields, MetricRow } from '@heliograph/metrics';
import { baseOf, type DeviceAccess, type DeviceClientOptions, streamUrlOf } from './device/access.ts';
import { type Configuration, configurationOf } from './device/configuration.ts';
import { DeviceConnection } from './device/connection.ts';
import { type Probes, probesOf } from './device/probes.ts';
import { type PageSession, sessionOf } from './device/session.ts';
import type { CallOptions } from './http/call-options.ts';
import { ApiError, UnexpectedAnswer } from './http/errors.ts';
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

export interface EnergyOptions {
  /** The beginning, moved to that of its step: a moment, or a date such as 2026-11-22 of the site. */
  readonly from?: Date | string | undefined;
  /** The end, which does not belong to it. */
  readonly to?: Date | string | undefined;
  /** `day` when left out. */
  readonly step?: EnergyStepName | undefined;
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
    this.session = sessionOf(this.#device);
    this.configuration = configurationOf(this.#device);
    this.probes = probesOf(this.#device);
  }

  /** @internal */
  get connection(): DeviceConnection {
    return this.#device;
  }

  async metrics({ topic, discovery, signal }: MetricsOptions = {}): Promise<Metric[]> {
    const query = { discovery: discovery === true ? discovery : undefined, topic };
    const rows: unknown = await this.#device.json('GET /api/v1/metrics', { signal }, query);
    if (!Array.isArray(rows)) throw new UnexpectedAnswer(baseOf(this.#device.access), 'a list');
    return rows as Metric[];
  }

  /**
   * The past of the topics that match, as arrays ready to plot; times are seconds since 1970, null is a gap.
   *
   * @throws ApiError with status 400 when it would be too many points, 503 when the device cannot read its file
   */
  history({ topic, from, to, stepS, signal }: HistoryOptions = {}): Promise<HistoryAnswer> {
    const query = { topic, from: from?.toISOString(), to: to?.toISOString(), step: stepS };
    return this.#device.json('GET /api/v1/history', { timeoutMs: HISTORY_TIMEOUT_MS, signal }, query);
  }

  /**
   * The energy of hours, days, weeks, months or years in kWh, and where it came from and went.
   *
   * @throws ApiError with status 400 when it would be too many steps, 404 when the device is of a version without it
   */
  energy({ from, to, step, signal }: EnergyOptions = {}): Promise<EnergyAnswer> {
    const query = { from: timeText(from), to: timeText(to), step };
    return this.#device.json('GET /api/v1/energy', { timeoutMs: HISTORY_TIMEOUT_MS, signal }, query);
  }

  /**
   * Writes and attempted writes of settings, newest first.
   *
   * @throws ApiError with status 403 when the caller may not change settings
   */
  settingWrites({ signal, ...query }: SettingWritesOptions = {}): Promise<SettingWrite[]> {
    return this.#device.json('GET /api/v1/settings/log', { signal }, query);
  }

  /**
   * Changes of the configuration, probes and failed sign-ins, newest first.
   *
   * @throws ApiError with status 403 when the caller may not configure the device
   */
  audit({ signal, ...query }: SettingWritesOptions = {}): Promise<DeviceAuditEntry[]> {
    return this.#device.json('GET /api/v1/audit', { signal }, query);
  }

  /** The bare value of one topic, as text; empty when the device has no such topic or does not know it. */
  value(topic: string, options?: CallOptions): Promise<string> {
    return this.#device.text('GET /api/v1/metrics', options, { topic, value: 1 });
  }

  /** Identity and software of the device. */
  about(options?: CallOptions): Promise<DeviceAbout> {
    return this.#device.json('GET /api/v1/device', options);
  }

  /** How its connections to hardware, cloud and broker do. @throws ApiError with status 403 for who may only read */
  links(options?: CallOptions): Promise<DeviceLinks> {
    return this.#device.json('GET /api/v1/links', options);
  }

  /** Whether support may be let in, and who is now. */
  support(options?: CallOptions): Promise<DeviceSupport> {
    return this.#device.json('GET /api/v1/support', options);
  }

  /** @throws ApiError with status 403 when the caller may not configure the device */
  changeSupport(change: DeviceSupportChange): Promise<DeviceSupport> {
    return this.#device.json('PATCH /api/v1/support', {}, change);
  }

  /** Ends a support session at once, also without the cloud. */
  async endSupportSession(id: number): Promise<void> {
    await this.#device.text(`DELETE /api/v1/support/sessions/${id}`);
  }

  /** How far it is on its way into an account. @throws ApiError with status 403 for who may only read */
  claim(options?: CallOptions): Promise<DeviceClaim> {
    return this.#device.json('GET /api/v1/claim', options);
  }

  /**
   * Changes a setting of the hardware, at once and for real. Resolves when the hardware has taken it.
   *
   * @throws ApiError with status 422 when the topic cannot be written or the value is refused
   * @throws ConnectionError when no answer came, or the signal aborted: the setting may or may not have changed
   */
  async set(topic: string, value: string | number | boolean, { signal }: CallOptions = {}): Promise<void> {
    const options = { timeoutMs: WRITE_TIMEOUT_MS, signal };
    await this.#device.json('POST /api/v1/metrics', options, { topic, value: String(value) });
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

  /**
   * Finds out why a stream cannot connect, which a WebSocket hides. Renews the access when that may
   * help: the device may be behind another proxy by now.
   *
   * @throws ApiError when the credentials are refused and trying again is of no use
   */
  async #recover(signal: AbortSignal): Promise<void> {
    try {
      await this.#device.json('GET /api/v1/metrics', { retry: false, signal }, { topic: 'system/site_id' });
    } catch (error) {
      throwRefusal(error);
      if (!signal.aborted) await this.#device.renew().catch(throwRefusal);
    }
  }
}

/** Passes over failures that may be gone at the next attempt. */
function throwRefusal(error: unknown): void {
  if (error instanceof ApiError && (error.status === 401 || error.status === 403)) throw error;
}

function timeText(time: Date | string | undefined): string | undefined {
  return time instanceof Date ? time.toISOString() : time;
}
