import { randomBytes } from 'node:crypto';
import type { Duplex, Readable } from 'node:stream';
import { UNREAD_HEADER } from '@heliograph/tunnel';
import type { Client, Dispatcher } from 'undici';
import {
  type AnswerListener,
  type Exchange,
  type Loss,
  type RequestHead,
  UpstreamEnded,
} from './upstream.ts';

/** Answers of 1xx before the final one; Node's server sends one or two. */
const MAX_INTERIM_ANSWERS = 32;

class InterimAnswersError extends Error {
  override readonly name = 'InterimAnswersError';
}

/** Names of undici's errors for answers that are none. Others that it gives the socket's name have these messages. */
const INVALID_ANSWER: ReadonlySet<string> = new Set([
  'HTTPParserError',
  'InterimAnswersError',
  'HeadersOverflowError',
  'ResponseContentLengthMismatchError',
  'bad response',
  'bad upgrade',
]);
/** Chunks shorter than this are joined, in bytes: each would be a write to the client, and objects of its own. */
const SHORT_CHUNK_BYTES = 1024;
/** How much of them is joined at most. */
const MAX_JOINED_BYTES = 16 * 1024;

/** One request of HTTP/1.1 and its answer, on a connection of its own as long as it lasts. */
export class HttpExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly #listener: AnswerListener;
  readonly #isHead: boolean;
  readonly #onSettled: (isReusable: boolean) => void;
  #controller: Dispatcher.DispatchController | undefined;
  /** Whether no call of the listener is to follow. */
  #isSettled = false;
  #isCancelled = false;
  /** Whether undici took it, which may send it later. */
  #isTaken = false;
  /** Whether undici began to send it. */
  #isBegun = false;
  #isUnread = false;
  #interimAnswers = 0;
  #fault: Error | undefined;
  /** Bytes of the declared length that have not come. */
  #left = Number.POSITIVE_INFINITY;
  /** Short chunks of this turn of the event loop. */
  #joined: Buffer[] = [];
  #joinedBytes = 0;

  /** @param onSettled called once, with whether the connection can carry another request */
  constructor(listener: AnswerListener, isHead: boolean, onSettled: (isReusable: boolean) => void) {
    this.#listener = listener;
    this.#isHead = isHead;
    this.#onSettled = onSettled;
  }

  /** @throws as {@link Upstream.send} */
  sendThrough(client: Client, head: RequestHead, body: Readable | undefined, isWebSocket: boolean): void {
    const headers = [...head.headers, 'x-forwarded-proto', head.scheme];
    if (head.host !== '') headers.push('host', head.host);
    if (isWebSocket) {
      headers.push('sec-websocket-version', '13', 'sec-websocket-key', randomBytes(16).toString('base64'));
    }
    const { method, path } = head;
    const request = {
      method: method as Dispatcher.HttpMethod,
      path,
      headers,
      body: body ?? null,
      reset: false,
    };
    client.dispatch(isWebSocket ? { ...request, upgrade: 'websocket' } : request, this);
    if (this.#fault !== undefined) throw this.#fault;
    this.#isTaken = true;
  }

  cancel(): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#isCancelled = true;
    this.#controller?.abort(new UpstreamEnded());
    this.#settle(false);
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#isBegun = true;
    this.#controller = controller;
    if (this.#isCancelled) controller.abort(new UpstreamEnded());
  }

  onRequestUpgrade(
    controller: Dispatcher.DispatchController,
    _status: number,
    _headers: unknown,
    socket: Duplex,
  ): void {
    if (this.#isSettled) {
      socket.destroy();
      return;
    }
    this.#isSettled = true;
    socket.on('error', () => undefined);
    socket.once('close', () => this.#settle(false));
    this.#listener.onUpgrade?.(textsOf(controller.rawHeaders), socket);
  }

  onResponseStart(controller: Dispatcher.DispatchController, status: number): void {
    if (this.#isSettled) return;
    if (status < 200) {
      if (++this.#interimAnswers > MAX_INTERIM_ANSWERS) controller.abort(new InterimAnswersError());
      return;
    }
    const headers = textsOf(controller.rawHeaders);
    let length: number | undefined;
    for (let i = 0; i < headers.length; i += 2) {
      if (headers[i] === UNREAD_HEADER) this.#isUnread = true;
      if (headers[i] === 'content-length') length = Number(headers[i + 1]);
    }
    if (this.#isUnread) return;
    if (this.#isHead || status === 204 || status === 304) length = undefined;
    this.#left = length ?? Number.POSITIVE_INFINITY;
    this.#listener.onHead(status, headers, length);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isSettled || this.#isUnread) return;
    this.#left -= chunk.length;
    const isLast = this.#left === 0;
    if (chunk.length < SHORT_CHUNK_BYTES && !isLast) this.#join(chunk);
    else {
      this.#passJoined();
      if (!this.#isSettled) this.#listener.onData(chunk, isLast);
    }
  }

  onResponseEnd(): void {
    this.#passJoined();
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#settle(true);
    if (this.#isUnread) this.#listener.onLost('unread');
    else this.#listener.onEnd();
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#passJoined();
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#settle(false);
    const loss = this.#lossOf(error);
    if (loss === undefined) this.#fault = error;
    else this.#listener.onLost(loss);
  }

  #join(chunk: Buffer): void {
    if (this.#joined.length === 0) setImmediate(() => this.#passJoined());
    this.#joined.push(chunk);
    this.#joinedBytes += chunk.length;
    if (this.#joinedBytes >= MAX_JOINED_BYTES) this.#passJoined();
  }

  #passJoined(): void {
    if (this.#joined.length === 0) return;
    const joined = Buffer.concat(this.#joined, this.#joinedBytes);
    this.#joined = [];
    this.#joinedBytes = 0;
    if (!this.#isSettled) this.#listener.onData(joined, false);
  }

  /** @returns undefined when undici does not take the request at all, which it reports within its call */
  #lossOf(error: Error): Loss | undefined {
    const code = 'code' in error ? String(error.code) : '';
    if (this.#isUnread) return 'unread';
    if (this.#isBegun) {
      return INVALID_ANSWER.has(error.name) || INVALID_ANSWER.has(error.message) ? 'invalid' : 'lost';
    }
    if (this.#isTaken) return 'unread';
    return error instanceof UpstreamEnded || code === 'UND_ERR_DESTROYED' ? 'unread' : undefined;
  }

  #settle(isReusable: boolean): void {
    this.#onSettled(isReusable);
  }
}

/** Names in lower case, and values by turns. */
function textsOf(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  const texts: string[] = [];
  const parts = (raw ?? []) as readonly Buffer[];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    texts.push(String(parts[i]?.toString('latin1')).toLowerCase(), String(parts[i + 1]?.toString('latin1')));
  }
  return texts;
}
