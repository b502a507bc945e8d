import {
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { HTTP2_TUNNEL_PROTOCOL } from '@heliograph/wire';
import { dialled } from '../test-device.ts';

export type Http2Handler = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/** A device of release 0.1. */
export class Http2Device {
  /** Payload of every ping that arrived. */
  readonly pings: Buffer[] = [];
  readonly socket: Socket;
  #session: ServerHttp2Session | undefined;

  private constructor(socket: Socket, onStream: Http2Handler) {
    this.socket = socket;
    // On TLS Node's server looks for its protocol in ALPN, but here it was agreed on by the upgrade.
    if ('alpnProtocol' in socket) Object.defineProperty(socket, 'alpnProtocol', { value: 'h2' });
    const server = createServer({ settings: { enableConnectProtocol: true } });
    server.on('session', (session) => {
      this.#session = session;
      session.on('ping', (payload) => this.pings.push(payload));
    });
    server.on('stream', (stream, headers) => {
      stream.on('error', () => undefined);
      onStream(stream, headers);
    });
    server.on('sessionError', () => undefined);
    server.emit('connection', socket);
  }

  static async connect(proxyUrl: string, token: string, onStream: Http2Handler): Promise<Http2Device> {
    return new Http2Device(await dialled(proxyUrl, token, { protocol: HTTP2_TUNNEL_PROTOCOL }), onStream);
  }

  get closed(): boolean {
    return this.socket.destroyed;
  }

  kill(): void {
    this.socket.destroy();
  }

  /** Sends GOAWAY: takes no more requests, and finishes those it has. */
  leave(): void {
    this.#session?.close();
  }
}
