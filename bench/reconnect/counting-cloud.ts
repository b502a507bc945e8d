import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One call that passed on its way to the cloud. */
export interface Call {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** A device that asks for its way in, or the proxy. */
  readonly by: 'device' | 'proxy';
}

/** Forwards everything to the cloud, and records the caller and the time. */
export class CountingCloud implements AsyncDisposable {
  readonly calls: Call[] = [];
  url = '';
  readonly #agent = new Agent({ keepAlive: true });
  readonly #server;

  private constructor(cloudUrl: string) {
    const { hostname, port } = new URL(cloudUrl);
    this.#server = createServer((req, res) => {
      const { method, url, headers } = req;
      this.calls.push({ at: Date.now(), by: url === '/api/v1/devices/connect' ? 'device' : 'proxy' });
      const options = { hostname, port, agent: this.#agent, method, path: url, headers };
      const upstream = request(options, (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      });
      upstream.on('error', () => res.destroy());
      req.pipe(upstream);
    });
  }

  static async start(cloudUrl: string): Promise<CountingCloud> {
    const cloud = new CountingCloud(cloudUrl);
    await new Promise<void>((resolve) => cloud.#server.listen(0, '127.0.0.1', 4_096, resolve));
    cloud.url = `http://127.0.0.1:${(cloud.#server.address() as AddressInfo).port}`;
    return cloud;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
