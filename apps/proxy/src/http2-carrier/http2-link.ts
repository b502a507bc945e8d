import { type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2';
import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { addAbortSignal } from 'node:stream';
import { messageOf } from '@heliograph/kit';
import { Link, type LinkListener } from '../links/link.ts';
import { type AnswerListener, type Exchange, type RequestHead, UpstreamEnded } from '../links/upstream.ts';

/** How long a device may take to end a stream whose answer is complete, in milliseconds. */
const END_MS = 1_000;

/** One request on a stream of HTTP/2. */
class Http2Exchange implements Exchange {
  readonly #stream: ClientHttp2Stream;
  readonly #isHead: boolean;
  #isAnswered = false;
  #isSettled = false;
  /** Bytes of the declared length that have not come. */
  #left = Number.POSITIVE_INFINITY;

  constructor(
    stream: ClientHttp2Stream,
    isHead: boolean,
    body: Readable | undefined,
    listener: AnswerListener,
  ) {
    this.#stream = stream;
    this.#isHead = isHead;
    body?.pipe(stream);
    stream.once('close', () => body?.destroy());
    stream.on('response', (head, flags, raw) => {
      this.#onResponse(
        head[':status'] ?? 0,
        raw,
        (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0,
        listener,
      );
    });
    // The close event, which always follows, reports the failure.
    stream.on('error', () => undefined);
    stream.on('close', () => this.#onClose(listener));
  }

  /**
   * Takes the request back. Node's `close` ends a body that is still coming before it resets the stream, so that the device
   * would take the part it has for the whole, and might write it.
   */
  cancel(): void {
    const stream = this.#stream;
    const isComplete = this.#left === 0 && stream.writableEnded;
    this.#isSettled = true;
    if (stream.destroyed) return;
    if (isComplete) this.#awaitEnd();
    else if (stream.writableEnded) stream.close(constants.NGHTTP2_CANCEL);
    else addAbortSignal(AbortSignal.abort(), stream);
  }

  pause(): void {
    this.#stream.pause();
  }

  resume(): void {
    this.#stream.resume();
  }

  #onResponse(status: number, raw: readonly string[], isEnded: boolean, listener: AnswerListener): void {
    if (this.#isSettled) return;
    this.#isAnswered = true;
    if (status === 200 && listener.onUpgrade !== undefined) {
      this.#isSettled = true;
      listener.onUpgrade(raw, this.#stream);
      return;
    }
    const at = raw.findIndex((text, i) => i % 2 === 0 && text === 'content-length');
    const hasBody = !this.#isHead && status !== 204 && status !== 304;
    const length = at < 0 || !hasBody ? undefined : Number(raw[at + 1]);
    this.#left = length ?? Number.POSITIVE_INFINITY;
    listener.onHead(
      status,
      raw.filter((_text, i) => raw[i - (i % 2)]?.startsWith(':') !== true),
      length,
    );
    if (isEnded) {
      this.#stream.resume();
      this.#end(listener);
      return;
    }
    this.#stream.on('data', (chunk: Buffer) => {
      if (this.#isSettled) return;
      this.#left -= chunk.length;
      listener.onData(chunk, this.#left === 0);
    });
    this.#stream.on('end', () => {
      const isWhole = this.#left === 0 || this.#left === Number.POSITIVE_INFINITY;
      if (this.#stream.rstCode === constants.NGHTTP2_NO_ERROR && isWhole) this.#end(listener);
    });
  }

  #end(listener: AnswerListener): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    listener.onEnd();
  }

  #onClose(listener: AnswerListener): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    const isUnread = this.#stream.rstCode === constants.NGHTTP2_REFUSED_STREAM && !this.#isAnswered;
    listener.onLost(isUnread ? 'unread' : 'lost');
  }

  /**
   * Waits for the end of a stream whose answer is complete, which follows within the same flight. A reset would cost a
   * frame for every answer, and devices end tunnels with more resets than a limit.
   */
  #awaitEnd(): void {
    const stream = this.#stream;
    stream.resume();
    const deadline = setTimeout(() => stream.close(constants.NGHTTP2_CANCEL), END_MS);
    stream.once('close', () => clearTimeout(deadline));
  }
}

/** How long requests may still take on a connection that is used up, in milliseconds. */
const USED_UP_DRAIN_MS = 10_000;

/** Codes of Node's for a connection that takes no more streams. */
const ENDED: ReadonlySet<string> = new Set([
  'ERR_HTTP2_GOAWAY_SESSION',
  'ERR_HTTP2_INVALID_SESSION',
  'ERR_HTTP2_OUT_OF_STREAMS',
]);

/** A tunnel on which this proxy is the client of HTTP/2, to a device or a proxy of release 0.1. */
export class Http2Link extends Link {
  readonly #http2: ClientHttp2Session;
  readonly #socket: Socket;
  #openRequests = 0;
  #begunRequests = 0;
  #reason: string | undefined;

  /** @param socket the connection beneath the HTTP/2 session */
  constructor(http2: ClientHttp2Session, socket: Socket, listener: LinkListener) {
    super();
    this.#http2 = http2;
    this.#socket = socket;
    // Once: each would begin a drain. A session with an error ends by itself.
    http2.once('goaway', (code: number) => {
      if (code === constants.NGHTTP2_NO_ERROR) listener.left();
    });
    http2.on('error', (error) => {
      this.#reason ??= messageOf(error);
    });
    http2.on('close', () => listener.closed(this.#reason));
  }

  get isClosing(): boolean {
    return this.#http2.closed || this.#http2.destroyed;
  }

  get isClosed(): boolean {
    return this.#http2.destroyed;
  }

  /** HTTP/2 refuses streams itself beyond the memory of its session. */
  get isCongested(): boolean {
    return false;
  }

  get openRequests(): number {
    return this.#openRequests;
  }

  get begunRequests(): number {
    return this.#begunRequests;
  }

  protected get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  send(head: RequestHead, body: Readable | undefined, listener: AnswerListener): Exchange {
    const stream = this.#open(headersOf(head, head.method), body !== undefined);
    return new Http2Exchange(stream, head.method === 'HEAD', body, listener);
  }

  openWebSocket(head: RequestHead, listener: AnswerListener): Exchange {
    const headers = [...headersOf(head, 'CONNECT'), ':protocol', 'websocket', 'sec-websocket-version', '13'];
    return new Http2Exchange(this.#open(headers, true), false, undefined, listener);
  }

  end(reason: string): void {
    if (this.#http2.destroyed) return;
    this.#reason = reason;
    this.#http2.destroy(undefined, constants.NGHTTP2_NO_ERROR);
    this.#socket.destroy();
  }

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

  signal(payload: Buffer): void {
    this.#ping((callback) => this.#http2.ping(payload, callback));
  }

  protected ping(): void {
    this.#ping((callback) => this.#http2.ping(callback));
  }

  #ping(send: (callback: () => void) => void): void {
    if (this.#http2.destroyed) return;
    try {
      send(ignore);
    } catch (error) {
      this.end(messageOf(error));
    }
  }

  #open(headers: string[], withBody: boolean): ReturnType<ClientHttp2Session['request']> {
    try {
      const stream = this.#http2.request(headers, { endStream: !withBody });
      this.#openRequests++;
      this.#begunRequests++;
      stream.on('close', () => this.#openRequests--);
      return stream;
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : '';
      // After 2^30 requests a connection has no numbers left for more; its successor begins again.
      if (code === 'ERR_HTTP2_OUT_OF_STREAMS') void this.drain(USED_UP_DRAIN_MS, 'it is used up');
      throw ENDED.has(code) ? new UpstreamEnded() : error;
    }
  }
}

/** Pseudo headers first (RFC 9113 section 8.3.1). */
function headersOf({ scheme, path, host, headers }: RequestHead, method: string): string[] {
  const out = [':method', method, ':scheme', scheme, ':path', path];
  // An `:authority` must not be empty.
  if (host !== '') out.push(':authority', host);
  out.push(...headers);
  return out;
}

function ignore(): void {
  // Any received byte counts as a sign of life.
}
