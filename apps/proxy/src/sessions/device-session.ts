import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import type { Socket } from 'node:net';
import { type Logger, messageOf } from '@heliograph/kit';
import { TUNNEL_PING_INTERVAL_MS, TUNNEL_PING_TIMEOUT_MS } from '@heliograph/wire';
import type { Upstream } from '../forward/upstream.ts';

/** Streams one device serves at a time; what comes beyond is refused rather than queued. */
export const MAX_STREAMS_PER_DEVICE = 1_000;

export interface DeviceSessionOptions {
  readonly uid: string;
  readonly siteId: number;
  readonly http2: ClientHttp2Session;
  /** The connection beneath the HTTP/2 session. */
  readonly socket: Socket;
  readonly logger: Logger;
  readonly pingIntervalMs?: number | undefined;
  readonly pingTimeoutMs?: number | undefined;
}

const WITH_BODY = { endStream: false };
const WITHOUT_BODY = { endStream: true };

/** One connected device: the proxy is the HTTP/2 client on the connection that the device dialled. */
export class DeviceSession implements Upstream {
  readonly uid: string;
  readonly siteId: number;
  readonly #options: DeviceSessionOptions;
  readonly #http2: ClientHttp2Session;
  #pinging: NodeJS.Timeout | undefined;
  #missed: NodeJS.Timeout | undefined;
  #openStreams = 0;
  readonly #onStreamClosed = (): void => {
    this.#openStreams--;
  };

  constructor(options: DeviceSessionOptions) {
    this.uid = options.uid;
    this.siteId = options.siteId;
    this.#options = options;
    this.#http2 = options.http2;
  }

  /**
   * Begins to watch the connection.
   *
   * @param onGone called once, when the device takes no more requests: its connection ended or it says so
   */
  start(onGone: () => void): void {
    this.#http2.once('goaway', onGone);
    this.#http2.once('close', () => {
      clearInterval(this.#pinging);
      clearTimeout(this.#missed);
      onGone();
    });
    this.#pinging = setInterval(() => this.#ping(), this.#options.pingIntervalMs ?? TUNNEL_PING_INTERVAL_MS);
    this.#pinging.unref();
  }

  /** Whether it takes no more requests, because it ended or drains. */
  get gone(): boolean {
    return this.#http2.closed || this.#http2.destroyed;
  }

  get busy(): boolean {
    return this.#openStreams >= MAX_STREAMS_PER_DEVICE;
  }

  open(headers: string[], withBody: boolean): ClientHttp2Stream {
    const stream = this.#http2.request(headers, withBody ? WITH_BODY : WITHOUT_BODY);
    this.#openStreams++;
    stream.on('close', this.#onStreamClosed);
    return stream;
  }

  /** Ends the session at once; every request on it fails. */
  end(reason: string): void {
    if (this.#http2.destroyed) return;
    this.#options.logger.info({ uid: this.uid, site: this.siteId, reason }, 'session ended');
    this.#http2.destroy(undefined, constants.NGHTTP2_NO_ERROR);
    this.#options.socket.destroy();
  }

  /** Tells the device to go elsewhere, lets open requests finish until the deadline, then ends. */
  async drain(deadlineMs: number): Promise<void> {
    if (this.#http2.destroyed) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(() => this.end('drained'), deadlineMs);
      this.#http2.once('close', () => {
        clearTimeout(timer);
        resolve();
      });
      this.#http2.close();
    });
  }

  /** A session whose ping is not answered is dead, unless bytes keep coming: then the link is merely full. */
  #ping(): void {
    if (this.#http2.destroyed || this.#missed !== undefined) return;
    const { socket, pingTimeoutMs = TUNNEL_PING_TIMEOUT_MS } = this.#options;
    const receivedBytes = socket.bytesRead;
    this.#missed = setTimeout(() => {
      this.#missed = undefined;
      if (socket.bytesRead === receivedBytes) this.end('ping was not answered');
    }, pingTimeoutMs);
    try {
      this.#http2.ping(() => {
        clearTimeout(this.#missed);
        this.#missed = undefined;
      });
    } catch (error) {
      this.end(messageOf(error));
    }
  }
}
