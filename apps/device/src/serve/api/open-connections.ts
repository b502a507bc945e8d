import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ServerLimits } from './server-limits.ts';

export type ConnectionLimits = Pick<ServerLimits, 'connections' | 'connectionsPerAddress'>;

/**
 * A server's connections, of which no address may have too many. Browsers open some that they never use, which Node's server takes for one whose request is
 * about to come: it would wait for them when it closes.
 */
export class OpenConnections {
  readonly #open = new Set<Socket>();
  readonly #answering = new Map<Socket, number>();
  readonly #perAddress = new Map<string, number>();
  #closing = false;

  constructor(server: Server, { connections, connectionsPerAddress }: ConnectionLimits) {
    server.maxConnections = connections;
    server.on('connection', (socket: Socket) => {
      const { remoteAddress = '' } = socket;
      if ((this.#perAddress.get(remoteAddress) ?? 0) >= connectionsPerAddress) {
        socket.destroy();
        return;
      }
      this.#open.add(socket);
      countIn(this.#perAddress, remoteAddress, 1);
      socket.once('close', () => {
        this.#open.delete(socket);
        countIn(this.#perAddress, remoteAddress, -1);
      });
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
    countIn(this.#answering, socket, change);
    if (this.#closing) this.#endUnused(socket);
  }

  #endUnused(socket: Socket): void {
    if (this.#open.has(socket) && !this.#answering.has(socket)) socket.destroySoon();
  }
}

function countIn<K>(counts: Map<K, number>, key: K, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
