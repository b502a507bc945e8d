import type { IncomingMessage } from 'node:http';
import type { ProxyAnnounceAnswer, SiteRevocation } from '@heliograph/contracts';
import {
  AddressList,
  type Clock,
  type Logger,
  projectVersion,
  type Running,
  silentLogger,
  systemClock,
} from '@heliograph/kit';
import { type CheckResult, Readiness, type SpanExport, startSpanExport } from '@heliograph/telemetry';
import { regionDomainOf } from '@heliograph/wire';
import { Announcer } from './announce/announcer.ts';
import { SessionChanges } from './announce/session-changes.ts';
import { CloudKeys } from './auth/cloud-keys.ts';
import { Revocations } from './auth/revocations.ts';
import { KEYS_UNKNOWN, SiteAccessCheck } from './auth/site-access.ts';
import type { Browsing } from './browse/browsing.ts';
import { createBrowsing } from './browse/create-browsing.ts';
import type { ClientAddress } from './client-address/client-address.ts';
import { ClientAddressResolver } from './client-address/resolver.ts';
import type { ProxyConfig } from './config/config.ts';
import type { ProxyLimits } from './config/limits.ts';
import { Drain } from './drain/drain.ts';
import type { ClientRequest, ClientResponse } from './http/client.ts';
import { knownRefusal, type Refusal } from './http/refuse.ts';
import type { WebSocketClient } from './http/web-socket-client.ts';
import { Certificates } from './listener/certificates.ts';
import type { UpgradeAcceptor } from './listener/ingress.ts';
import { Listener } from './listener/listener.ts';
import { OperationalEndpoints } from './listener/operational-endpoints.ts';
import { Counters } from './metrics/counters.ts';
import { Metrics } from './metrics/exposition.ts';
import { RequestLog } from './metrics/request-log.ts';
import { Peers } from './relay/peers.ts';
import { isRelayUpgrade, RelayAcceptor } from './relay/relay-acceptor.ts';
import { SiteLocator } from './relay/site-locator.ts';
import { SiteProxy } from './site-proxy/site-proxy.ts';
import { UpstreamResolver } from './site-proxy/upstream-resolver.ts';
import type { DeviceSession } from './tunnels/device-session.ts';
import { Heartbeats } from './tunnels/heartbeats.ts';
import { RecentlyLeft } from './tunnels/recently-left.ts';
import { SessionRegistry } from './tunnels/session-registry.ts';
import { isTunnelUpgrade, TunnelAcceptor } from './tunnels/tunnel-acceptor.ts';

/** How often it is looked for what is under way with tokens that are no longer good, in milliseconds. */
const CHECK_INTERVAL_MS = 1_000;
/** After so long without an answer the cloud counts the proxy as dead, in milliseconds. */
const SILENCE_MS = 20_000;
/** How long requests on tunnels to other proxies may still take when everything else has ended, in milliseconds. */
const PEERS_MS = 250;

const DRAINING = knownRefusal({ status: 503, error: 'Proxy is draining' });
const REFUSED = knownRefusal({
  status: 503,
  error: 'The cloud refuses the credential of this proxy: its log says what to do',
});

export interface ProxyFacts {
  /** URL for devices and clients. */
  readonly url: string;
  /** Public host with an optional port. */
  readonly host: string;
}

/** Overrides for tests; each default stands beside its user. */
export interface ProxyOptions {
  readonly logger?: Logger;
  readonly clock?: Clock;
  readonly limits?: Partial<ProxyLimits>;
  readonly handshakeTimeoutMs?: number;
  readonly pingIntervalMs?: number;
  readonly pingTimeoutMs?: number;
  readonly announceIntervalMs?: number;
  readonly replacedMs?: number;
  readonly leftMs?: number;
  readonly moveGraceMs?: number;
  readonly lostProxyMs?: number;
  readonly certificateIntervalMs?: number;
}

/** Starts a proxy; resolves once it listens, whether the cloud can be reached or not. */
export async function startProxy(
  config: ProxyConfig,
  options: ProxyOptions = {},
): Promise<Running<ProxyFacts>> {
  const spans = await startSpanExport(config.openTelemetry, options.logger ?? silentLogger);
  const proxy = new RunningProxy(config, options, spans);
  const facts = await proxy.start();
  return { facts, stop: () => proxy.stop() };
}

class RunningProxy {
  readonly #config: ProxyConfig;
  readonly #options: ProxyOptions;
  readonly #spans: SpanExport | undefined;
  readonly #logger: Logger;
  readonly #keys: CloudKeys;
  readonly #registry: SessionRegistry;
  readonly #tunnels: TunnelAcceptor;
  readonly #siteProxy: SiteProxy;
  readonly #browsing: Browsing | undefined;
  readonly #relays: RelayAcceptor;
  readonly #peers: Peers;
  readonly #heartbeats: Heartbeats;
  readonly #revocations: Revocations;
  readonly #changes = new SessionChanges();
  readonly #recentlyLeft: RecentlyLeft;
  readonly #drain: Drain;
  /** Tokens expire and keys are withdrawn, whether the cloud is there or not. */
  #checking: NodeJS.Timeout | undefined;
  readonly #clock: Clock;
  readonly #limits: ProxyLimits;
  readonly #counters = new Counters();
  readonly #certificates: Certificates | undefined;
  readonly #metrics: Metrics;
  readonly #ownPaths: OperationalEndpoints;
  #listener: Listener | undefined;
  #announcer: Announcer | undefined;

  constructor(config: ProxyConfig, options: ProxyOptions, spans: SpanExport | undefined) {
    const { logger = silentLogger, clock = systemClock } = options;
    const now = (): number => clock.now();
    this.#config = config;
    this.#options = options;
    this.#spans = spans;
    this.#logger = logger;
    this.#clock = clock;
    this.#limits = { ...config.limits, ...options.limits };
    this.#certificates =
      config.tls &&
      new Certificates({
        own: config.tls,
        region: config.regionTls,
        host: config.host === undefined ? undefined : withoutPort(config.host),
        regionDomain: regionDomainFor(config),
        clock,
        logger,
        intervalMs: options.certificateIntervalMs,
      });
    this.#keys = new CloudKeys(config.cloudUrl, logger, { file: config.keysFile });
    this.#registry = new SessionRegistry({
      added: (session) => this.#onSessionAdded(session),
      removed: (session, gracefully) => this.#onSessionRemoved(session, gracefully),
    });
    this.#recentlyLeft = new RecentlyLeft(options.moveGraceMs);
    this.#heartbeats = new Heartbeats(options);
    this.#revocations = new Revocations(now);
    const shared = { proxyName: config.name, registry: this.#registry, keys: this.#keys.keys, logger, now };
    this.#tunnels = new TunnelAcceptor({
      ...shared,
      hasKeys: () => this.#keys.fetched,
      heartbeats: this.#heartbeats,
      handshakeTimeoutMs: options.handshakeTimeoutMs,
      replacedMs: options.replacedMs,
      leftMs: options.leftMs,
    });
    this.#peers = new Peers({ heartbeats: this.#heartbeats, logger, clock });
    const locator = new SiteLocator(config);
    const access = new SiteAccessCheck(this.#keys, now, this.#revocations);
    this.#siteProxy = new SiteProxy({
      access,
      upstreams: new UpstreamResolver({
        ...shared,
        recentlyLeft: this.#recentlyLeft,
        locator,
        peers: this.#peers,
        lostProxyMs: options.lostProxyMs,
        clock,
      }),
      limits: this.#limits,
      counters: this.#counters,
    });
    this.#browsing = createBrowsing(config, { siteProxy: this.#siteProxy, access, locator, now });
    this.#relays = new RelayAcceptor({ ...shared, handlers: this.#siteProxy });
    this.#drain = new Drain({
      ...shared,
      tunnels: this.#tunnels,
      inFlight: this.#siteProxy.inFlight,
      announcer: () => this.#announcer,
    });
    this.#metrics = this.#createMetrics();
    this.#ownPaths = this.#createOwnPaths();
  }

  async start(): Promise<ProxyFacts> {
    const { bind, port } = this.#config;
    await this.#certificates?.load();
    this.#listener = this.#createFront();
    const facts = this.#factsAt(await this.#listener.listen(bind, port));
    const { name, region } = this.#config;
    this.#logger.info({ version: projectVersion(), proxy: name, region }, `the proxy serves at ${facts.url}`);
    void this.#metrics.watchProcess();
    this.#keys.start();
    this.#announcer = this.#createAnnouncer(facts);
    this.#announcer.start();
    this.#checking = setInterval(() => this.#endUnauthorized(), CHECK_INTERVAL_MS).unref();
    return facts;
  }

  /** Sends devices and clients away in good order: what is under way may finish. */
  async stop(): Promise<void> {
    const listener = this.#listener;
    if (listener === undefined) return;
    listener.drain();
    await this.#drain.stop(() => listener.stopListening());
    clearInterval(this.#checking);
    this.#keys.stop();
    this.#tunnels.stop();
    this.#relays.stop();
    this.#heartbeats.stop();
    await this.#peers.stop(PEERS_MS);
    await listener.close();
    await this.#announcer?.stop();
    await this.#spans?.stop();
  }

  #createFront(): Listener {
    const config = this.#config;
    const scheme = config.tls === undefined ? 'http' : 'https';
    const trusted = new AddressList(config.trustedProxies);
    const unlimited = new AddressList(config.unlimitedFrom);
    const balancers = new AddressList(config.proxyProtocolFrom);
    return new Listener({
      handlers: {
        request: (req, res, clientAddress) => this.#request(req, res, clientAddress),
        webSocket: (client, clientAddress) => this.#webSocket(client, clientAddress),
        tunnelAcceptor: (req) => this.#tunnelAcceptor(req),
      },
      limits: this.#limits,
      clientAddresses: new ClientAddressResolver({ trusted, unlimited, scheme }),
      balancers,
      counters: this.#counters,
      requestLog: new RequestLog(this.#logger, this.#spans),
      certificates: this.#certificates,
      logger: this.#logger,
      monotonic: () => this.#clock.monotonic(),
    });
  }

  #request(req: ClientRequest, res: ClientResponse, clientAddress: ClientAddress): void {
    const site = this.#browsing?.siteOf(req);
    if (site !== undefined) this.#browsing?.request(site, req, res, clientAddress);
    else if (!this.#ownPaths.answer(req, res, clientAddress))
      this.#siteProxy.request(req, res, clientAddress);
  }

  async #webSocket(client: WebSocketClient, clientAddress: ClientAddress): Promise<void> {
    const site = this.#browsing?.siteOf(client.request);
    if (site === undefined) await this.#siteProxy.webSocket(client, clientAddress);
    else await this.#browsing?.webSocket(site, client, clientAddress);
  }

  #tunnelAcceptor(req: IncomingMessage): UpgradeAcceptor | undefined {
    if (isTunnelUpgrade(req)) return (upgrade) => this.#tunnels.accept(upgrade);
    if (isRelayUpgrade(req)) return (upgrade) => this.#relays.accept(upgrade);
    return undefined;
  }

  #createMetrics(): Metrics {
    return new Metrics({
      counters: this.#counters,
      connections: () => this.#listener?.connections ?? [],
      tunnels: () => this.#registry.size,
      tunnelFailures: () => this.#tunnels.failures,
      webSockets: () => this.#siteProxy.inFlight.webSockets,
      announcements: () => ({ ageMs: this.#announcer?.ageMs, failures: this.#announcer?.failures ?? 0 }),
      certificates: () => this.#certificates?.expiries() ?? [],
    });
  }

  #createOwnPaths(): OperationalEndpoints {
    const certificates = this.#certificates;
    return new OperationalEndpoints({
      readiness: new Readiness({
        drain: () =>
          checkOf(this.#drain.active ? DRAINING : undefined, 'The proxy takes devices and clients'),
        cloud: () => this.#cloudCheck(),
        ...(certificates && { certificate: () => certificates.check() }),
      }),
      metrics: () => this.#metrics.text(),
      metricsFrom: new AddressList(this.#config.metricsFrom),
    });
  }

  #cloudCheck(): CheckResult {
    if (!this.#keys.fetched) return checkOf(KEYS_UNKNOWN);
    // Connected devices are still served, but new clients must go elsewhere.
    if (this.#announcer?.refusal !== undefined) return checkOf(REFUSED);
    const ageMs = this.#announcer?.ageMs ?? Number.POSITIVE_INFINITY;
    if (ageMs > SILENCE_MS) return { status: 'warning', detail: 'The cloud does not answer announcements' };
    return checkOf(undefined, 'The cloud answers');
  }

  #factsAt(port: number): ProxyFacts {
    const { bind, tls } = this.#config;
    const host = this.#config.host ?? `${bind.includes(':') ? `[${bind}]` : bind}:${port}`;
    return { host, url: this.#config.url ?? `${tls === undefined ? 'http' : 'https'}://${host}` };
  }

  #createAnnouncer({ host, url }: ProxyFacts): Announcer {
    const {
      name,
      region,
      regionDomain = regionDomainOf(host),
      capacity,
      credential,
      cloudUrl,
    } = this.#config;
    // The port is that of the host.
    const domain = regionDomain?.replace(/:\d+$/, '') ?? null;
    return new Announcer({
      cloudUrl,
      name,
      credential,
      logger: this.#logger,
      intervalMs: this.#options.announceIntervalMs,
      state: () => ({ host, url, region, region_domain: domain, capacity, draining: this.#drain.active }),
      sessions: () => [...this.#registry.all()].map(({ uid, siteId }) => ({ uid, site_id: siteId })),
      changes: this.#changes,
      onAnswer: (answer) => this.#apply(answer),
    });
  }

  #endUnauthorized(): void {
    this.#siteProxy.endUnauthorized();
    this.#tunnels.endUntrusted();
  }

  /** Applies the cloud's answer. */
  #apply({
    revoked = [],
    revocations = [],
    drain = false,
    others = false,
  }: Partial<ProxyAnnounceAnswer>): void {
    // A tunnel that came since is judged with the announcement that has it.
    for (const uid of revoked) if (!this.#changes.hasAdded(uid)) this.#tunnels.revoke(uid);
    this.#revoke(revocations);
    this.#drain.update(drain, others);
  }

  #revoke(revocations: readonly SiteRevocation[]): void {
    const sites = this.#revocations.add(revocations);
    if (sites.size > 0) this.#siteProxy.endUnauthorized();
    for (const siteId of sites) {
      this.#registry.find(siteId)?.sendRevocations(this.#revocations.pingOf(siteId));
    }
  }

  #onSessionAdded(session: DeviceSession): void {
    const { uid, siteId } = session;
    session.sendRevocations(this.#revocations.pingOf(siteId));
    this.#changes.added(uid, siteId);
    this.#announcer?.changed();
  }

  #onSessionRemoved({ uid, siteId }: DeviceSession, gracefully: boolean): void {
    this.#changes.removed(uid);
    this.#announcer?.changed();
    if (gracefully) this.#recentlyLeft.add(siteId);
    // Their clients come back and find the device where it is now.
    this.#siteProxy.inFlight.endWebSockets(siteId);
  }
}

/** @param fine the detail of a row without a refusal */
function checkOf(refusal: Refusal | undefined, fine = ''): CheckResult {
  return refusal === undefined ? { status: 'ok', detail: fine } : { status: 'failed', detail: refusal.error };
}

function regionDomainFor({
  host,
  regionDomain = host && regionDomainOf(host),
}: ProxyConfig): string | undefined {
  return regionDomain === undefined ? undefined : withoutPort(regionDomain);
}

function withoutPort(host: string): string {
  return host.replace(/:\d+$/, '');
}
