import type { Readable } from 'node:stream';
import type { AnswerListener, Exchange, RequestHead, Upstream } from './upstream.ts';

export interface PingTimings {
  /** After how long a silence the other side is pinged, in milliseconds. */
  readonly pingIntervalMs: number;
  /** How long it then has to send anything, in milliseconds. */
  readonly pingTimeoutMs: number;
}

/** After how long a silence a connection that drains is cut, in milliseconds. */
const DRAINED_SILENCE_MS = 60_000;

export interface LinkListener {
  /** The other side takes no more requests, and finishes those it has. */
  left(): void;
  /** The connection is gone. @param reason in words for the log; undefined: the other side closed it in order */
  closed(reason: string | undefined): void;
}

/** A connection on which this proxy sends requests: to a device, or to another proxy. */
export abstract class Link implements Upstream {
  #receivedBytes = 0;
  /** When bytes were seen to have come last, in milliseconds since any start. */
  #lastReceivedMs = 0;
  #pinged = false;

  /** Whether it takes no more requests, because it ended or drains. */
  abstract readonly isClosing: boolean;
  abstract readonly isClosed: boolean;
  /** Whether so much waits to be sent that it takes no more requests for now. */
  abstract readonly isCongested: boolean;
  /** Requests and WebSockets under way. */
  abstract readonly openRequests: number;
  /** Requests and WebSockets that it has carried, also those that are over. */
  abstract readonly begunRequests: number;
  abstract send(head: RequestHead, body: Readable | undefined, listener: AnswerListener): Exchange;
  abstract openWebSocket(head: RequestHead, listener: AnswerListener): Exchange;
  /** Ends the connection; every request on it fails. */
  abstract end(reason: string): void;
  /** Opens no more requests, lets those that are open finish until the deadline, then ends. */
  abstract drain(deadlineMs: number, reason: string): Promise<void>;
  /** Sends a message about the tunnel. @param payload eight bytes */
  abstract signal(payload: Buffer): void;
  protected abstract ping(): void;
  /** Bytes that came so far. */
  protected abstract readonly bytesRead: number;

  /**
   * Checks whether the other side is alive: any byte counts, and only after a silence it is pinged.
   *
   * @param nowMs milliseconds since any start
   * @returns false when the connection has ended
   */
  checkLiveness(nowMs: number, { pingIntervalMs, pingTimeoutMs }: PingTimings): boolean {
    if (this.isClosed) return false;
    const { bytesRead } = this;
    if (bytesRead !== this.#receivedBytes) {
      this.#receivedBytes = bytesRead;
      this.#lastReceivedMs = nowMs;
      this.#pinged = false;
      return true;
    }
    const silentMs = nowMs - this.#lastReceivedMs;
    // The rest of a connection that drains may take its time, but not for ever.
    if (this.isClosing) {
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
