import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { Multiplexer, type VirtualConnection } from '@heliograph/tunnel';
import { Client } from 'undici';
import { HttpExchange } from './http-exchange.ts';
import { Link, type LinkListener } from './link.ts';
import { type AnswerListener, type Exchange, type RequestHead, UpstreamEnded } from './upstream.ts';

/** Longest head of an answer, in bytes. */
const MAX_HEAD_BYTES = 32 * 1024;
/** The host of a request of HTTP/1.0 without one. */
const NO_HOST = 'http://none.invalid';
/** How long a virtual connection is kept for the next request, in milliseconds. */
const KEEP_ALIVE_MS = 60_000;
/** How long requests may still take on a tunnel that is used up, in milliseconds. */
const USED_UP_DRAIN_MS = 10_000;

/** A client of HTTP/1.1 with the one virtual connection that it ever has. */
interface Lane {
  readonly client: Client;
  readonly connection: VirtualConnection;
}

/** A tunnel on which this proxy opens virtual connections, each of which carries requests of HTTP/1.1 one by one. */
export class TunnelLink extends Link {
  readonly #multiplexer: Multiplexer;
  /** Lanes that carry nothing, the one used last at the end. */
  #idle: Lane[] = [];
  #openRequests = 0;
  /** Called when the tunnel is gone. */
  readonly #drained: (() => void)[] = [];
  #begunRequests = 0;

  constructor(socket: Socket, listener: LinkListener) {
    super();
    socket.setTimeout(0);
    socket.setNoDelay(true);
    this.#multiplexer = new Multiplexer(
      { socket, opens: true },
      {
        // A device sends none.
        onSignal: ignore,
        onLeave: () => {
          this.#closeIdle();
          listener.left();
        },
        onClose: (reason) => {
          this.#closeIdle();
          for (const resolve of this.#drained.splice(0)) resolve();
          listener.closed(reason);
        },
      },
    );
  }

  get isClosing(): boolean {
    return this.#multiplexer.isClosed || this.#multiplexer.isLeaving;
  }

  get isClosed(): boolean {
    return this.#multiplexer.isClosed;
  }

  get isCongested(): boolean {
    return this.#multiplexer.isCongested;
  }

  get openRequests(): number {
    return this.#openRequests;
  }

  get begunRequests(): number {
    return this.#begunRequests;
  }

  protected get bytesRead(): number {
    return this.#multiplexer.bytesRead;
  }

  send(head: RequestHead, body: Readable | undefined, listener: AnswerListener): Exchange {
    return this.#dispatch(head, body, listener, false);
  }

  openWebSocket(head: RequestHead, listener: AnswerListener): Exchange {
    return this.#dispatch(head, undefined, listener, true);
  }

  end(reason: string): void {
    this.#multiplexer.end(reason);
  }

  async drain(deadlineMs: number, reason: string): Promise<void> {
    if (this.isClosed) return;
    const timer = setTimeout(() => this.end(reason), deadlineMs);
    const gone = new Promise<void>((resolve) => this.#drained.push(resolve));
    this.#multiplexer.leave();
    this.#closeIdle();
    await gone;
    clearTimeout(timer);
  }

  signal(payload: Buffer): void {
    this.#multiplexer.signal(payload);
  }

  protected ping(): void {
    this.#multiplexer.ping();
  }

  #dispatch(
    head: RequestHead,
    body: Readable | undefined,
    listener: AnswerListener,
    isWebSocket: boolean,
  ): Exchange {
    const lane = this.#takeLane();
    this.#openRequests++;
    this.#begunRequests++;
    const exchange = new HttpExchange(listener, head.method === 'HEAD', (isReusable) => {
      this.#openRequests--;
      if (isReusable) this.#giveBack(lane);
      else {
        void lane.client.destroy();
        // The client may not have taken it yet.
        lane.connection.destroy();
      }
    });
    exchange.sendThrough(lane.client, head, body, isWebSocket);
    this.#multiplexer.flushAfterImmediates();
    return exchange;
  }

  #takeLane(): Lane {
    if (this.isClosing) throw new UpstreamEnded();
    for (;;) {
      const lane = this.#idle.pop();
      if (lane === undefined) return this.#openLane();
      if (!lane.connection.destroyed) return lane;
    }
  }

  #openLane(): Lane {
    const connection = this.#multiplexer.open();
    if (connection === undefined) {
      if (this.#multiplexer.isUsedUp) void this.drain(USED_UP_DRAIN_MS, 'it is used up');
      throw new UpstreamEnded();
    }
    let unused: VirtualConnection | undefined = connection;
    const client = new Client(NO_HOST, {
      // A second connection would send a request again that was under way on the first.
      connect: (_options, callback) => {
        const given = unused;
        unused = undefined;
        if (given === undefined) process.nextTick(callback, new UpstreamEnded(), null);
        else process.nextTick(callback, null, given);
      },
      keepAliveTimeout: KEEP_ALIVE_MS,
      headersTimeout: 0,
      bodyTimeout: 0,
      maxHeaderSize: MAX_HEAD_BYTES,
    });
    const lane = { client, connection };
    connection.once('close', () => {
      this.#idle = this.#idle.filter((other) => other !== lane);
      void client.destroy();
    });
    return lane;
  }

  #giveBack(lane: Lane): void {
    if (this.isClosing) void lane.client.destroy();
    else this.#idle.push(lane);
  }

  #closeIdle(): void {
    for (const { client } of this.#idle.splice(0)) void client.destroy();
  }
}

function ignore(): void {
  // Nothing is to be done.
}
