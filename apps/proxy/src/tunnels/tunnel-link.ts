import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import type { Socket } from 'node:net';
import { messageOf } from '@heliograph/kit';
import { errorCodeOf, type Upstream } from './upstream.ts';

export interface PingTimings {
  /** After how long a silence the other side is pinged, in milliseconds. */
  readonly pingIntervalMs: number;
  /** How long it then has to send anything, in milliseconds. */
  readonly pingTimeoutMs: number;
}

/** After how long a silence a connection that drains is cut, in milliseconds. */
const DRAINED_SILENCE_MS = 60_000;

/** How long requests may still take on a connection that is used up, in milliseconds. */
const USED_UP_DRAIN_MS = 10_000;

const WITH_BODY = { endStream: false };
const WITHOUT_BODY = { endStream: true };

/** A connection on which this proxy is the HTTP/2 client: to a device, or to another proxy. */
export abstract class TunnelLink implements Upstream {
  readonly #http2: ClientHttp2Session;
  readonly #socket: Socket;
  #openStreams = 0;
  #receivedBytes = 0;
  /** When bytes were seen to have come last, in milliseconds since any start. */
  #lastReceivedMs = 0;
  #pinged = false;
  readonly #onStreamClosed = (): void => {
    this.#openStreams--;
  };

  /** @param socket the connection beneath the HTTP/2 session */
  constructor(http2: ClientHttp2Session, socket: Socket) {
    this.#http2 = http2;
    this.#socket = socket;
  }

  /** Called once with the reason when this side ends the connection. */
  protected abstract onEnd(reason: string): void;

  /** Whether it takes no more requests, because it ended or drains. */
  get isClosing(): boolean {
    return this.#http2.closed || this.#http2.destroyed;
  }

  get openStreams(): number {
    return this.#openStreams;
  }

  open(headers: string[], withBody: boolean): ClientHttp2Stream {
    let stream: ClientHttp2Stream;
    try {
      stream = this.#http2.request(headers, withBody ? WITH_BODY : WITHOUT_BODY);
    } catch (error) {
      // After 2^30 requests a connection has no numbers left for more; its successor begins again.
      if (errorCodeOf(error) === 'ERR_HTTP2_OUT_OF_STREAMS')
        void this.drain(USED_UP_DRAIN_MS, 'it is used up');
      throw error;
    }
    this.#openStreams++;
    stream.on('close', this.#onStreamClosed);
    return stream;
  }

  /** Ends the connection at once; every request on it fails. */
  end(reason: string): void {
    if (this.#http2.destroyed) return;
    this.onEnd(reason);
    this.#http2.destroy(undefined, constants.NGHTTP2_NO_ERROR);
    this.#socket.destroy();
  }

  /** Opens no more requests, lets those that are open finish until the deadline, then ends. */
  async drain(deadlineMs: number, reason: string): Promise<void> {
    if (this.#http2.destroyed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.end(reason), deadlineMs);
      this.#http2.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      this.#http2.close();
    });
  }

  /** Sends a ping with a payload of 8 bytes. */
  ping(payload?: Buffer): void {
    if (this.#http2.destroyed) return;
    try {
      if (payload === undefined) this.#http2.ping(ignore);
      else this.#http2.ping(payload, ignore);
    } catch (error) {
      this.end(messageOf(error));
    }
  }

  /**
   * Checks whether the other side is alive: any byte counts, and only after a silence it is pinged.
   *
   * @param nowMs milliseconds since any start
   * @returns false when the connection has ended
   */
  checkLiveness(nowMs: number, { pingIntervalMs, pingTimeoutMs }: PingTimings): boolean {
    if (this.#http2.destroyed) return false;
    const { bytesRead } = this.#socket;
    if (bytesRead !== this.#receivedBytes) {
      this.#receivedBytes = bytesRead;
      this.#lastReceivedMs = nowMs;
      this.#pinged = false;
      return true;
    }
    const silentMs = nowMs - this.#lastReceivedMs;
    // Node sends no pings any more on a connection that drains; what is left on it may take its time, but not for ever.
    if (this.#http2.closed) {
      if (silentMs >= DRAINED_SILENCE_MS) this.end('nothing came any more of what was under way');
      return true;
    }
    if (silentMs >= pingIntervalMs + pingTimeoutMs && this.#pinged) {
      this.end(
        `no answer to a ping, and silence for ${Math.round(silentMs / 1000)} s: its network or power failed`,
      );
      return false;
    }
    if (silentMs >= pingIntervalMs && !this.#pinged) {
      this.#pinged = true;
      this.ping();
    }
    return true;
  }
}

function ignore(): void {
  // Any received byte counts as a sign of life.
}
