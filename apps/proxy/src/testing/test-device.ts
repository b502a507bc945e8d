import { type IncomingMessage, request } from 'node:http';
import {
  createServer,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import { request as tlsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { connect as tlsConnect } from 'node:tls';
import { connectInPieces } from '@heliograph/dev-env/in-pieces';
import { TUNNEL_PATH, TUNNEL_PROTOCOL } from '@heliograph/wire';

/** Opens a connection to a port of this machine. */
export type Connect = (port: number) => Promise<Socket>;

export type StreamHandler = (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => void;

/** An upgrade that the proxy refused. */
export interface TunnelRefusal {
  readonly status: number;
  readonly body: string;
}

/**
 * Dials a proxy as a device does.
 *
 * @param ca the certificate to trust when the proxy speaks TLS
 * @param open by default through a relay, so that what either end writes arrives in pieces
 */
export async function dial(
  proxyUrl: string,
  token: string | undefined,
  ca?: Buffer,
  open: Connect = connectInPieces,
): Promise<Socket | TunnelRefusal> {
  const headers = {
    connection: 'Upgrade',
    upgrade: TUNNEL_PROTOCOL,
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
      // On TLS Node's HTTP/2 server looks for its protocol in ALPN, but here it was agreed on by the upgrade.
      if ('alpnProtocol' in socket) Object.defineProperty(socket, 'alpnProtocol', { value: 'h2' });
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

/**
 * The first frame of an HTTP/2 server, which announces that extended CONNECT is served (RFC 9113 section 6.5,
 * RFC 8441 section 3):
 *
 *     length = 6 | type = SETTINGS | flags | stream | id = 8 (ENABLE_CONNECT_PROTOCOL) | value = 1
 */
export const FIRST_SETTINGS = Buffer.from('000006' + '04' + '00' + '00000000' + '0008' + '00000001', 'hex');

/** A device at the other end of a tunnel that answers with the given handler. */
export class TestDevice {
  /** Headers of every request that arrived. */
  readonly seen: IncomingHttpHeaders[] = [];
  /** Payload of every ping that arrived. */
  readonly pings: Buffer[] = [];
  readonly socket: Socket;
  readonly #http2: Http2Server;
  #session: ServerHttp2Session | undefined;

  constructor(socket: Socket, onStream: StreamHandler) {
    this.socket = socket;
    this.#http2 = createServer({ settings: { enableConnectProtocol: true } });
    this.#http2.on('session', (session) => {
      this.#session = session;
      session.on('ping', (payload) => this.pings.push(payload));
    });
    this.#http2.on('stream', (stream, headers) => {
      this.seen.push(headers);
      stream.on('error', () => undefined);
      onStream(stream, headers);
    });
    this.#http2.on('sessionError', () => undefined);
    socket.on('error', () => undefined);
    this.#http2.emit('connection', socket);
  }

  static async connect(
    proxyUrl: string,
    token: string,
    onStream: StreamHandler,
    ca?: Buffer,
    open?: Connect,
  ): Promise<TestDevice> {
    const answer = await dial(proxyUrl, token, ca, open);
    if ('status' in answer) throw new Error(`the proxy refused the tunnel: ${answer.status} ${answer.body}`);
    return new TestDevice(answer, onStream);
  }

  get closed(): boolean {
    return this.socket.destroyed;
  }

  /** Breaks the connection without a word, as a power cut does. */
  kill(): void {
    this.socket.destroy();
  }

  /** Calls back for every ping of the proxy with its payload. */
  onPing(callback: (payload: Buffer) => void): void {
    this.#session?.on('ping', callback);
  }

  /** Sends GOAWAY: takes no more requests, and finishes those it has. */
  leave(): void {
    this.#session?.close();
  }
}
