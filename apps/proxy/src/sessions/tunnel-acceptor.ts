import type { IncomingMessage } from 'node:http';
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
import { switchProtocols } from '../http/switch-protocols.ts';
import { upgradeResponse } from '../http/upgrade-response.ts';
import { DeviceSession, type DeviceSessionListener } from './device-session.ts';
import { shakeHands } from './handshake.ts';
import type { Heartbeats } from './heartbeats.ts';
import type { SessionRegistry } from './session-registry.ts';
import { TunnelLog } from './tunnel-log.ts';

/** How long a device has to speak HTTP/2 after its upgrade, in milliseconds. */
const HANDSHAKE_TIMEOUT_MS = 10_000;
/** How long requests of a connection that was replaced may still take, in milliseconds. */
const REPLACED_MS = 3_000;
const DRAINING: Refusal = {
  status: 503,
  error: 'Proxy is draining',
  headers: { 'retry-after': '1' },
};

export interface TunnelAcceptorOptions {
  readonly proxyName: string;
  readonly keys: KeySource;
  readonly registry: SessionRegistry;
  readonly heartbeats: Heartbeats;
  readonly logger: Logger;
  readonly now: () => number;
  readonly handshakeTimeoutMs?: number | undefined;
  readonly replacedMs?: number | undefined;
}

/** Turns a device's upgrade request into its session. */
export class TunnelAcceptor implements DeviceSessionListener {
  readonly #options: TunnelAcceptorOptions;
  readonly #log: TunnelLog;
  readonly #handshaking = new Set<Socket>();
  /** Whether devices are sent away with 503. */
  draining = false;
  /** Tunnels that were refused or failed, by the kind of trouble. */
  readonly failures = new Map<string, number>();

  constructor(options: TunnelAcceptorOptions) {
    this.#options = options;
    this.#log = new TunnelLog(options.logger);
  }

  /** From now on devices are sent away with 503, also those whose tunnels were about to stand. */
  stop(): void {
    this.draining = true;
    for (const socket of this.#handshaking) socket.destroy();
  }

  /** @param head what came with the upgrade request without waiting for its answer */
  async accept(req: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    const claims = await this.#admit(req);
    if (socket.destroyed) return;
    if ('error' in claims) refuse(req, upgradeResponse(req, socket), claims);
    else switchProtocols(socket, TUNNEL_PROTOCOL, head, () => void this.#establish(claims, socket));
  }

  left(session: DeviceSession): void {
    this.#options.registry.remove(session, true);
  }

  closed(session: DeviceSession, reason: string): void {
    const { registry } = this.#options;
    const { uid, siteId } = session;
    // One that said goodbye or was replaced is expected to close.
    if (registry.find(siteId) !== session) return;
    registry.remove(session, false);
    this.#trouble({ kind: 'ended', who: uid, facts: { uid, site: siteId, reason } }, 'tunnel ended');
  }

  async #admit(req: IncomingMessage): Promise<TunnelTokenClaims | Refusal> {
    if (this.draining) return this.#refused(req, 'draining', 'the proxy is draining', DRAINING);
    const { keys, proxyName, now } = this.#options;
    const token = bearerToken(req.headers.authorization);
    if (token === '') {
      return this.#refused(req, 'no token', 'no tunnel token', {
        status: 401,
        error: 'Tunnel token is missing',
      });
    }
    try {
      return await verifyTunnelToken(token, keys, proxyName, now());
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      const wrongProxy = error instanceof WrongProxy;
      return this.#refused(req, wrongProxy ? 'wrong proxy' : 'bad token', error.message, {
        status: wrongProxy ? 403 : 401,
        error: wrongProxy ? 'Tunnel token is for another proxy' : 'Tunnel token is not valid',
      });
    }
  }

  #refused(req: IncomingMessage, kind: string, reason: string, refusal: Refusal): Refusal {
    const peer = req.socket.remoteAddress ?? '';
    const facts = { peer, reason, time: new Date(this.#options.now()).toISOString() };
    this.#trouble({ kind, who: `${peer} ${reason}`, facts }, 'tunnel refused');
    return refusal;
  }

  async #establish({ uid, siteId }: TunnelTokenClaims, socket: Socket): Promise<void> {
    const { handshakeTimeoutMs = HANDSHAKE_TIMEOUT_MS } = this.#options;
    const peer = socket.remoteAddress;
    this.#handshaking.add(socket);
    try {
      const http2 = await shakeHands(socket, handshakeTimeoutMs);
      this.#register(new DeviceSession({ uid, siteId, http2, socket }, this));
    } catch (error) {
      const facts = { uid, site: siteId, peer, reason: messageOf(error) };
      this.#trouble({ kind: 'no HTTP/2', who: uid, facts }, 'tunnel failed');
    } finally {
      this.#handshaking.delete(socket);
    }
  }

  #register(session: DeviceSession): void {
    const { registry, heartbeats, logger, replacedMs = REPLACED_MS } = this.#options;
    const { uid, siteId } = session;
    heartbeats.add(session);
    for (const old of registry.add(session)) {
      const facts = { uid: old.uid, site: old.siteId, reason: 'replaced by a newer connection', by: uid };
      this.#trouble({ kind: 'replaced', who: old.uid, facts }, 'tunnel ended');
      void old.drain(replacedMs, 'replaced by a newer connection');
    }
    logger.info({ uid, site: siteId }, 'session started');
  }

  #trouble({ kind, who, facts }: Trouble, message: string): void {
    this.failures.set(kind, (this.failures.get(kind) ?? 0) + 1);
    this.#log.trouble(who, kind, facts, message);
  }
}

interface Trouble {
  readonly kind: string;
  readonly who: string;
  readonly facts: object;
}
