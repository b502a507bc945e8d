import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Logger } from '@heliograph/kit';
import { answerUnread, Multiplexer, TunnelServer } from '@heliograph/tunnel';
import {
  FORWARDED_FOR_HEADER,
  HTTP2_RELAY_PROTOCOL,
  InvalidToken,
  type KeySource,
  RELAY_PATH,
  RELAY_PROTOCOL,
  verifyRelayToken,
} from '@heliograph/wire';
import { bearerToken } from '../auth/credentials.ts';
import type { ClientAddress } from '../client-address/client-address.ts';
import { type Refusal, refuse } from '../http/refuse.ts';
import { switchProtocols } from '../http/switch-protocols.ts';
import type { UpgradeRequest } from '../http/upgrade-request.ts';
import { upgradeResponse } from '../http/upgrade-response.ts';
import { upgradingClient } from '../http/websocket-handshake.ts';
import { serveHttp2Relay } from '../http2-carrier/http2-relay.ts';
import { NOT_HERE, type RelayHandlers } from '../links/relay-handlers.ts';
import { FailureLog } from '../log/failure-log.ts';

/** The longest head of a request of another proxy, in bytes; each proxy has a limit of its own for its clients. */
const MAX_HEAD_BYTES = 64 * 1024;
/** Heads of all requests of other proxies under way, in bytes. */
const MAX_HEADS_BYTES = 256 * 1024 * 1024;
/** Requests and WebSockets of another proxy at a time; its own limits hold for each client and site. */
const MAX_CONNECTIONS = 100_000;
/** How long the network may be silent before the system asks whether the peer is there, in milliseconds. */
const KEEP_ALIVE_MS = 30_000;

export interface RelayAcceptorOptions {
  readonly proxyName: string;
  readonly keys: KeySource;
  readonly handlers: RelayHandlers;
  readonly logger: Logger;
  readonly now: () => number;
}

export function isRelayUpgrade({ url, headers }: IncomingMessage): boolean {
  const protocol = headers.upgrade?.toLowerCase() ?? '';
  return url === RELAY_PATH && (protocol === RELAY_PROTOCOL || protocol === HTTP2_RELAY_PROTOCOL);
}

/** Takes requests that other proxies pass on, for sites whose devices are here. */
export class RelayAcceptor {
  readonly #options: RelayAcceptorOptions;
  /** Takes no more requests of one other proxy. */
  readonly #leaves = new Set<() => void>();
  readonly #server: TunnelServer;
  readonly #log: FailureLog;

  constructor(options: RelayAcceptorOptions) {
    const { handlers } = options;
    this.#options = options;
    this.#log = new FailureLog(options.logger);
    this.#server = new TunnelServer(
      { maxHeadBytes: MAX_HEAD_BYTES, maxHeadsBytes: MAX_HEADS_BYTES },
      {
        request: (req, res) =>
          handlers.request(req, Object.assign(res, { handleRefusal }), clientAddressOf(req)),
        upgrade: (req, head) => {
          const client = upgradingClient(req, req.socket, head);
          handlers.webSocket(client, clientAddressOf(req)).catch(() => req.socket.destroy());
        },
      },
    );
  }

  async accept({ req, socket, head, peer }: UpgradeRequest): Promise<void> {
    const { keys, proxyName, now } = this.#options;
    try {
      const { from } = await verifyRelayToken(bearerToken(req.headers.authorization), keys, proxyName, now());
      if (socket.destroyed) return;
      const isHttp2 = req.headers.upgrade?.toLowerCase() === HTTP2_RELAY_PROTOCOL;
      const protocol = isHttp2 ? HTTP2_RELAY_PROTOCOL : RELAY_PROTOCOL;
      switchProtocols(socket, protocol, head, () => this.#begin(socket, from, isHttp2));
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      this.#log.logFailure(peer, error.message, { peer, reason: error.message }, 'relay refused');
      if (socket.destroyed) return;
      refuse(req, upgradeResponse(req, socket), { status: 401, error: 'Relay token is not valid' });
    }
  }

  /** Takes no more requests, which other proxies then send elsewhere; those that were taken finish. */
  stop(): void {
    for (const leave of this.#leaves) leave();
  }

  #begin(socket: Socket, from: string, isHttp2: boolean): void {
    const { handlers, logger } = this.#options;
    socket.setTimeout(0);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    const leave = isHttp2 ? serveHttp2Relay(socket, from, handlers) : this.#serve(socket, from);
    this.#leaves.add(leave);
    socket.once('close', () => this.#leaves.delete(leave));
    logger.info({ proxy: from }, 'taking requests from another proxy');
  }

  #serve(socket: Socket, from: string): () => void {
    const multiplexer = new Multiplexer(
      { socket, opens: false, maxConnections: MAX_CONNECTIONS },
      {
        onConnection: (connection) => {
          peers.set(connection, from);
          this.#server.serve(connection);
        },
        onSignal: () => undefined,
        onLeave: () => undefined,
        onClose: () => undefined,
      },
    );
    return () => multiplexer.leave();
  }
}

/** The proxies behind virtual connections, by their names. */
const peers = new WeakMap<object, string>();

/** Another proxy looks again where a site is when the site is not here. */
function handleRefusal(this: ServerResponse, refusal: Refusal): boolean {
  if (refusal === NOT_HERE) answerUnread(this);
  return refusal === NOT_HERE;
}

/** The other proxy's word is as good as our own: it holds a token of the cloud. */
function clientAddressOf({ headers, socket }: IncomingMessage): ClientAddress {
  return {
    address: headers[FORWARDED_FOR_HEADER]?.toString() ?? '',
    scheme: headers['x-forwarded-proto'] === 'https' ? 'https' : 'http',
    relayedBy: peers.get(socket) ?? '',
  };
}
