import type { Duplex } from 'node:stream';
import type { ClientAddress } from '../client-address/client-address.ts';
import type { ProxyLimits } from '../config/limits.ts';
import { type Refusal, refuse } from '../http/refuse.ts';
import type { WebSocketClient } from '../http/web-socket-client.ts';
import type { AnswerListener, Exchange, Loss, RequestHead, Upstream } from '../links/upstream.ts';
import { FrameBoundary, SERVICE_RESTART } from './frame-boundary.ts';
import { audienceOf, clientResponseHeaders, type ForwardContext, webSocketHead } from './headers.ts';
import { CONNECTION_LOST, DEVICE_TIMEOUT, INVALID_RESPONSE, refusalOfSendError } from './refusals.ts';

/** How long the other side of a WebSocket may take to end it too, in milliseconds. */
const HALF_CLOSED_MS = 5_000;
/** How much of a device's refusal is passed on, in bytes. */
const MAX_REFUSAL_BYTES = 64 * 1024;

export interface WebSocketOptions extends ForwardContext {
  readonly limits: Pick<ProxyLimits, 'answerMs' | 'idleMs'>;
  /** Finds who takes the WebSocket after the upstream before refused it unread. */
  readonly nextUpstream: () => Promise<Upstream | Refusal>;
}

/** A WebSocket on its way through the proxy. */
export interface ForwardedWebSocket {
  /** Ends it so that the client comes back, which then may find another way. */
  restart(): void;
}

/** Opens the client's WebSocket at the device and joins the two byte streams. */
export function forwardWebSocket(
  client: WebSocketClient,
  upstream: Upstream,
  options: WebSocketOptions,
): ForwardedWebSocket {
  try {
    const forwarding = new ForwardingWebSocket(client, options);
    forwarding.start(upstream);
    return forwarding;
  } catch (error) {
    refuse(client.request, client.answer(), refusalOfSendError(error));
    return { restart: () => undefined };
  }
}

/**
 * The progress of a WebSocket: `waiting` for the device's answer; `looking` for another upstream, since one refused it unread;
 * `refused` by the device, whose answer is read; `joined`; `ended`.
 */
type State = 'waiting' | 'looking' | 'refused' | 'joined' | 'ended';

class ForwardingWebSocket implements ForwardedWebSocket, AnswerListener {
  readonly #client: WebSocketClient;
  readonly #options: WebSocketOptions;
  readonly #head: RequestHead;
  readonly #frames = new FrameBoundary();
  #state: State = 'waiting';
  #exchange: Exchange | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #refusal: DeviceRefusal | undefined;
  #part: (() => void) | undefined;

  /** @throws when the request's `host` is not one */
  constructor(client: WebSocketClient, options: WebSocketOptions) {
    this.#client = client;
    this.#options = options;
    this.#head = webSocketHead(client.request, options);
  }

  /** @throws as {@link Upstream.openWebSocket} */
  start(upstream: Upstream): void {
    this.#open(upstream);
    this.#deadline = setTimeout(() => this.#onDeadline(), this.#options.limits.answerMs);
    this.#client.stream.on('close', () => {
      this.#state = 'ended';
      clearTimeout(this.#deadline);
      this.#exchange?.cancel();
    });
  }

  restart(): void {
    const { stream } = this.#client;
    if (this.#state === 'waiting' || this.#state === 'looking') this.#fail(CONNECTION_LOST);
    else if (!this.#frames.isBetween || this.#part === undefined) stream.destroy();
    else {
      this.#part();
      stream.end(SERVICE_RESTART);
    }
  }

  onUpgrade(headers: readonly string[], connection: Duplex): void {
    if (this.#state !== 'waiting') {
      connection.destroy();
      return;
    }
    this.#state = 'joined';
    clearTimeout(this.#deadline);
    const at = headers.findIndex((text, i) => i % 2 === 0 && text === 'sec-websocket-protocol');
    this.#client.accept(at < 0 ? undefined : headers[at + 1]);
    connection.on('data', (chunk: Buffer) => this.#frames.follow(chunk));
    this.#part = join(this.#client, connection, this.#options.limits.idleMs);
  }

  onHead(status: number, headers: readonly string[]): void {
    if (this.#state !== 'waiting') return;
    if (status < 300 || status > 599) {
      this.#fail(CONNECTION_LOST);
      return;
    }
    this.#state = 'refused';
    this.#refusal = new DeviceRefusal(status, headers);
    this.#deadline?.refresh();
  }

  onData(chunk: Buffer): void {
    if (this.#refusal?.add(chunk) === false) this.#answerRefusal();
  }

  onEnd(): void {
    this.#answerRefusal();
  }

  onLost(loss: Loss): void {
    if (this.#state === 'refused') this.#answerRefusal();
    else if (this.#state !== 'waiting') return;
    else if (loss === 'unread') void this.#repeat();
    else this.#fail(CONNECTION_LOST);
  }

  #open(upstream: Upstream): void {
    this.#exchange = upstream.openWebSocket(this.#head, this);
  }

  #onDeadline(): void {
    if (this.#state === 'refused') this.#answerRefusal();
    else this.#fail(DEVICE_TIMEOUT);
  }

  #fail(refusal: Refusal): void {
    if (this.#state !== 'waiting' && this.#state !== 'looking') return;
    this.#state = 'ended';
    clearTimeout(this.#deadline);
    this.#exchange?.cancel();
    refuse(this.#client.request, this.#client.answer(), refusal);
  }

  async #repeat(): Promise<void> {
    this.#state = 'looking';
    try {
      const next = await this.#options.nextUpstream();
      if (!this.#isLooking()) return;
      if ('error' in next) this.#fail(next);
      else {
        this.#state = 'waiting';
        this.#open(next);
      }
    } catch {
      this.#fail(CONNECTION_LOST);
    }
  }

  #isLooking(): boolean {
    return this.#state === 'looking';
  }

  #answerRefusal(): void {
    const refusal = this.#refusal;
    if (this.#state !== 'refused' || refusal === undefined) return;
    this.#state = 'ended';
    clearTimeout(this.#deadline);
    this.#exchange?.cancel();
    refusal.answer(this.#client, this.#options.clientAddress);
  }
}

/** A device's answer that is not a WebSocket. */
class DeviceRefusal {
  readonly #status: number;
  readonly #headers: readonly string[];
  readonly #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(status: number, headers: readonly string[]) {
    this.#status = status;
    this.#headers = headers;
  }

  /** @returns false when no more of it is passed on */
  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    if (this.#bytes > MAX_REFUSAL_BYTES) return false;
    this.#chunks.push(chunk);
    return true;
  }

  answer(client: WebSocketClient, clientAddress: ClientAddress): void {
    const res = client.answer();
    const body = Buffer.concat(this.#chunks);
    try {
      const audience = audienceOf(client.request, res, clientAddress);
      const headers = clientResponseHeaders(this.#headers, this.#status, audience);
      // The body is counted again, since it may be cut.
      const withoutLength = headers.filter((_text, i) => headers[i - (i % 2)] !== 'content-length');
      res.writeHead(this.#status, [...withoutLength, 'content-length', String(body.length)]);
      res.end(body);
    } catch {
      // HTTP/2 sends no head that has twice what there can be only one of.
      refuse(client.request, res, INVALID_RESPONSE);
    }
  }
}

/**
 * Copies bytes both ways, each at the pace of its reader; when one side is gone the other is closed.
 *
 * @returns disconnects them: the device gets no more bytes of a client that closes its side late
 */
function join({ stream: socket }: WebSocketClient, connection: Duplex, idleMs: number): () => void {
  socket.setTimeout(idleMs, () => socket.destroy());
  connection.pipe(socket);
  socket.pipe(connection);
  const halfClosed = (): unknown => socket.setTimeout(HALF_CLOSED_MS);
  const closed = (): void => {
    if ('destroySoon' in socket) socket.destroySoon();
    else socket.end();
  };
  const cut = (): unknown => connection.destroy();
  socket.once('end', halfClosed);
  socket.once('close', cut);
  connection.once('end', halfClosed);
  connection.on('close', closed);
  return () => {
    connection.off('close', closed);
    connection.unpipe(socket);
    socket.unpipe(connection);
    connection.destroy();
    socket.resume();
    const timer = setTimeout(() => socket.destroy(), HALF_CLOSED_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
