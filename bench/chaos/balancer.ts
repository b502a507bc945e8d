import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A load balancer that passes TCP on, as one stands before the proxies of a region at the names of its sites. A connection goes
 * to the first proxy that accepts it.
 */
export class Balancer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server) {
    this.#server = server;
  }

  /** @param hosts of the proxies, each an address with a port, in the order in which they are tried */
  static async start(hosts: readonly string[]): Promise<Balancer> {
    const server = createServer({ noDelay: true, pauseOnConnect: true });
    const balancer = new Balancer(server);
    server.on('connection', (client) => balancer.#pass(client, hosts));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return balancer;
  }

  /** Its address with the port. */
  get host(): string {
    const address = this.#server.address();
    if (typeof address !== 'object' || address === null) throw new Error('the balancer does not listen');
    return `127.0.0.1:${address.port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #pass(client: Socket, [host, ...others]: readonly string[]): void {
    this.#track(client);
    if (host === undefined) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(`http://${host}`);
    const proxy = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#track(proxy);
    const next = (): void => this.#pass(client, others);
    proxy.once('error', next);
    proxy.once('connect', () => {
      proxy.off('error', next);
      proxy.once('close', () => client.destroy());
      client.once('close', () => proxy.destroy());
      client.pipe(proxy).pipe(client);
    });
  }

  #track(socket: Socket): void {
    if (this.#sockets.has(socket)) return;
    this.#sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => this.#sockets.delete(socket));
  }
}
