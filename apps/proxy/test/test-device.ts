import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { request as tlsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { connectInPieces } from '@heliograph/dev/in-pieces';
import { Multiplexer, TunnelServer } from '@heliograph/tunnel';
import { TUNNEL_PATH, TUNNEL_PROTOCOL, TUNNEL_UP_SIGNAL } from '@heliograph/wire';
import { DeviceStream } from './device-stream.ts';

/** Opens a connection to a port of this machine. */
export type Connect = (port: number) => Promise<Socket>;

/** The head of a request at a device, with the parts of its first line as `:method` and `:path`. */
export type DeviceRequestHeaders = IncomingHttpHeaders & {
  readonly ':method'?: string;
  readonly ':path'?: string;
};

export type StreamHandler = (stream: DeviceStream, headers: DeviceRequestHeaders) => void;

/** An upgrade that the proxy refused. */
export interface TunnelRefusal {
  readonly status: number;
  readonly body: string;
}

export interface DialOptions {
  /** The certificate to trust when the proxy speaks TLS. */
  readonly ca?: Buffer | undefined;
  /** By default through a relay, so that what either end writes arrives in pieces. */
  readonly open?: Connect | undefined;
  readonly protocol?: string;
}

/** Dials a proxy as a device does. */
export async function dial(
  proxyUrl: string,
  token: string | undefined,
  { ca, open = connectInPieces, protocol = TUNNEL_PROTOCOL }: DialOptions = {},
): Promise<Socket | TunnelRefusal> {
  const headers = {
    connection: 'Upgrade',
    upgrade: protocol,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const url = new URL(TUNNEL_PATH, proxyUrl);
  const socket = await open(Number(url.port));
  const encrypted = () => tlsConnect({ socket, ca, servername: url.hostname });
  const req =
    ca === undefined
      ? request(url, { headers, createConnection: () => socket })
      : tlsRequest(url, { headers, createConnection: encrypted });
  return new Promise((resolve, reject) => {
    req.on('error', reject);
    req.on('upgrade', (_res: IncomingMessage, socket: Socket, head: Buffer) => {
      // The proxy speaks at once, so its first frames often arrive together with its 101.
      if (head.length > 0) socket.unshift(head);
      resolve(socket);
    });
    req.on('response', (res: IncomingMessage) => {
      let body = '';
      res.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      res.on('end', () => resolve({ status: res.statusCode ?? 0, body }));
    });
    req.end();
  });
}

/** The connection to a proxy that took the tunnel. @throws when it did not */
export async function dialled(proxyUrl: string, token: string, options?: DialOptions): Promise<Socket> {
  const answer = await dial(proxyUrl, token, options);
  if ('status' in answer) throw new Error(`the proxy refused the tunnel: ${answer.status} ${answer.body}`);
  answer.on('error', () => undefined);
  return answer;
}

/** A device at the other end of a tunnel that answers with the given handler. */
export class TestDevice {
  /** Headers of every request that arrived. */
  readonly seen: DeviceRequestHeaders[] = [];
  /** Payload of every signal that arrived, after the first one. */
  readonly signals: Buffer[] = [];
  readonly socket: Socket;
  readonly multiplexer: Multiplexer;
  readonly #listeners: ((payload: Buffer) => void)[] = [];
  #onLeave: () => void = () => undefined;

  constructor(socket: Socket, onStream: StreamHandler) {
    this.socket = socket;
    const take = (stream: DeviceStream, req: IncomingMessage): void => {
      const headers = { ...req.headers, ':method': req.method ?? '', ':path': req.url ?? '' };
      this.seen.push(headers);
      onStream(stream, headers);
    };
    const server = new TunnelServer(
      { maxHeadBytes: 256 * 1024, maxHeadsBytes: 64 * 1024 * 1024 },
      {
        request: (req, res) => take(new DeviceStream(req, res, Buffer.alloc(0)), req),
        upgrade: (req, head) => take(new DeviceStream(req, undefined, head), req),
      },
    );
    this.multiplexer = new Multiplexer(
      { socket, opens: false },
      {
        onConnection: (connection) => server.serve(connection),
        onSignal: (payload) => {
          if (payload.equals(TUNNEL_UP_SIGNAL)) return;
          this.signals.push(payload);
          for (const listener of this.#listeners) listener(payload);
        },
        onLeave: () => this.#onLeave(),
        onClose: () => undefined,
      },
    );
  }

  static async connect(
    proxyUrl: string,
    token: string,
    onStream: StreamHandler,
    options?: DialOptions,
  ): Promise<TestDevice> {
    return new TestDevice(await dialled(proxyUrl, token, options), onStream);
  }

  get closed(): boolean {
    return this.socket.destroyed;
  }

  /** Breaks the connection without a word, as a power cut does. */
  kill(): void {
    this.socket.destroy();
  }

  /** Calls back for every signal of the proxy. */
  onSignal(callback: (payload: Buffer) => void): void {
    this.#listeners.push(callback);
  }

  /** Calls back when the proxy takes its leave. */
  onLeave(callback: () => void): void {
    this.#onLeave = callback;
  }

  /** Takes no more requests, and finishes those it has. */
  leave(): void {
    this.multiplexer.leave();
  }
}
