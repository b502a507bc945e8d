import { RESTORE_PART_BYTES } from '@heliograph/contracts';
import { deviceOperations } from '@heliograph/contracts/operations/device';
import { Api } from '@heliograph/http/api';
import { BodyAdmission } from '@heliograph/http/body-budget';
import { NotFound, Unauthorized } from '@heliograph/kit';
import type { FastifyInstance } from 'fastify';
import type { Access } from '../../access/access.ts';
import type { Audit } from '../../access/audit/audit.ts';
import { ACCESS_ENDED, type Caller } from '../../access/caller.ts';
import type { TariffStore } from '../../energy/tariffs/tariff-store.ts';
import type { SettingWriter } from '../../settings/setting-writer.ts';
import type { AuditLog } from '../../storage/audit-log.ts';
import type { StoreProblem } from '../../storage/open-store.ts';
import type { StoreLosses } from '../../storage/store-loss.ts';
import { type Alerting, alertRoutes } from './alert-routes.ts';
import { auditRoutes } from './audit-routes.ts';
import { backupRoutes } from './backup-routes.ts';
import { energyRoutes } from './energy-routes.ts';
import { admission, callerOf, createGuards } from './guards.ts';
import { historyRoutes } from './history-routes.ts';
import { type McpRouteOptions, mcpRoutes } from './mcp-routes.ts';
import { MetricReads } from './metric-reads.ts';
import { originOf } from './origin.ts';
import type { PageOperations } from './page-operations.ts';
import { pageRoutes } from './page-routes.ts';
import { passwordRoutes } from './password-routes.ts';
import { recordRecoveryEvents } from './recovery-events.ts';
import { SERVER_LIMITS } from './server-limits.ts';
import type { SessionCookie } from './session-cookie.ts';
import { sessionRoutes } from './session-routes.ts';
import { settingsLogRoutes, type WriteHistory } from './settings-log-routes.ts';
import { storeLossRoutes, storeRoutes } from './store-routes.ts';
import { supportRoutes } from './support-routes.ts';
import { tariffRoutes } from './tariff-routes.ts';

export interface RoutesOptions extends McpRouteOptions {
  readonly access: Pick<Access, 'guard' | 'password' | 'sessions' | 'site' | 'support'>;
  readonly cookie: SessionCookie;
  readonly settings: SettingWriter;
  readonly writes: WriteHistory;
  readonly tariffs: TariffStore;
  readonly alerting: Alerting;
  readonly audit: Audit;
  readonly auditLog: Pick<AuditLog, 'recent'>;
  readonly pages?: PageOperations | undefined;
  /** Null, or left out: the store is as it should be. */
  readonly storeProblem?: StoreProblem | null;
  readonly losses: Pick<StoreLosses, 'dismiss'>;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** Memory for two parts of a backup that is restored. */
const BODY_SHARES = { client: { each: 2 * RESTORE_PART_BYTES, all: 2 * RESTORE_PART_BYTES } };

/** The device's REST API; paths and shapes are the same on the LAN and through the proxy. */
export function apiRoutes(app: FastifyInstance, options: RoutesOptions): void {
  const {
    access,
    cookie,
    audit,
    snapshots,
    settings,
    writes,
    auditLog,
    history,
    energy,
    tariffs,
    alerting,
    calendar,
    pages,
    losses,
    storeProblem = null,
  } = options;
  const reads = new MetricReads(snapshots);
  const bodies = new BodyAdmission(
    BODY_SHARES,
    ({ raw }) => ({ kind: 'client', id: originOf(raw).address }),
    { timeoutMs: SERVER_LIMITS.requestMs, clock: options.clock },
  );
  const api = new Api(app, createGuards(app, access.guard, cookie), bodies);

  // Callers are let in before their bodies are read, which may come half a minute later.
  app.addHook('preHandler', (request, _reply, done) => {
    const caller = request.getDecorator<Caller | null>('caller');
    if (caller?.isStillAuthorized() === false) throw new Unauthorized(ACCESS_ENDED);
    done();
  });

  recordRecoveryEvents(app, access.support);

  api.serve(deviceOperations.listMetrics, ({ query }, reply) => {
    const { value, discovery } = query;
    const topic = query.topic || '*';
    if (value === undefined) return reply.type(JSON_TYPE).send(reads.rows(topic, discovery !== undefined));
    const text = reads.text(topic);
    if (text === undefined) throw new NotFound(`No metric matches ${topic}`);
    return reply.type(TEXT_TYPE).send(text);
  });

  api.serve(deviceOperations.setMetric, async (request) => {
    const { topic, value } = request.body;
    await settings.set(topic, String(value), callerOf(request));
    return { topic, result: 'ok' as const };
  });

  api.serve(deviceOperations.getSystem, (_request, reply) => reply.type(JSON_TYPE).send(reads.system()));

  historyRoutes(api, history);
  energyRoutes(api, energy, calendar.timeZone);
  tariffRoutes(api, { tariffs, audit });
  alertRoutes(api, alerting, audit);
  settingsLogRoutes(api, writes);
  auditRoutes(api, auditLog);
  sessionRoutes(api, {
    ...access,
    cookie,
    cloudUrl: pages?.claim().cloud_url ?? null,
    storeProblem,
    clock: options.clock,
  });
  storeLossRoutes(api, losses);
  passwordRoutes(api, { ...access, cookie, audit });
  supportRoutes(api, { support: access.support, audit });
  mcpRoutes(app, admission(access.guard, cookie), options);
  if (pages !== undefined) pageRoutes(app, api, pages);
  if (pages?.startStore !== undefined) {
    storeRoutes(api, { ...access, storeProblem, startStore: pages.startStore });
  }
  if (pages?.backups !== undefined)
    backupRoutes(api, { ...access, cookie, backups: pages.backups, audit, storeProblem });
}
