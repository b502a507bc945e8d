import type { DeviceConnectAnswer, DeviceFacts } from '@heliograph/contracts';
import { Backoff, type Clock, type Logger, messageOf, wait } from '@heliograph/kit';
import type { SigningKey } from '@heliograph/wire';
import type { TunnelHandler } from '../api/tunnel-handler.ts';
import type { KnownSite } from '../auth/known-site.ts';
import { CredentialsRejected, connectToCloud } from './cloud-connect.ts';
import { dialTunnel } from './dial.ts';
import { type Tunnel, type TunnelPings, TunnelServer } from './tunnel-server.ts';

/** How long the uplink waits, in milliseconds. */
export interface UplinkTimes {
  /** Between attempts when something cannot be reached: grows from the first to the second. */
  readonly retryMinMs: number;
  readonly retryMaxMs: number;
  /** After the cloud rejected the device's credentials, which only a person can mend. */
  readonly rejectedRetryMs: number;
  /** A tunnel that lasted this long was a good one: the next failure starts with the short wait again. */
  readonly stableMs: number;
  /** How often it looks, while the tunnel is up, for something of the device that the cloud was not told. */
  readonly factsMs: number;
  readonly pings?: TunnelPings;
}

const UPLINK_TIMES: UplinkTimes = {
  retryMinMs: 1_000,
  retryMaxMs: 60_000,
  rejectedRetryMs: 5 * 60_000,
  stableMs: 30_000,
  factsMs: 30_000,
};

/** Whatever the cloud says, it is asked again within this time, in seconds. */
const MAX_RETRY_AFTER_S = 3_600;

export interface UplinkStatus {
  readonly state: 'offline' | 'connecting' | 'online';
  /** Why it is not online, in words for the homeowner; null when it is or was just started. */
  readonly reason: string | null;
}

export interface UplinkOptions {
  readonly cloudUrl: string;
  readonly uid: string;
  readonly key: SigningKey;
  /** Asked at every attempt and now and then, so that the cloud learns what changed: slow hardware is found late. */
  readonly facts: () => DeviceFacts;
  readonly site: KnownSite;
  /** Called when the cloud was reached: a good moment to fetch its keys again. */
  readonly onCloudReached?: () => void;
  readonly handler: TunnelHandler;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Certificate authorities besides the system's for the proxy, PEM. */
  readonly ca?: string | undefined;
  readonly times?: UplinkTimes;
}

/**
 * Keeps the device reachable from outside: asks the cloud for a proxy, dials it, serves what comes through
 * the tunnel, and does it all again when the tunnel ends.
 */
export class Uplink {
  readonly #options: UplinkOptions;
  readonly #times: UplinkTimes;
  readonly #server: TunnelServer;
  readonly #backoff: Backoff;
  readonly #tunnels = new Set<Tunnel>();
  readonly #stopping = new AbortController();
  #running: Promise<void> | undefined;
  #status: UplinkStatus = { state: 'offline', reason: null };
  #reported: string | null = null;
  /** The facts that the cloud was told last, as JSON. */
  #told: string | undefined;

  constructor(options: UplinkOptions) {
    this.#options = options;
    this.#times = options.times ?? UPLINK_TIMES;
    this.#server = new TunnelServer(options.handler, this.#times.pings);
    this.#backoff = new Backoff({ minMs: this.#times.retryMinMs, maxMs: this.#times.retryMaxMs });
  }

  get status(): UplinkStatus {
    return this.#status;
  }

  start(): void {
    this.#running ??= this.#run(this.#stopping.signal);
  }

  /** Cuts every tunnel and ends all attempts. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const tunnel of this.#tunnels) tunnel.destroy();
    await this.#running;
    this.#status = { state: 'offline', reason: null };
  }

  async #run(stopping: AbortSignal): Promise<void> {
    while (!stopping.aborted) {
      const pauseMs = await this.#attempt(stopping);
      if (!stopping.aborted) await wait(pauseMs, stopping);
    }
  }

  /** One way through: cloud, proxy, tunnel until its end. @returns how long to wait before the next, in ms */
  async #attempt(stopping: AbortSignal): Promise<number> {
    try {
      this.#status = { state: 'connecting', reason: this.#status.reason };
      const { site, ca, onCloudReached } = this.#options;
      const answer = await this.#callCloud(stopping);
      onCloudReached?.();
      if (answer.status !== 'ready') {
        site.set(null);
        this.#offline(REASONS[answer.status]);
        return Math.min(Math.max(answer.retry_after_s, 1), MAX_RETRY_AFTER_S) * 1000;
      }
      site.set(answer.site_id);
      const { proxy, tunnel_token: tunnelToken } = answer;
      const connection = await dialTunnel({ proxyUrl: proxy.url, tunnelToken, signal: stopping, ca });
      await this.#hold(this.#server.serve(connection), proxy.name, stopping);
    } catch (error) {
      if (stopping.aborted) return 0;
      this.#offline(reasonOf(error));
      if (error instanceof CredentialsRejected) return this.#times.rejectedRetryMs;
    }
    return this.#backoff.nextMs();
  }

  async #callCloud(signal: AbortSignal): Promise<DeviceConnectAnswer> {
    const { clock, cloudUrl, uid, key, facts } = this.#options;
    const told = facts();
    const answer = await connectToCloud({ cloudUrl, uid, key, facts: told, nowMs: clock.now(), signal });
    this.#told = JSON.stringify(told);
    return answer;
  }

  /** The way in that the cloud answers with is for the next tunnel. What it did not hear it is told at the next look. */
  async #tellChanges(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await wait(this.#times.factsMs, signal);
      if (signal.aborted || JSON.stringify(this.#options.facts()) === this.#told) continue;
      await this.#callCloud(signal).catch(() => undefined);
    }
  }

  /** Until the tunnel takes no more requests. A draining one is kept beside its successor until it closes. */
  async #hold(tunnel: Tunnel, proxy: string, stopping: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    this.#tunnels.add(tunnel);
    void tunnel.closed.then(() => this.#tunnels.delete(tunnel));
    if (stopping.aborted) tunnel.destroy();
    const since = clock.monotonic();
    this.#online(proxy);
    const ended = new AbortController();
    void this.#tellChanges(AbortSignal.any([stopping, ended.signal]));
    const reason = await tunnel.ended;
    ended.abort();
    if (clock.monotonic() - since >= this.#times.stableMs) this.#backoff.reset();
    if (!stopping.aborted) this.#offline(reason);
  }

  #online(proxy: string): void {
    this.#status = { state: 'online', reason: null };
    this.#reported = null;
    this.#options.logger.info({ proxy }, 'reachable through the proxy');
  }

  /** Logs a reason when it is new, not at every attempt that ends like the one before. */
  #offline(reason: string): void {
    this.#status = { state: 'offline', reason };
    if (reason === this.#reported) return;
    this.#reported = reason;
    this.#options.logger.warn({ reason }, 'not reachable from outside');
  }
}

const REASONS = {
  inactive: 'the device waits to be activated',
  unregistered: 'the device is not registered to an account yet',
} as const;

/** `fetch` hides the system's error in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error ? `${messageOf(error)}: ${messageOf(cause)}` : messageOf(error);
}
