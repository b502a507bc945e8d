import type { IncomingMessage } from 'node:http';
import { constants, createServer, Http2ServerRequest, type ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import type { Logger } from '@heliograph/kit';
import {
  FORWARDED_FOR_HEADER,
  InvalidToken,
  type KeySource,
  RELAY_PATH,
  RELAY_PROTOCOL,
  verifyRelayToken,
} from '@heliograph/wire';
import { bearerToken } from '../auth/credentials.ts';
import type { ClientAddress } from '../client-address/client-address.ts';
import type { ClientRequest, ClientResponse } from '../http/client.ts';
import { Http2Response } from '../http/http2-response.ts';
import { knownRefusal, type Refusal, refuse } from '../http/refuse.ts';
import { switchProtocols } from '../http/switch-protocols.ts';
import type { UpgradeRequest } from '../http/upgrade-request.ts';
import { upgradeResponse } from '../http/upgrade-response.ts';
import type { WebSocketClient } from '../http/web-socket-client.ts';
import { streamingClient } from '../http/websocket-handshake.ts';
import { FailureLog } from '../log/failure-log.ts';

/** Requests and WebSockets of another proxy at once; its own limits hold for each client and site. */
const MAX_CONCURRENT_STREAMS = 100_000;
/** Receive windows for another proxy, in bytes: per stream, and for the connection. */
const STREAM_WINDOW_BYTES = 64 * 1024;
const SESSION_WINDOW_BYTES = 16 * 1024 * 1024;
/** Memory of one connection, in megabytes; beyond it streams are refused. */
const SESSION_MEMORY_MB = 256;
/** How many cancelled requests are taken in a burst, and per second: the other proxy speaks for all its clients. */
const RESET_BURST = 20_000;
const RESET_RATE = 5_000;
/** How long the network may be silent before the system asks whether the peer is there, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;

export const OFFLINE = knownRefusal({
  status: 503,
  error: 'Site is offline',
  headers: { 'retry-after': '5' },
});
/** Answers a relayed request whose site has left this proxy: the other proxy looks the site up again. */
export const NOT_HERE = knownRefusal({ ...OFFLINE });

/** The requests of other proxies for sites whose devices are connected here. */
export interface RelayHandlers {
  request(req: ClientRequest, res: ClientResponse, clientAddress: ClientAddress): void;
  webSocket(client: WebSocketClient, clientAddress: ClientAddress): Promise<void>;
}

export interface RelayAcceptorOptions {
  readonly proxyName: string;
  readonly keys: KeySource;
  readonly handlers: RelayHandlers;
  readonly logger: Logger;
  readonly now: () => number;
}

export function isRelayUpgrade(req: IncomingMessage): boolean {
  return req.url === RELAY_PATH && req.headers.upgrade?.toLowerCase() === RELAY_PROTOCOL;
}

/** Takes requests that other proxies pass on, for sites whose devices are here. */
export class RelayAcceptor {
  readonly #options: RelayAcceptorOptions;
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #log: FailureLog;

  constructor(options: RelayAcceptorOptions) {
    this.#options = options;
    this.#log = new FailureLog(options.logger);
  }

  async accept({ req, socket, head, peer }: UpgradeRequest): Promise<void> {
    const { keys, proxyName, now } = this.#options;
    try {
      const { from } = await verifyRelayToken(bearerToken(req.headers.authorization), keys, proxyName, now());
      if (socket.destroyed) return;
      switchProtocols(socket, RELAY_PROTOCOL, head, () => this.#serve(socket, from));
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      this.#log.logFailure(peer, error.message, { peer, reason: error.message }, 'relay refused');
      if (socket.destroyed) return;
      refuse(req, upgradeResponse(req, socket), { status: 401, error: 'Relay token is not valid' });
    }
  }

  /** Takes no more requests, which other proxies then send elsewhere; those that were taken finish. */
  stop(): void {
    for (const session of this.#sessions) session.close();
  }

  #serve(socket: Socket, from: string): void {
    const { handlers, logger } = this.#options;
    socket.setTimeout(0);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    // The protocol was agreed on by the Upgrade header, not by ALPN, which is where Node's server looks on TLS.
    if ('alpnProtocol' in socket) Object.defineProperty(socket, 'alpnProtocol', { value: 'h2' });
    const server = createServer({
      settings: {
        enableConnectProtocol: true,
        enablePush: false,
        initialWindowSize: STREAM_WINDOW_BYTES,
        maxConcurrentStreams: MAX_CONCURRENT_STREAMS,
      },
      maxSessionMemory: SESSION_MEMORY_MB,
      streamResetBurst: RESET_BURST,
      streamResetRate: RESET_RATE,
    });
    server.on('session', (session) => {
      session.setTimeout(0);
      session.setLocalWindowSize(SESSION_WINDOW_BYTES);
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    server.on('sessionError', () => undefined);
    server.on('stream', (stream, headers, _flags, rawHeaders) => {
      // The close event reports the failure.
      stream.on('error', () => undefined);
      const req = new Http2ServerRequest(stream, headers, {}, rawHeaders);
      const res = new RelayedResponse(stream);
      const clientAddress = clientAddressOf(req, from);
      if (headers[':method'] !== 'CONNECT') handlers.request(req, res, clientAddress);
      else handlers.webSocket(streamingClient(req, res), clientAddress).catch(() => stream.destroy());
    });
    logger.info({ proxy: from }, 'taking requests from another proxy');
    server.emit('connection', socket);
  }
}

/** The answer to another proxy, which looks again where a site is when the site is not here. */
class RelayedResponse extends Http2Response {
  handleRefusal(refusal: Refusal): boolean {
    if (refusal === NOT_HERE) this.stream.close(constants.NGHTTP2_REFUSED_STREAM);
    return refusal === NOT_HERE;
  }
}

/** The other proxy's word is as good as our own: it holds a token of the cloud. */
function clientAddressOf(req: Http2ServerRequest, from: string): ClientAddress {
  return {
    address: req.headers[FORWARDED_FOR_HEADER]?.toString() ?? '',
    scheme: req.scheme === 'https' ? 'https' : 'http',
    relayedBy: from,
  };
}
