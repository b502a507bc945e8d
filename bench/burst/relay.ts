import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** A network between a device and its proxy: bytes take a while, and connections can be cut. */
export class Network implements AsyncDisposable {
  readonly #server: Server;
  readonly #open = new Set<Socket>();
  /** How many connections were opened so far. */
  opened = 0;

  private constructor(port: number, delayMs: number) {
    this.#server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
      this.opened++;
      const far = connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
      for (const [from, to] of [
        [near, far],
        [far, near],
      ] as const) {
        this.#open.add(from);
        from.on('data', (bytes) => later(() => to.write(bytes), delayMs));
        from.once('end', () => later(() => to.end(), delayMs));
        from.once('error', () => to.destroy());
        from.once('close', () => this.#open.delete(from));
      }
    });
  }

  /** @param delayMs one way; connecting itself takes none */
  static async start(port: number, delayMs: number): Promise<Network> {
    const network = new Network(port, delayMs);
    await once(network.#server.listen(0, '127.0.0.1'), 'listening');
    return network;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  cut(): void {
    for (const socket of this.#open) socket.destroy();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.close();
    this.cut();
  }
}

function later(act: () => void, delayMs: number): void {
  if (delayMs === 0) act();
  else setTimeout(act, delayMs);
}
