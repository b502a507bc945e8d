import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * Stands between a cloud and its PostgreSQL, and can go silent, as a frozen machine or a dead network does, or end
 * every connection, as a machine without PostgreSQL does.
 */
export class Relay implements AsyncDisposable {
  readonly url: string;
  readonly #sockets = new Set<Socket>();
  readonly #close: () => void;
  #silent = false;
  #away = false;

  private constructor(url: string, sockets: Set<Socket>, close: () => void) {
    this.url = url;
    this.#sockets = sockets;
    this.#close = close;
  }

  /** @param databaseUrl where connections lead; {@link url} is the same database by way of the relay */
  static async start(databaseUrl: string): Promise<Relay> {
    const { hostname, port } = new URL(databaseUrl);
    const sockets = new Set<Socket>();
    const holder: { relay?: Relay } = {};
    const server = createServer((near) => {
      if (holder.relay?.away) {
        near.resetAndDestroy();
        return;
      }
      const far = connect({ host: hostname, port: Number(port) });
      for (const [socket, other] of [
        [near, far],
        [far, near],
      ] as const) {
        sockets.add(socket);
        if (holder.relay?.silent) socket.pause();
        socket.on('data', (bytes) => other.write(bytes));
        socket.on('error', () => undefined);
        socket.on('close', () => {
          sockets.delete(socket);
          other.destroy();
        });
        if (holder.relay?.silent) socket.pause();
      }
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const relay = new Relay(url.href, sockets, () => server.close());
    holder.relay = relay;
    return relay;
  }

  get silent(): boolean {
    return this.#silent;
  }

  get away(): boolean {
    return this.#away;
  }

  /** Every connection ends, and so does every new one. */
  cut(): void {
    this.#away = true;
    for (const socket of this.#sockets) socket.resetAndDestroy();
  }

  mend(): void {
    this.#away = false;
  }

  /** Connections stay open, and nothing passes any more. */
  freeze(): void {
    this.#silent = true;
    for (const socket of this.#sockets) socket.pause();
  }

  thaw(): void {
    this.#silent = false;
    for (const socket of this.#sockets) socket.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
    for (const socket of this.#sockets) socket.destroy();
  }
}
