import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * A server's connections. Browsers open some that they never use, which Node's server takes for one whose request is
 * about to come: it would wait for them when it closes.
 */
export class OpenConnections {
  readonly #open = new Set<Socket>();
  readonly #answering = new Map<Socket, number>();
  #closing = false;

  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
    server.on('request', ({ socket }: IncomingMessage, response: ServerResponse) => {
      this.#count(socket, 1);
      response.once('close', () => this.#count(socket, -1));
    });
  }

  /** Ends every connection once nothing is to be answered on it any more. */
  close(): void {
    this.#closing = true;
    for (const socket of this.#open) this.#endUnused(socket);
  }

  #count(socket: Socket, change: 1 | -1): void {
    const answering = (this.#answering.get(socket) ?? 0) + change;
    if (answering > 0) this.#answering.set(socket, answering);
    else this.#answering.delete(socket);
    if (this.#closing) this.#endUnused(socket);
  }

  #endUnused(socket: Socket): void {
    if (this.#open.has(socket) && !this.#answering.has(socket)) socket.destroySoon();
  }
}
