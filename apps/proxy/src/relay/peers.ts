import { type Logger, messageOf } from '@heliograph/kit';
import type { Link, LinkListener } from '../links/link.ts';
import type { Heartbeats } from '../tunnels/heartbeats.ts';
import { dialPeer } from './peer-dial.ts';

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
class PeerTunnel {
  readonly address: PeerAddress;
  readonly link: Link;
  /** How many requests it had begun when it was asked last. */
  #begun = 0;

  constructor(address: PeerAddress, connect: (listener: LinkListener) => Link, logger: Logger) {
    this.address = address;
    this.link = connect({
      left: () => undefined,
      closed: (reason) => {
        if (reason !== undefined)
          logger.warn({ proxy: address.name, reason }, 'the tunnel to another proxy ended');
      },
    });
  }

  /** Whether nothing went through it since this was asked last. */
  takeIdle(): boolean {
    const { begunRequests, openRequests } = this.link;
    const idle = begunRequests === this.#begun && openRequests === 0;
    this.#begun = begunRequests;
    return idle;
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
  readonly #dialling = new Map<string, Promise<Link>>();
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
  async connect(address: PeerAddress, token: string): Promise<Link> {
    const tunnel = this.#tunnels.get(address.name);
    if (tunnel !== undefined && !tunnel.link.isClosing && tunnel.address.url === address.url)
      return tunnel.link;
    const failure = this.#failures.get(address.name);
    if (failure !== undefined && performance.now() < failure.untilMs) throw failure.error;
    const dialling = this.#dialling.get(address.name);
    if (dialling !== undefined) return await dialling;
    const dialled = this.#dial(address, token).finally(() => this.#dialling.delete(address.name));
    this.#dialling.set(address.name, dialled);
    return await dialled;
  }

  /** Lets what is under way finish until the deadline, in milliseconds, and closes. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#idleTimer);
    await Promise.all([...this.#tunnels.values()].map(({ link }) => link.drain(deadlineMs, 'drained')));
  }

  async #dial(address: PeerAddress, token: string): Promise<Link> {
    try {
      const tunnel = new PeerTunnel(address, await dialPeer(address.url, token), this.#logger);
      if (this.#stopped) tunnel.link.end('the proxy stopped');
      this.#failures.delete(address.name);
      void this.#tunnels.get(address.name)?.link.drain(DRAIN_MS, 'replaced by another one');
      this.#tunnels.set(address.name, tunnel);
      this.#heartbeats.add(tunnel.link);
      this.#logger.info({ proxy: address.name }, 'relaying to another proxy');
      return tunnel.link;
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
      if (!tunnel.link.isClosing && !tunnel.takeIdle()) continue;
      this.#tunnels.delete(name);
      void tunnel.link.drain(DRAIN_MS, 'drained');
    }
  }
}
