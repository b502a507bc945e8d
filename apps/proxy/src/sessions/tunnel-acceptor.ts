import type { IncomingMessage } from 'node:http';
import { type ClientHttp2Session, connect, type Settings } from 'node:http2';
import type { Socket } from 'node:net';
import { type Logger, messageOf } from '@heliograph/kit';
import {
  InvalidToken,
  type KeySource,
  TUNNEL_PROTOCOL,
  type TunnelTokenClaims,
  verifyTunnelToken,
  WrongProxy,
} from '@heliograph/wire';
import { bearerToken } from '../auth/credentials.ts';
import { type Refusal, refuse } from '../http/refuse.ts';
import { upgradeResponse } from '../http/upgrade-response.ts';
import { DeviceSession } from './device-session.ts';
import type { SessionRegistry } from './session-registry.ts';

/** How long a device has to speak HTTP/2 after its upgrade, in milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** What one slow client can make the proxy hold of an answer, in bytes. */
const STREAM_WINDOW_BYTES = 256 * 1024;
/** What all slow clients of one device together can make the proxy hold, in bytes. */
const SESSION_WINDOW_BYTES = 4 * 1024 * 1024;
/** Memory of one HTTP/2 session, in megabytes; beyond it new streams are refused. */
const SESSION_MEMORY_MB = 16;
/** Longest head of a device's answer, in bytes. */
const MAX_ANSWER_HEAD_BYTES = 32 * 1024;

const SWITCHING_PROTOCOLS = [
  'HTTP/1.1 101 Switching Protocols',
  'Connection: Upgrade',
  `Upgrade: ${TUNNEL_PROTOCOL}`,
  '',
  '',
].join('\r\n');

export interface TunnelAcceptorOptions {
  readonly proxyName: string;
  readonly keys: KeySource;
  readonly registry: SessionRegistry;
  readonly logger: Logger;
  readonly now: () => number;
  readonly handshakeTimeoutMs?: number | undefined;
  readonly pingIntervalMs?: number | undefined;
  readonly pingTimeoutMs?: number | undefined;
}

/** Turns a device's upgrade request into its session. */
export class TunnelAcceptor {
  readonly #options: TunnelAcceptorOptions;
  readonly #handshaking = new Set<Socket>();
  #draining = false;

  constructor(options: TunnelAcceptorOptions) {
    this.#options = options;
  }

  /** From now on devices are sent away with 503. */
  stop(): void {
    this.#draining = true;
    for (const socket of this.#handshaking) socket.destroy();
  }

  /** @param head what came with the upgrade request without waiting for its answer */
  async accept(req: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const claims = await this.#admit(req);
    if (socket.destroyed) return;
    if ('error' in claims) {
      refuse(req, upgradeResponse(req, socket), claims);
      return;
    }
    // HTTP/2 takes the connection over beneath the socket, so the socket's own write must be done before:
    // Node aborts the process when the end of a write is told to an HTTP/2 session that did not begin it
    // (https://github.com/nodejs/node/issues/63436), which over TLS would be the rule.
    socket.write(SWITCHING_PROTOCOLS, (error) => {
      if (error || socket.destroyed) return;
      if (head.length > 0) socket.unshift(head);
      this.#establish(claims, socket);
    });
  }

  async #admit(req: IncomingMessage): Promise<TunnelTokenClaims | Refusal> {
    if (this.#draining) return { status: 503, error: 'Proxy is stopping', headers: { 'retry-after': '1' } };
    const { keys, proxyName, now, logger } = this.#options;
    const token = bearerToken(req.headers.authorization);
    if (token === '') return { status: 401, error: 'Tunnel token is missing' };
    try {
      return await verifyTunnelToken(token, keys, proxyName, now());
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      logger.info({ reason: error.message, peer: req.socket.remoteAddress }, 'tunnel refused');
      if (error instanceof WrongProxy) return { status: 403, error: 'Tunnel token is for another proxy' };
      return { status: 401, error: 'Tunnel token is not valid' };
    }
  }

  /** The device becomes reachable once its settings say that it serves what the proxy will ask. */
  #establish({ uid, siteId }: TunnelTokenClaims, socket: Socket): void {
    const { logger, handshakeTimeoutMs = HANDSHAKE_TIMEOUT_MS } = this.#options;
    socket.setTimeout(0);
    socket.setNoDelay(true);
    // Sockets of an HTTP server stay half open when the other side ends; a tunnel has no use for that.
    socket.once('end', () => socket.destroy());
    const http2 = connectThrough(socket);
    this.#handshaking.add(socket);
    const giveUp = (reason: string): void => {
      logger.info({ uid, site: siteId, reason }, 'tunnel failed');
      http2.destroy();
      socket.destroy();
    };
    const timer = setTimeout(giveUp, handshakeTimeoutMs, 'no HTTP/2 settings in time');
    http2.on('error', (error) =>
      logger.info({ uid, site: siteId, reason: messageOf(error) }, 'tunnel broke'),
    );
    http2.once('close', () => {
      clearTimeout(timer);
      this.#handshaking.delete(socket);
      socket.destroy();
    });
    http2.once('remoteSettings', (settings: Settings) => {
      clearTimeout(timer);
      this.#handshaking.delete(socket);
      if (http2.destroyed) return;
      if (settings.enableConnectProtocol === true) this.#register(uid, siteId, http2, socket);
      else giveUp('the device does not offer extended CONNECT');
    });
  }

  #register(uid: string, siteId: number, http2: ClientHttp2Session, socket: Socket): void {
    const { registry, logger, pingIntervalMs, pingTimeoutMs } = this.#options;
    const session = new DeviceSession({ uid, siteId, http2, socket, logger, pingIntervalMs, pingTimeoutMs });
    session.start(() => registry.remove(session));
    const previous = registry.add(session);
    logger.info({ uid, site: siteId }, 'session started');
    previous?.end('replaced by a newer connection');
  }
}

function connectThrough(socket: Socket): ClientHttp2Session {
  const http2 = connect('http://device', {
    createConnection: () => socket,
    maxSessionMemory: SESSION_MEMORY_MB,
    settings: {
      enablePush: false,
      initialWindowSize: STREAM_WINDOW_BYTES,
      maxHeaderListSize: MAX_ANSWER_HEAD_BYTES,
    },
  });
  http2.setLocalWindowSize(SESSION_WINDOW_BYTES);
  return http2;
}
