import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { type Clock, type Logger, messageOf } from '@heliograph/kit';
import { HTTP2_RELAY_PROTOCOL, RELAY_PATH, RELAY_PROTOCOL } from '@heliograph/wire';
import { connectHttp2 } from '../http2-carrier/connect-http2.ts';
import type { Link, LinkListener } from '../links/link.ts';
import { TunnelLink } from '../links/tunnel-link.ts';
import type { Heartbeats } from '../tunnels/heartbeats.ts';

/** How long another proxy may take to open the way to it, in milliseconds. */
const DIAL_TIMEOUT_MS = 3_000;
/** How long the network may be silent before the system asks whether the peer is there, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;

/** The other proxy answered, and did not open the tunnel. */
class RelayRefused extends Error {
  override readonly name = 'RelayRefused';

  constructor(status: number | undefined) {
    super(`it answered ${status}`);
  }
}

/**
 * Opens the tunnel to another proxy. One of release 0.1 refuses the protocol, and is dialled with HTTP/2.
 *
 * @param url where that proxy is dialled
 * @returns makes the link of the tunnel
 * @throws with the reason, for the log
 */
export async function dialPeer(url: string, token: string): Promise<(listener: LinkListener) => Link> {
  const signal = AbortSignal.timeout(DIAL_TIMEOUT_MS);
  try {
    const socket = await upgraded(url, token, RELAY_PROTOCOL, signal);
    return (listener) => new TunnelLink(socket, listener);
  } catch (error) {
    if (!(error instanceof RelayRefused)) throw error;
  }
  const socket = await upgraded(url, token, HTTP2_RELAY_PROTOCOL, signal);
  return await connectHttp2(socket, DIAL_TIMEOUT_MS);
}

function upgraded(url: string, token: string, upgrade: string, signal: AbortSignal): Promise<Socket> {
  const send = url.startsWith('https:') ? httpsRequest : httpRequest;
  const headers = { connection: 'Upgrade', upgrade, authorization: `Bearer ${token}` };
  const req = send(url + RELAY_PATH, { agent: false, headers, signal });
  return new Promise((resolve, reject) => {
    req.on('error', reject);
    req.on('upgrade', (_res: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => socket.destroy());
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    req.on('response', (res: IncomingMessage) => {
      res.destroy();
      reject(new RelayRefused(res.statusCode));
    });
    req.end();
  });
}

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

export interface PeersOptions {
  readonly heartbeats: Heartbeats;
  readonly logger: Logger;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** A tunnel that carried nothing for at least so long is closed, in milliseconds. */
  readonly idleMs?: number;
}

/** One tunnel to each other proxy, dialled when the first request needs it. */
export class Peers {
  readonly #heartbeats: Heartbeats;
  readonly #logger: Logger;
  readonly #clock: Pick<Clock, 'monotonic'>;
  readonly #tunnels = new Map<string, PeerTunnel>();
  readonly #dialling = new Map<string, Promise<Link>>();
  readonly #failures = new Map<string, Failure>();
  readonly #idleTimer: NodeJS.Timeout;
  #stopped = false;

  constructor({ heartbeats, logger, clock, idleMs = IDLE_MS }: PeersOptions) {
    this.#heartbeats = heartbeats;
    this.#logger = logger;
    this.#clock = clock;
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
    if (failure !== undefined && this.#clock.monotonic() < failure.untilMs) throw failure.error;
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
      const nowMs = this.#clock.monotonic();
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
