import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inPieces } from '@heliograph/dev/in-pieces';

/** Stands before several clouds at one address, and hands each request to the next of them. */
export class Front implements AsyncDisposable {
  readonly url: string;
  /** Ports of the clouds on this machine. */
  readonly ports: number[];
  readonly #close: () => void;

  private constructor(url: string, ports: number[], close: () => void) {
    this.url = url;
    this.ports = ports;
    this.#close = close;
  }

  static async start(): Promise<Front> {
    const ports: number[] = [];
    let count = 0;
    const server = createServer((incoming, outgoing) => {
      const { url: path, method, headers } = incoming;
      const port = ports[count++ % ports.length];
      const onward = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    });
    inPieces(server).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return new Front(`http://127.0.0.1:${port}`, ports, () => {
      server.close();
      server.closeAllConnections();
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#close();
  }
}
