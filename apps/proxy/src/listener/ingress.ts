import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Logger, messageOf, requestTrace } from '@heliograph/kit';
import type { ClientAddress } from '../client-address/client-address.ts';
import type { ClientAddressResolver } from '../client-address/resolver.ts';
import type { ProxyLimits } from '../config/limits.ts';
import type { ClientRequest, ClientResponse } from '../http/client.ts';
import { isHttp2 } from '../http/client.ts';
import type { Http2Response } from '../http/http2-response.ts';
import { refusalOf } from '../http/outcome.ts';
import { knownRefusal, type Refusal, refuse } from '../http/refuse.ts';
import type { UpgradeRequest } from '../http/upgrade-request.ts';
import { upgradeResponse } from '../http/upgrade-response.ts';
import type { WebSocketClient } from '../http/web-socket-client.ts';
import { upgradingClient } from '../http/websocket-handshake.ts';
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts';
import type { Counters } from '../metrics/counters.ts';
import type { RequestLog } from '../metrics/request-log.ts';
import type { Connection } from './connection.ts';

/** Header fields of one request; devices take no more on a stream of theirs. */
const MAX_FIELDS = 100;
/** Overhead of a header in HTTP/2 besides its name and value, in bytes (RFC 9113 section 6.5.2). */
const FIELD_OVERHEAD_BYTES = 32;

const HEAD_TOO_LONG = knownRefusal({ status: 431, error: 'The head of the request is too long' });
const NO_HOST = knownRefusal({ status: 400, error: 'The request has no Host header' });
const SEVERAL_HOSTS = knownRefusal({ status: 400, error: 'The request has more than one Host header' });
const TOO_OLD = knownRefusal({ status: 400, error: 'HTTP before 1.0 is not spoken here' });
const NO_PATH = knownRefusal({ status: 400, error: 'The target of the request is not a path' });

/**
 * Finds the fault of a request that Node's parsers accept. A target with scheme and host, which
 * clients write to a proxy of their own, becomes the path and the host that it stands for (RFC 9112 section 3.2.2).
 *
 * @param headBytes the longest head; only heads of HTTP/2 are measured here
 */
function findRequestFault(req: ClientRequest, headBytes: number): Refusal | undefined {
  const { rawHeaders } = req;
  if (rawHeaders.length > 2 * MAX_FIELDS) return HEAD_TOO_LONG;
  if (isHttp2(req)) {
    if (headLength(rawHeaders) > headBytes) return HEAD_TOO_LONG;
  } else {
    if (req.httpVersionMajor === 0) return TOO_OLD;
    const hosts = countHosts(rawHeaders);
    if (hosts > 1) return SEVERAL_HOSTS;
    if (hosts === 0 && req.httpVersionMinor > 0) return NO_HOST;
    if (!req.url?.startsWith('/')) toPath(req);
  }
  return req.url?.startsWith('/') ? undefined : NO_PATH;
}

function headLength(raw: readonly string[]): number {
  let bytes = (raw.length / 2) * FIELD_OVERHEAD_BYTES;
  for (const text of raw) bytes += text.length;
  return bytes;
}

/** Node silently keeps the first of two hosts (RFC 9112 section 3.2 requires 400). */
function countHosts(raw: readonly string[]): number {
  let hosts = 0;
  for (let i = 0; i < raw.length; i += 2) {
    const name = raw[i] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++;
  }
  return hosts;
}

function toPath(req: ClientRequest): void {
  const [, host, rest = ''] = /^https?:\/\/([^/?#]+)(.*)$/i.exec(req.url ?? '') ?? [];
  if (host === undefined) return;
  req.headers.host = host;
  req.url = rest.startsWith('/') ? rest : `/${rest}`;
}

/** When to come again who has too much under way, in seconds. */
const RETRY_AFTER_S = 1;

const NO_TUNNELS = knownRefusal({ status: 405, error: 'The proxy opens no connections to elsewhere' });
const UNKNOWN_PROTOCOL = knownRefusal({ status: 501, error: 'The protocol is not spoken here' });

/** Takes a connection over from HTTP/1.1. */
export type UpgradeAcceptor = (upgrade: UpgradeRequest) => Promise<void>;

/** Handlers of admitted requests. */
export interface IngressHandlers {
  request(req: ClientRequest, res: ClientResponse, clientAddress: ClientAddress): void;
  webSocket(client: WebSocketClient, clientAddress: ClientAddress): Promise<void>;
  /** The acceptor of a tunnel request; undefined for other requests. */
  tunnelAcceptor(req: IncomingMessage): UpgradeAcceptor | undefined;
}

export interface IngressOptions {
  readonly handlers: IngressHandlers;
  readonly limits: ProxyLimits;
  readonly clientAddresses: ClientAddressResolver;
  readonly counters: Counters;
  readonly requestLog: RequestLog;
  readonly logger: Logger;
  readonly markTunnel: (connection: Connection) => void;
}

/** Resolves the client of every request, applies its limits, and counts the outcome. */
export class Ingress {
  readonly #options: IngressOptions;
  readonly #requests: ConcurrencyLimiter<string>;
  readonly #webSockets: ConcurrencyLimiter<string>;

  constructor(options: IngressOptions) {
    this.#options = options;
    this.#requests = new ConcurrencyLimiter(options.limits.requestsPerClient);
    this.#webSockets = new ConcurrencyLimiter(options.limits.webSocketsPerClient);
  }

  request(connection: Connection, req: ClientRequest, res: ServerResponse | Http2Response): void {
    const { clientAddresses, counters, requestLog, handlers } = this.#options;
    const beganMs = performance.now();
    const clientAddress = clientAddresses.resolve(req, connection.peer);
    const { network } = clientAddress;
    const admitted = network === undefined || this.#requests.tryAcquire(network);
    res.on('close', () => {
      if (admitted && network !== undefined) this.#requests.release(network);
      const status = res.headersSent ? res.statusCode : 0;
      const durationMs = performance.now() - beganMs;
      counters.requestEnded(req, status, durationMs);
      requestLog.ended(req, status, durationMs);
    });
    const fault = this.#fault(connection, req);
    if (fault === undefined && admitted) handlers.request(req, res, clientAddress);
    else {
      if (fault !== undefined && 'shouldKeepAlive' in res) res.shouldKeepAlive = false;
      refuse(req, res, fault ?? tooMany('requests'));
    }
  }

  /** An `Upgrade` or a CONNECT of HTTP/1.1. */
  upgrade(connection: Connection, req: IncomingMessage, socket: Socket, head: Buffer): void {
    const fault = req.method === 'CONNECT' ? NO_TUNNELS : this.#fault(connection, req);
    const acceptor = this.#options.handlers.tunnelAcceptor(req);
    if (fault !== undefined) this.#refuse(req, upgradeResponse(req, socket), fault);
    else if (acceptor === undefined) this.#webSocket(connection, upgradingClient(req, socket, head));
    else {
      const { address } = this.#options.clientAddresses.resolve(req, connection.peer);
      void this.#tunnel(connection, req, socket, acceptor({ req, socket, head, peer: address }));
    }
  }

  /** A CONNECT of HTTP/2, which asks for a WebSocket (RFC 8441) or for what is not offered. */
  connect(connection: Connection, client: WebSocketClient): void {
    const { request } = client;
    const protocol = request.headers[':protocol'];
    const fault = protocol === undefined ? NO_TUNNELS : this.#fault(connection, request);
    if (fault !== undefined) this.#refuse(request, client.answer(), fault);
    else if (protocol !== 'websocket') this.#refuse(request, client.answer(), UNKNOWN_PROTOCOL);
    else this.#webSocket(connection, client);
  }

  #webSocket(connection: Connection, client: WebSocketClient): void {
    const { clientAddresses, handlers, counters, logger } = this.#options;
    const { request, stream } = client;
    const clientAddress = clientAddresses.resolve(request, connection.peer);
    const { network } = clientAddress;
    if (network !== undefined && !this.#webSockets.tryAcquire(network)) {
      this.#refuse(request, client.answer(), tooMany('WebSockets'));
      return;
    }
    stream.once('close', () => {
      if (network !== undefined) this.#webSockets.release(network);
      const refusal = refusalOf(request);
      if (refusal !== undefined) counters.refusals.add(refusal.error);
    });
    handlers.webSocket(client, clientAddress).catch((error) => {
      const { traceId: requestId } = requestTrace(request);
      logger.error({ requestId, reason: messageOf(error) }, 'a WebSocket failed');
      stream.destroy();
    });
  }

  async #tunnel(
    connection: Connection,
    req: IncomingMessage,
    socket: Socket,
    accepted: Promise<void>,
  ): Promise<void> {
    try {
      await accepted;
      if (refusalOf(req) === undefined) this.#options.markTunnel(connection);
    } catch (error) {
      this.#options.logger.error({ reason: messageOf(error) }, 'a tunnel failed');
      socket.destroy();
    }
  }

  #fault({ retryAfterS }: Connection, req: ClientRequest): Refusal | undefined {
    if (retryAfterS > 0) return tooMany('connections', retryAfterS);
    return findRequestFault(req, this.#options.limits.headBytes);
  }

  #refuse(req: ClientRequest, res: ClientResponse, refusal: Refusal): void {
    this.#options.counters.refusals.add(refusal.error);
    refuse(req, res, refusal);
  }
}

function tooMany(what: string, retryAfterS = RETRY_AFTER_S): Refusal {
  return {
    status: 429,
    error: `Too many ${what}`,
    headers: { 'retry-after': String(retryAfterS) },
  };
}
