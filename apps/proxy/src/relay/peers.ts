import { type Logger, messageOf } from '@heliograph/kit';
import type { Heartbeats } from '../tunnels/heartbeats.ts';
import { TunnelLink } from '../tunnels/tunnel-link.ts';
import { dialPeer, type PeerConnection } from './peer-dial.ts';

const IDLE_MS = 60_000;
/** How long requests may still take on a tunnel that its proxy gave up, in milliseconds. */
const DRAIN_MS = 60_000;
/** A proxy that could not be dialled is not dialled again for so long, in milliseconds. */
const FAILURE_PAUSE_MS = 500;
/** A failure so long after another one is the first of its own series, in milliseconds. */
const SERIES_GAP_MS = 60_000;

/** Another proxy cannot be dialled. */
export class PeerUnreachable extends Error {
  override readonly name = 'PeerUnreachable';
  /** Since when, on the monotonic clock in milliseconds. */
  readonly sinceMs: number;

  constructor(sinceMs: number, cause: unknown) {
    super(messageOf(cause), { cause });
    this.sinceMs = sinceMs;
  }
}

/** Another proxy, as the cloud names it. */
export interface PeerAddress {
  readonly name: string;
  /** URL to dial. */
  readonly url: string;
}

/** The tunnel to another proxy, which takes requests for the sites that it holds. */
class PeerTunnel extends TunnelLink {
  readonly address: PeerAddress;
  readonly #logger: Logger;
  /** Whether it carried something since it was asked last. */
  #used = true;

  constructor(address: PeerAddress, { http2, socket }: PeerConnection, logger: Logger) {
    super(http2, socket);
    this.address = address;
    this.#logger = logger;
  }

  override open(...args: Parameters<TunnelLink['open']>): ReturnType<TunnelLink['open']> {
    this.#used = true;
    return super.open(...args);
  }

  /** Whether nothing went through it since this was asked last. */
  takeIdle(): boolean {
    const idle = !this.#used && this.openStreams === 0;
    this.#used = false;
    return idle;
  }

  protected override onEnd(reason: string): void {
    this.#logger.warn({ proxy: this.address.name, reason }, 'the tunnel to another proxy ended');
  }
}

interface Failure {
  readonly error: PeerUnreachable;
  readonly untilMs: number;
}

/** One tunnel to each other proxy, dialled when the first request needs it. */
export class Peers {
  readonly #heartbeats: Heartbeats;
  readonly #logger: Logger;
  readonly #tunnels = new Map<string, PeerTunnel>();
  readonly #dialling = new Map<string, Promise<PeerTunnel>>();
  readonly #failures = new Map<string, Failure>();
  readonly #idleTimer: NodeJS.Timeout;
  #stopped = false;

  /** @param idleMs a tunnel that carried nothing for at least so long is closed, in milliseconds */
  constructor(heartbeats: Heartbeats, logger: Logger, idleMs = IDLE_MS) {
    this.#heartbeats = heartbeats;
    this.#logger = logger;
    this.#idleTimer = setInterval(() => this.#closeIdle(), idleMs).unref();
  }

  /**
   * The tunnel to another proxy.
   *
   * @param token lets this proxy dial that one
   * @throws PeerUnreachable when it cannot be dialled
   */
  async connect(address: PeerAddress, token: string): Promise<TunnelLink> {
    const tunnel = this.#tunnels.get(address.name);
    if (tunnel !== undefined && !tunnel.isClosing && tunnel.address.url === address.url) return tunnel;
    const failure = this.#failures.get(address.name);
    if (failure !== undefined && performance.now() < failure.untilMs) throw failure.error;
    const dialling = this.#dialling.get(address.name);
    if (dialling !== undefined) return dialling;
    const dialled = this.#dial(address, token).finally(() => this.#dialling.delete(address.name));
    this.#dialling.set(address.name, dialled);
    return dialled;
  }

  /** Lets what is under way finish until the deadline, in milliseconds, and closes. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#idleTimer);
    await Promise.all([...this.#tunnels.values()].map((tunnel) => tunnel.drain(deadlineMs, 'drained')));
  }

  async #dial(address: PeerAddress, token: string): Promise<PeerTunnel> {
    try {
      const tunnel = new PeerTunnel(address, await dialPeer(address.url, token), this.#logger);
      if (this.#stopped) tunnel.end('the proxy stopped');
      this.#failures.delete(address.name);
      void this.#tunnels.get(address.name)?.drain(DRAIN_MS, 'replaced by another one');
      this.#tunnels.set(address.name, tunnel);
      this.#heartbeats.add(tunnel);
      this.#logger.info({ proxy: address.name }, 'relaying to another proxy');
      return tunnel;
    } catch (cause) {
      const { name, url } = address;
      const nowMs = performance.now();
      const last = this.#failures.get(name);
      const isFirst = last === undefined || nowMs - last.untilMs > SERIES_GAP_MS;
      const error = new PeerUnreachable(isFirst ? nowMs : last.error.sinceMs, cause);
      this.#failures.set(name, { error, untilMs: nowMs + FAILURE_PAUSE_MS });
      this.#logger.warn({ proxy: name, url, reason: error.message }, 'another proxy cannot be dialled');
      throw error;
    }
  }

  #closeIdle(): void {
    for (const [name, tunnel] of this.#tunnels) {
      if (!tunnel.isClosing && !tunnel.takeIdle()) continue;
      this.#tunnels.delete(name);
      void tunnel.drain(DRAIN_MS, 'drained');
    }
  }
}
