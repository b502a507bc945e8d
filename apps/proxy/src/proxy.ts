import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { type Clock, type Logger, messageOf, type Running, silentLogger, systemClock } from '@heliograph/kit';
import { TUNNEL_PATH, TUNNEL_PROTOCOL } from '@heliograph/wire';
import { Announcer } from './announce/announcer.ts';
import { CloudKeys } from './auth/cloud-keys.ts';
import { KEYS_UNKNOWN, SiteAccessCheck } from './auth/site-access.ts';
import type { ProxyConfig } from './config/config.ts';
import { DEFAULT_LIMITS, type ProxyLimits } from './config/limits.ts';
import { isWebSocketUpgrade, upgradingClient } from './forward/websocket-handshake.ts';
import { SiteGate } from './gate/site-gate.ts';
import { SiteRoutes } from './gate/site-routes.ts';
import { type Refusal, refuse } from './http/refuse.ts';
import { ProxyServer } from './server.ts';
import { SessionRegistry } from './sessions/session-registry.ts';
import { TunnelAcceptor } from './sessions/tunnel-acceptor.ts';
import type { Visitor } from './visitor/visitor.ts';

/** How long open requests may still take when the proxy stops, in milliseconds. */
const DRAIN_MS = 2_000;

const NOT_FOUND: Refusal = { status: 404, error: 'Not found' };

export interface ProxyFacts {
  /** Where devices dial and clients ask. */
  readonly url: string;
  /** What clients put after `https?://`. */
  readonly host: string;
}

/** What tests set otherwise; each default stands beside its user. */
export interface ProxyOptions {
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly limits?: Partial<ProxyLimits>;
  readonly handshakeTimeoutMs?: number;
  readonly pingIntervalMs?: number;
  readonly pingTimeoutMs?: number;
  readonly announceIntervalMs?: number;
}

/** Starts a proxy; resolves once it listens, whether the cloud can be reached or not. */
export async function startProxy(
  config: ProxyConfig,
  options: ProxyOptions = {},
): Promise<Running<ProxyFacts>> {
  const proxy = new RunningProxy(config, options);
  const facts = await proxy.start();
  return { facts, stop: () => proxy.stop() };
}

class RunningProxy {
  readonly #config: ProxyConfig;
  readonly #options: ProxyOptions;
  readonly #logger: Logger;
  readonly #keys: CloudKeys;
  readonly #registry: SessionRegistry;
  readonly #tunnels: TunnelAcceptor;
  readonly #gate: SiteGate;
  #server: ProxyServer | undefined;
  #announcer: Announcer | undefined;

  constructor(config: ProxyConfig, options: ProxyOptions) {
    const { logger = silentLogger, clock = systemClock } = options;
    const now = (): number => clock.now();
    this.#config = config;
    this.#options = options;
    this.#logger = logger;
    this.#keys = new CloudKeys(config.cloudUrl, logger);
    this.#registry = new SessionRegistry(() => this.#announcer?.changed());
    this.#tunnels = new TunnelAcceptor({
      ...options,
      proxyName: config.name,
      keys: this.#keys.keys,
      registry: this.#registry,
      logger,
      now,
    });
    this.#gate = new SiteGate({
      access: new SiteAccessCheck(this.#keys, now),
      routes: new SiteRoutes(this.#registry),
      limits: { ...DEFAULT_LIMITS, ...options.limits },
    });
  }

  async start(): Promise<ProxyFacts> {
    const { bind, port, tls } = this.#config;
    const files = tls && { cert: await readFile(tls.certPath), key: await readFile(tls.keyPath) };
    const handlers = {
      request: (req: IncomingMessage, res: ServerResponse) => this.#request(req, res),
      isUpgrade: (req: IncomingMessage) => isTunnelUpgrade(req) || isWebSocketUpgrade(req),
      upgrade: (req: IncomingMessage, socket: Socket, head: Buffer) => void this.#upgrade(req, socket, head),
    };
    this.#server = new ProxyServer(handlers, files);
    const facts = this.#factsAt(await this.#server.listen(bind, port));
    this.#keys.start();
    this.#announcer = this.#createAnnouncer(facts);
    this.#announcer.start();
    return facts;
  }

  /** Sends devices and clients away in good order: what is under way may finish until the deadline. */
  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    server.stopListening();
    this.#keys.stop();
    this.#tunnels.stop();
    this.#gate.stop();
    await Promise.all(this.#registry.all().map((session) => session.drain(DRAIN_MS)));
    await server.close();
    await this.#announcer?.stop();
  }

  #request(req: IncomingMessage, res: ServerResponse): void {
    const url = req.url ?? '';
    if (url.startsWith('/api/')) this.#gate.request(req, res, this.#visitor(req));
    else if (url === '/healthz') respondOk(res);
    else if (url === '/readyz' && this.#keys.fetched) respondOk(res);
    else refuse(req, res, url === '/readyz' ? KEYS_UNKNOWN : NOT_FOUND);
  }

  async #upgrade(req: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    try {
      if (isTunnelUpgrade(req)) await this.#tunnels.accept(req, socket, head);
      else await this.#gate.webSocket(upgradingClient(req, socket, head), this.#visitor(req));
    } catch (error) {
      this.#logger.error({ reason: messageOf(error) }, 'an upgrade failed');
      socket.destroy();
    }
  }

  #visitor(req: IncomingMessage): Visitor {
    return {
      address: req.socket.remoteAddress ?? '',
      scheme: this.#config.tls === undefined ? 'http' : 'https',
    };
  }

  #factsAt(port: number): ProxyFacts {
    const { bind, tls } = this.#config;
    const host = this.#config.host ?? `${bind.includes(':') ? `[${bind}]` : bind}:${port}`;
    return { host, url: this.#config.url ?? `${tls === undefined ? 'http' : 'https'}://${host}` };
  }

  #createAnnouncer(facts: ProxyFacts): Announcer {
    const { name, region, secret, cloudUrl } = this.#config;
    return new Announcer({
      cloudUrl,
      name,
      secret,
      logger: this.#logger,
      intervalMs: this.#options.announceIntervalMs,
      body: () => ({
        host: facts.host,
        url: facts.url,
        region,
        sessions: this.#registry.all().map(({ uid, siteId }) => ({ uid, site_id: siteId })),
      }),
    });
  }
}

function isTunnelUpgrade(req: IncomingMessage): boolean {
  return req.url === TUNNEL_PATH && req.headers.upgrade?.toLowerCase() === TUNNEL_PROTOCOL;
}

function respondOk(res: ServerResponse): void {
  res.writeHead(200, { 'content-type': 'application/json; charset=utf-8' });
  res.end('{"status":"ok"}');
}
