import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Duplex } from 'node:stream';
import { answerUnread, VirtualConnection } from '@heliograph/tunnel';
import { vi } from 'vitest';

/** Appended to a WebSocket's key before it is hashed (RFC 6455 section 1.3). */
const ACCEPT_SUFFIX = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

export type AnswerHead = Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** One request at a device, and its answer: what is read is the body, what is written the answer's. */
export class DeviceStream extends Duplex {
  readonly #request: IncomingMessage;
  /** Undefined: the request is for a WebSocket, and writes go to its connection. */
  readonly #response: ServerResponse | undefined;
  /** Whether the proxy took the request back before the answer was complete. */
  isTakenBack = false;

  constructor(request: IncomingMessage, response: ServerResponse | undefined, first: Buffer) {
    super({ allowHalfOpen: true });
    this.#request = request;
    this.#response = response;
    const source = this.#source;
    if (first.length > 0) this.push(first);
    source.on('data', (chunk: Buffer) => {
      if (!this.push(chunk) && !this.destroyed) source.pause();
    });
    source.once('end', () => this.push(null));
    source.on('error', () => undefined);
    (response ?? request.socket).once('close', () => {
      this.isTakenBack = response !== undefined && !response.writableFinished;
      this.destroy();
    });
    this.on('error', () => undefined);
  }

  get #source(): Duplex | IncomingMessage {
    return this.#response === undefined ? this.#request.socket : this.#request;
  }

  /** Sends the head of the answer; status 200 accepts a WebSocket. */
  respond(head: AnswerHead = {}, { endStream = false }: { readonly endStream?: boolean } = {}): void {
    const { ':status': status = 200, ...headers } = head;
    const fields = Object.entries(headers).flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((one): [string, string] => [name, String(one)]),
    );
    if (this.#response !== undefined) {
      this.#response.writeHead(Number(status), fields.flat());
      this.#response.flushHeaders();
    } else this.#respondToUpgrade(Number(status), fields);
    if (endStream) this.end();
  }

  /** Answers that nothing was done about the request. */
  refuseUnread(): void {
    if (this.#response === undefined) {
      this.#request.socket.end('HTTP/1.1 503 Unread\r\nheliograph-unread: 1\r\ncontent-length: 0\r\n\r\n');
    } else answerUnread(this.#response);
  }

  /** Resolves when a ping has travelled to the proxy and its answer back. */
  async pingProxy(): Promise<void> {
    const connection: unknown = this.#request.socket;
    if (!(connection instanceof VirtualConnection)) throw new Error('the request came by no tunnel');
    const { multiplexer } = connection;
    const { bytesRead } = multiplexer;
    multiplexer.ping();
    await vi.waitFor(() => {
      if (multiplexer.bytesRead === bytesRead) throw new Error('no answer to the ping yet');
    });
  }

  /** Breaks the connection of the request. */
  reset(): void {
    this.#request.socket.destroy();
  }

  override _read(): void {
    this.#source.resume();
  }

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    const to = this.#response ?? this.#request.socket;
    if (to.write(chunk)) done();
    else to.once('drain', done);
  }

  override _final(done: () => void): void {
    (this.#response ?? this.#request.socket).end();
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (this.#response?.writableFinished !== true) this.#request.socket.destroy();
    done(error);
  }

  #respondToUpgrade(status: number, fields: readonly (readonly [string, string])[]): void {
    const key = this.#request.headers['sec-websocket-key'] ?? '';
    const accept = createHash('sha1')
      .update(key + ACCEPT_SUFFIX)
      .digest('base64');
    const lines =
      status === 200
        ? [
            ['upgrade', 'websocket'] as const,
            ['connection', 'upgrade'] as const,
            ['sec-websocket-accept', accept] as const,
          ]
        : [['connection', 'close'] as const];
    const head = [...lines, ...fields].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    this.#request.socket.write(`HTTP/1.1 ${status === 200 ? 101 : status} Any\r\n${head}\r\n`);
  }
}
