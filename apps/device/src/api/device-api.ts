import type { AddressInfo } from 'node:net';
import { answerMalformedRequest, type Clock, type Logger, requireOneHost } from '@heliograph/kit';
import { fastify } from 'fastify';
import type { Audit } from '../audit/audit.ts';
import type { Access } from '../auth/access.ts';
import type { HistorySource } from '../history/history.ts';
import type { SiteCalendar } from '../mcp/site-sources.ts';
import type { SnapshotSource } from '../poll/snapshot.ts';
import type { SettingWriter } from '../settings/setting-writer.ts';
import type { AuditLog } from '../storage/audit-log.ts';
import { LiveStream } from '../stream/live-stream.ts';
import { builtPages } from './built-pages.ts';
import { discoverRoute } from './discover.ts';
import { errorHandler } from './error-handler.ts';
import { healthRoutes } from './health.ts';
import { refuseFaultyJson } from './json-bodies.ts';
import { LiveSockets } from './live-sockets.ts';
import { OpenConnections } from './open-connections.ts';
import { markTunnelled } from './origin.ts';
import type { PageOperations } from './page-operations.ts';
import { passwordRoutes } from './password-routes.ts';
import { apiRoutes } from './routes.ts';
import { checkingIntervalMs, MAX_BODY_BYTES, SERVER_LIMITS, type ServerLimits } from './server-limits.ts';
import { sessionRoutes } from './session-routes.ts';
import type { WriteHistory } from './settings-log-routes.ts';
import type { TunnelHandler } from './tunnel-handler.ts';

export interface DeviceApiOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  readonly access: Pick<Access, 'guard' | 'password' | 'sessions' | 'site'>;
  /** Operations for the device's own pages; left out, they show its metrics alone. */
  readonly pages?: PageOperations | undefined;
  readonly snapshots: SnapshotSource;
  readonly settings: SettingWriter;
  readonly writes: WriteHistory;
  readonly audit: Audit;
  readonly auditLog: Pick<AuditLog, 'recent'>;
  readonly history: HistorySource;
  readonly calendar: SiteCalendar;
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
  const { host, port, access, audit, snapshots, limits = SERVER_LIMITS, logger } = options;
  const app = fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: limits.requestMs,
    http: {
      headersTimeout: limits.headMs,
      connectionsCheckingInterval: checkingIntervalMs(limits),
      // Some HTTP clients offer an upgrade to HTTP/2 with every request; those are ordinary requests.
      shouldUpgradeCallback: ({ headers }) => headers.upgrade?.toLowerCase() === 'websocket',
    },
    clientErrorHandler: answerMalformedRequest,
    ajv: { customOptions: { coerceTypes: false, removeAdditional: false, allowUnionTypes: true } },
    frameworkErrors: errorHandler(logger),
  });
  app.removeContentTypeParser('text/plain');
  refuseFaultyJson(app);
  app.setErrorHandler(errorHandler(logger));
  app.addHook('onRequest', async ({ raw }) => requireOneHost(raw));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'Not found' }));
  apiRoutes(app, options);
  sessionRoutes(app, access);
  passwordRoutes(app, { ...access, audit });
  healthRoutes(app, snapshots);
  discoverRoute(app);
  builtPages(app, access);

  const connections = new OpenConnections(app.server, limits);
  const stream = new LiveStream(options);
  const sockets = new LiveSockets({ guard: access.guard, stream, logger });
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
        // Fastify takes requests of either HTTP version; its server's event is where it takes them.
        app.server.emit('request', request, response);
      },
      connect: (request, response) => void sockets.connect(request, response),
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
