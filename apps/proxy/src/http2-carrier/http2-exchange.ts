import { type ClientHttp2Stream, constants } from 'node:http2';
import { addAbortSignal, type Readable } from 'node:stream';
import type { AnswerListener, Exchange } from '../links/upstream.ts';

/** How long a device may take to end a stream whose answer is complete, in milliseconds. */
const END_MS = 1_000;

/** One request on a stream of HTTP/2. */
export class Http2Exchange implements Exchange {
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
