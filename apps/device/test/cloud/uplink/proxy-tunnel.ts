import { EventEmitter } from 'node:events';
import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
} from 'node:http';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { Multiplexer } from '@heliograph/tunnel';

export interface TunnelAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** The proxy's end of a tunnel. It emits `left` when the device takes no more requests, and `close`. */
export class ProxyTunnel extends EventEmitter {
  readonly #multiplexer: Multiplexer;

  constructor(socket: Socket) {
    super();
    this.#multiplexer = new Multiplexer(
      { socket, opens: true },
      {
        onSignal: () => undefined,
        onLeave: () => this.emit('left'),
        onClose: () => this.emit('close'),
      },
    );
  }

  get isClosed(): boolean {
    return this.#multiplexer.isClosed;
  }

  get isClosing(): boolean {
    return this.#multiplexer.isClosed || this.#multiplexer.isLeaving;
  }

  /** Open virtual connections. */
  get size(): number {
    return this.#multiplexer.size;
  }

  /** Bytes that came from the device. */
  get bytesRead(): number {
    return this.#multiplexer.bytesRead;
  }

  signal(payload: Buffer): void {
    this.#multiplexer.signal(payload);
  }

  /** Takes its leave: what is under way may end. */
  leave(): void {
    this.#multiplexer.leave();
  }

  destroy(): void {
    this.#multiplexer.destroy();
  }

  /** Begins a request on a connection of its own. */
  begin(path: string, headers: OutgoingHttpHeaders = {}, method = 'GET'): ClientRequest {
    const connection = this.#multiplexer.open();
    if (connection === undefined) throw new Error('the tunnel is closing');
    const req = request({ path, method, headers, host: 'device', createConnection: () => connection });
    req.on('error', () => undefined);
    return req;
  }

  /** @throws when the connection breaks */
  async send(path: string, headers: OutgoingHttpHeaders = {}, body?: string): Promise<TunnelAnswer> {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const req = this.begin(path, { ...type, ...headers }, body === undefined ? 'GET' : 'POST');
    req.end(body);
    return await answerOf(req);
  }
}

/** @throws when the connection breaks */
export async function answerOf(req: ClientRequest): Promise<TunnelAnswer> {
  const res = await new Promise<IncomingMessage>((resolve, reject) => {
    req.on('response', resolve).on('error', reject);
  });
  return { status: res.statusCode ?? 0, headers: res.headers, body: await text(res) };
}
