import type { AddressInfo } from 'node:net';
import WebSocket, { WebSocketServer } from 'ws';

/** Relays connections to a device's stream, and keeps every frame of either side. */
export class FrameRecorder implements AsyncDisposable {
  /** Parsed, in the order in which they passed. */
  readonly frames: unknown[] = [];
  readonly #server: WebSocketServer;

  private constructor(server: WebSocketServer, deviceUrl: string) {
    this.#server = server;
    server.on('connection', (client, { url = '' }) => {
      const device = new WebSocket(deviceUrl.replace('http', 'ws') + url);
      const isOpen = new Promise((resolve) => device.once('open', resolve));
      client.on('message', async (data) => {
        this.frames.push(JSON.parse(String(data)));
        await isOpen;
        device.send(String(data));
      });
      device.on('message', (data) => {
        this.frames.push(JSON.parse(String(data)));
        client.send(String(data));
      });
      // A client may go before the device has answered.
      device.on('error', () => client.terminate());
      client.on('close', () => device.terminate());
      device.on('close', () => client.terminate());
    });
  }

  static async start(deviceUrl: string): Promise<FrameRecorder> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    await new Promise((resolve) => server.once('listening', resolve));
    return new FrameRecorder(server, deviceUrl);
  }

  /** Host and port. */
  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const client of this.#server.clients) client.terminate();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
