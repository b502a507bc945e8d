import type { AddressInfo } from 'node:net';
import { deviceDocument } from '@heliograph/contracts/documents/device';
import { streamDocument } from '@heliograph/contracts/documents/stream';
import { acceptJson, BODY_LIMIT } from '@heliograph/http/bodies';
import { refuseOtherMethods } from '@heliograph/http/methods';
import { observeRequests, REQUEST_IDS } from '@heliograph/http/observe-requests';
import { serveContent } from '@heliograph/http/serve-content';
import { compileValidator } from '@heliograph/http/validator';
import { answerMalformedRequest, type Clock, type Logger, requireOneHost } from '@heliograph/kit';
import { servePages } from '@heliograph/pages/serve';
import { type FastifyInstance, fastify } from 'fastify';
import type { Access } from '../../access/access.ts';
import type { Audit } from '../../access/audit/audit.ts';
import type { TariffStore } from '../../energy/tariffs/tariff-store.ts';
import type { HistorySource } from '../../history/history.ts';
import type { SnapshotSource } from '../../poll/snapshot.ts';
import type { SettingWriter } from '../../settings/setting-writer.ts';
import type { AuditLog } from '../../storage/audit-log.ts';
import type { StoreProblem } from '../../storage/opening/open-store.ts';
import type { StoreLosses } from '../../storage/salvage/store-loss.ts';
import type { SiteCalendar, SiteSources } from '../mcp/site-sources.ts';
import { LiveStream } from '../stream/live-stream.ts';
import { errorHandler } from './error-handler.ts';
import { admission } from './guards.ts';
import { LiveSockets, requireUpgrade } from './live-sockets.ts';
import { OpenConnections } from './open-connections.ts';
import { addressOf, markTunnelled, originOf } from './pages/origin.ts';
import type { PageOperations } from './pages/page-operations.ts';
import { SessionCookie } from './pages/session-cookie.ts';
import { type Alerting, alertFeedOf } from './routes/alert-routes.ts';
import { type Monitoring, monitoringRoutes } from './routes/monitoring-routes.ts';
import type { WriteHistory } from './routes/settings-log-routes.ts';
import { apiRoutes } from './routes.ts';
import { checkingIntervalMs, SERVER_LIMITS, type ServerLimits } from './server-limits.ts';
import type { TunnelHandler } from './tunnel-handler.ts';

/** The paths of the device's pages; the page's script picks the view by the path. */
const PATHS = [
  '/',
  '/sign_in',
  '/totals',
  '/power',
  '/alerts',
  '/energy',
  '/history',
  '/values',
  '/inverter/settings',
  '/settings',
  '/log',
  '/links',
  '/configuration',
  '/configuration/*',
  '/probe',
  '/store',
  '/claim',
];

/** Serves the device's pages, which call its API as any client does. They hold nothing secret before that. */
function builtPages(
  app: FastifyInstance,
  { password }: Pick<Access, 'password'>,
  cookie: SessionCookie,
): void {
  servePages(
    app,
    { entry: 'docs', paths: ['/docs'] },
    {
      entry: 'device',
      paths: PATHS,
      sessionHint({ raw, headers }) {
        // The proxy passes only signed-in browsers on to a page.
        if (originOf(raw).via === 'proxy' || cookie.tokensIn(headers.cookie).length > 0) return 'signed-in';
        return password.isSet ? 'signed-out' : undefined;
      },
    },
  );
}

export interface DeviceApiOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly uid: string;
  readonly access: Pick<Access, 'guard' | 'password' | 'sessions' | 'site' | 'support'>;
  /** Operations for the device's own pages; left out, they show its metrics alone. */
  readonly pages?: PageOperations | undefined;
  readonly storeProblem?: StoreProblem | null;
  readonly losses: Pick<StoreLosses, 'dismiss'>;
  readonly snapshots: SnapshotSource;
  readonly settings: SettingWriter;
  readonly writes: WriteHistory;
  readonly audit: Audit;
  readonly auditLog: Pick<AuditLog, 'recent'>;
  readonly history: HistorySource;
  readonly energy: SiteSources['energy'];
  readonly calendar: SiteCalendar;
  readonly tariffs: TariffStore;
  readonly alerting: Alerting;
  readonly energyToday: SiteSources['energyToday'];
  readonly monitoring: Monitoring;
  readonly limits?: ServerLimits;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The device's HTTP server, listening. */
export interface DeviceApi {
  readonly port: number;
  /** The API's URL on this machine. */
  readonly url: string;
  /** Serves what comes through the tunnel as what comes from the LAN is served. */
  readonly tunnel: TunnelHandler;
  /** How many clients of the live stream are connected. */
  readonly streamClients: number;
  stop(): Promise<void>;
}

/**
 * Starts the REST API and the live stream, on the LAN and for the tunnel.
 *
 * @throws the system's error when the port is taken
 */
export async function startDeviceApi(options: DeviceApiOptions): Promise<DeviceApi> {
  const { host, port, access, monitoring, limits = SERVER_LIMITS, logger } = options;
  const app = fastify({
    // A configuration with a hundred connections has some 20,000 bytes.
    bodyLimit: BODY_LIMIT,
    requestTimeout: limits.requestMs,
    http: {
      headersTimeout: limits.headMs,
      // `requireOneHost` refuses missing hosts.
      requireHostHeader: false,
      connectionsCheckingInterval: checkingIntervalMs(limits),
      // Some HTTP clients offer an upgrade to HTTP/2 with every request; those are ordinary requests.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    clientErrorHandler: answerMalformedRequest,
    // The operation validates a parameter of its path, however long it is.
    routerOptions: { maxParamLength: 4096 },
    frameworkErrors: errorHandler(logger),
    ...REQUEST_IDS,
  });
  observeRequests(app, monitoring.observer);
  app.setValidatorCompiler(compileValidator);
  // Handlers list the fields of answers, and types check them against the schema. Fastify's own serializers take most
  // of the time of a start, and libraries of their own.
  app.setSerializerCompiler(() => JSON.stringify);
  acceptJson(app);
  app.setErrorHandler(errorHandler(logger));
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    requireOneHost(raw);
    done();
  });
  refuseOtherMethods(app);
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not found' }));
  const cookie = new SessionCookie(options.uid, access.sessions);
  apiRoutes(app, { ...options, cookie });
  monitoringRoutes(app, admission(access.guard, cookie), monitoring);
  discoverRoute(app);
  requireUpgrade(app);
  const type = 'application/json; charset=utf-8';
  serveContent(app, '/openapi.json', {
    type,
    variantOf: ({ raw }) => addressOf(raw),
    make: (address) => JSON.stringify(deviceDocument(address)),
  });
  serveContent(app, '/asyncapi.json', { type, make: () => JSON.stringify(streamDocument()) });
  builtPages(app, access, cookie);

  const connections = new OpenConnections(app.server, limits);
  const stream = new LiveStream({ ...options, alertFeed: alertFeedOf(options.alerting) });
  const sockets = new LiveSockets({
    guard: access.guard,
    cookie,
    stream,
    observer: monitoring.observer,
    logger,
  });
  app.server.on('upgrade', (request, socket, head) => void sockets.upgrade(request, socket, head));
  await app.listen({ host, port });
  stream.start();

  const address = app.server.address() as AddressInfo;
  return {
    port: address.port,
    url: `http://${reachable(address)}:${address.port}`,
    tunnel: {
      request(request, response) {
        markTunnelled(request);
        // The event of its server is where Fastify takes requests.
        app.server.emit('request', request, response);
      },
      upgrade(request, head) {
        markTunnelled(request);
        void sockets.upgrade(request, request.socket, head);
      },
    },
    get streamClients() {
      return stream.size;
    },
    async stop() {
      stream.stop();
      const closed = app.close();
      connections.close();
      await closed;
    },
  };
}

/** An address that can be dialled: one cannot dial "any address". */
function reachable({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return family === 'IPv6' ? `[${address}]` : address;
}

const IMAGE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">' +
  '<title>This device can be reached</title><circle cx="8" cy="8" r="7" fill="#16a34a"/></svg>';

/**
 * An image whose only information is that it was loaded: pages of other origins show it to find out whether a browser
 * reaches the device on its own network, hence open to anyone and never from a cache.
 */
function discoverRoute(app: FastifyInstance): void {
  app.get('/api/v1/discover.svg', (_request, reply) =>
    reply
      .headers({
        'content-type': 'image/svg+xml; charset=utf-8',
        'cache-control': 'no-store',
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
        'x-content-type-options': 'nosniff',
      })
      .send(IMAGE),
  );
}
