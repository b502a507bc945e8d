import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { type Logger, messageOf } from '@heliograph/kit';
import {
  HTTP2_TUNNEL_PROTOCOL,
  InvalidToken,
  type KeySource,
  TUNNEL_PATH,
  TUNNEL_PROTOCOL,
  TUNNEL_UP_SIGNAL,
  type TunnelTicket,
  verifyTunnelToken,
  WrongProxy,
} from '@heliograph/wire';
import { bearerToken } from '../auth/credentials.ts';
import { KEYS_UNKNOWN } from '../auth/site-access.ts';
import { knownRefusal, type Refusal, refuse } from '../http/refuse.ts';
import { switchProtocols } from '../http/switch-protocols.ts';
import type { UpgradeRequest } from '../http/upgrade-request.ts';
import { upgradeResponse } from '../http/upgrade-response.ts';
import { connectHttp2 } from '../http2-carrier/connect-http2.ts';
import type { Link, LinkListener } from '../links/link.ts';
import { TunnelLink } from '../links/tunnel-link.ts';
import { FailureLog } from '../log/failure-log.ts';
import { DeviceSession } from './device-session.ts';
import type { Heartbeats } from './heartbeats.ts';
import { RevokedTickets } from './revoked-tickets.ts';
import type { SessionRegistry } from './session-registry.ts';

/** How long requests of a connection that was replaced may still take, in milliseconds. */
const REPLACED_MS = 3_000;
/**
 * How long requests of a device that left may still take, in milliseconds: twice what it takes itself. One that stays
 * could open the next tunnel, and so on.
 */
const LEFT_MS = 120_000;
/**
 * For how long after the expiry of the last token that it signed a retired key is published at the least, in
 * milliseconds. A key that vanishes earlier was withdrawn because it may have leaked.
 */
const RETIRED_AFTER_MS = 4 * 24 * 60 * 60 * 1000;
const OUTDATED = knownRefusal({ status: 401, error: 'Tunnel token is outdated' });
const DRAINING = knownRefusal({
  status: 503,
  error: 'Proxy is draining',
  headers: { 'retry-after': '1' },
});

export interface TunnelAcceptorOptions {
  readonly proxyName: string;
  readonly keys: KeySource;
  /** Whether the cloud's keys could be had yet. */
  readonly hasKeys: () => boolean;
  readonly registry: SessionRegistry;
  readonly heartbeats: Heartbeats;
  readonly logger: Logger;
  readonly now: () => number;
  readonly handshakeTimeoutMs?: number | undefined;
  readonly replacedMs?: number | undefined;
  readonly leftMs?: number | undefined;
}

/** The kinds of trouble with tunnels, whose counts begin at 0. */
const TUNNEL_FAILURES = [
  'bad token',
  'draining',
  'ended',
  'keys unknown',
  'no HTTP/2',
  'no token',
  'outdated',
  'replaced',
  'wrong proxy',
] as const;
type TunnelFailureKind = (typeof TUNNEL_FAILURES)[number];

export function isTunnelUpgrade({ url, headers }: IncomingMessage): boolean {
  const protocol = headers.upgrade?.toLowerCase() ?? '';
  return url === TUNNEL_PATH && (protocol === TUNNEL_PROTOCOL || protocol === HTTP2_TUNNEL_PROTOCOL);
}

/** Turns a device's upgrade request into its session. */
export class TunnelAcceptor {
  readonly #options: TunnelAcceptorOptions;
  readonly #log: FailureLog;
  readonly #handshaking = new Set<Socket>();
  readonly #revokedTickets: RevokedTickets;
  /** Whether devices are sent away with 503. */
  draining = false;
  /** Tunnels that were refused or failed, by the kind of trouble. */
  readonly failures = new Map<TunnelFailureKind, number>(TUNNEL_FAILURES.map((kind) => [kind, 0]));

  constructor(options: TunnelAcceptorOptions) {
    this.#options = options;
    this.#log = new FailureLog(options.logger);
    this.#revokedTickets = new RevokedTickets(options.now);
  }

  /** From now on devices are sent away with 503, also those whose tunnels were about to stand. */
  stop(): void {
    this.draining = true;
    for (const socket of this.#handshaking) socket.destroy();
  }

  /** Ends the tunnel of a device that the cloud no longer trusts, or not for this site, and takes none with its token. */
  revoke(uid: string): void {
    const session = this.#options.registry.findDevice(uid);
    if (session === undefined) return;
    this.#revokedTickets.add(session.ticket);
    session.link.end('the cloud does not trust the device, or not for this site');
  }

  /** Ends tunnels that were opened with tokens of a key that was withdrawn. */
  endUntrusted(): void {
    const { registry, keys, now } = this.#options;
    const oldestMs = now() - RETIRED_AFTER_MS;
    for (const session of [...registry.all()]) {
      const { expiresAt, signedBy } = session.ticket;
      if (expiresAt > oldestMs && !keys.has(signedBy)) {
        session.link.end('the key that signed its tunnel token was withdrawn');
      }
    }
  }

  async accept(upgrade: UpgradeRequest): Promise<void> {
    const { req, socket, head } = upgrade;
    const ticket = await this.#admit(upgrade);
    if (socket.destroyed) return;
    if ('error' in ticket) refuse(req, upgradeResponse(req, socket), ticket);
    else if (req.headers.upgrade?.toLowerCase() === TUNNEL_PROTOCOL) {
      switchProtocols(socket, TUNNEL_PROTOCOL, head, () => {
        this.#begin(ticket, (listener) => new TunnelLink(socket, listener)).link.signal(TUNNEL_UP_SIGNAL);
      });
    } else {
      switchProtocols(socket, HTTP2_TUNNEL_PROTOCOL, head, () => void this.#beginHttp2(ticket, upgrade));
    }
  }

  #closed(session: DeviceSession, reason: string): void {
    const { registry } = this.#options;
    const { uid, siteId } = session;
    // One that said goodbye or was replaced is expected to close.
    if (registry.find(siteId) !== session) return;
    registry.remove(session, false);
    const facts = { uid, site: siteId, reason };
    this.#recordFailure({ kind: 'ended', subject: `${uid} ${reason}`, facts }, 'tunnel ended');
  }

  async #admit({ req, peer }: UpgradeRequest): Promise<TunnelTicket | Refusal> {
    if (this.draining) return this.#refused(peer, 'draining', 'the proxy is draining', DRAINING);
    const { keys, hasKeys, proxyName, now } = this.#options;
    const token = bearerToken(req.headers.authorization);
    if (token === '') {
      return this.#refused(peer, 'no token', 'no tunnel token', {
        status: 401,
        error: 'Tunnel token is missing',
      });
    }
    try {
      const ticket = await verifyTunnelToken(token, keys, proxyName, now());
      if (!this.#isOutdated(ticket)) return ticket;
      return this.#refused(peer, 'outdated', `tunnel token of ${ticket.uid} is outdated`, OUTDATED);
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      // Not 401, after which a device throws its good token away.
      if (!hasKeys()) return this.#refused(peer, 'keys unknown', KEYS_UNKNOWN.error, KEYS_UNKNOWN);
      const wrongProxy = error instanceof WrongProxy;
      return this.#refused(peer, wrongProxy ? 'wrong proxy' : 'bad token', error.message, {
        status: wrongProxy ? 403 : 401,
        error: wrongProxy ? 'Tunnel token is for another proxy' : 'Tunnel token is not valid',
      });
    }
  }

  #isOutdated(ticket: TunnelTicket): boolean {
    return this.#revokedTickets.covers(ticket) || this.#options.registry.isOutdated(ticket);
  }

  #refused(peer: string, kind: TunnelFailureKind, reason: string, refusal: Refusal): Refusal {
    const facts = { peer, reason, time: new Date(this.#options.now()).toISOString() };
    this.#recordFailure({ kind, subject: `${peer} ${reason}`, facts }, 'tunnel refused');
    return refusal;
  }

  #begin(ticket: TunnelTicket, connect: (listener: LinkListener) => Link): DeviceSession {
    const { registry, leftMs = LEFT_MS } = this.#options;
    const link = connect({
      left: () => {
        registry.remove(session, true);
        void link.drain(leftMs, 'it left, and did not end what was under way');
      },
      closed: (reason) => this.#closed(session, reason ?? 'the device closed the connection'),
    });
    const session = new DeviceSession(ticket, link);
    if (this.#isOutdated(ticket)) link.end('its tunnel token is outdated');
    else this.#register(session);
    // The drain began before this session was registered.
    if (this.draining) session.requestMove();
    return session;
  }

  async #beginHttp2(ticket: TunnelTicket, { socket, peer }: UpgradeRequest): Promise<void> {
    const { uid, siteId } = ticket;
    this.#handshaking.add(socket);
    try {
      const connect = await connectHttp2(socket, this.#options.handshakeTimeoutMs);
      this.#begin(ticket, connect);
    } catch (error) {
      const facts = { uid, site: siteId, peer, reason: messageOf(error) };
      this.#recordFailure({ kind: 'no HTTP/2', subject: uid, facts }, 'tunnel failed');
    } finally {
      this.#handshaking.delete(socket);
    }
  }

  #register(session: DeviceSession): void {
    const { registry, heartbeats, logger, replacedMs = REPLACED_MS } = this.#options;
    const { uid, siteId } = session;
    heartbeats.add(session.link);
    for (const old of registry.add(session)) {
      const facts = { uid: old.uid, site: old.siteId, reason: 'replaced by a newer connection', by: uid };
      this.#recordFailure({ kind: 'replaced', subject: old.uid, facts }, 'tunnel ended');
      void old.link.drain(replacedMs, 'replaced by a newer connection');
    }
    logger.info({ uid, site: siteId }, 'session started');
  }

  #recordFailure({ kind, subject, facts }: TunnelFailure, message: string): void {
    this.failures.set(kind, (this.failures.get(kind) ?? 0) + 1);
    this.#log.logFailure(subject, kind, facts, message);
  }
}

interface TunnelFailure {
  readonly kind: TunnelFailureKind;
  readonly subject: string;
  readonly facts: object;
}
