import { DEFAULT_LIMIT, MAX_LIMIT, RESTORE_PART_BYTES, type RecoveryEventKind } from '@heliograph/contracts';
import { deviceOperations } from '@heliograph/contracts/operations/device';
import { Api } from '@heliograph/http/api';
import { BodyAdmission } from '@heliograph/http/body-budget';
import { AppError, NotFound, Unauthorized, ValidationError } from '@heliograph/kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Access } from '../../access/access.ts';
import type { Audit } from '../../access/audit/audit.ts';
import { ACCESS_ENDED, type Caller } from '../../access/caller.ts';
import type { DevicePassword } from '../../access/device-password.ts';
import { RECOVERY_OPERATIONS } from '../../access/recovery-policy.ts';
import type { SupportSessions } from '../../access/support-sessions.ts';
import type { TariffStore } from '../../energy/tariffs/tariff-store.ts';
import type { SettingWriter } from '../../settings/setting-writer.ts';
import type { AuditLog } from '../../storage/audit-log.ts';
import type { StoreProblem } from '../../storage/opening/open-store.ts';
import type { StoreLosses } from '../../storage/salvage/store-loss.ts';
import { admission, callerOf, createGuards } from './guards.ts';
import { MetricReads } from './metric-reads.ts';
import { requireFirstRun } from './pages/first-run.ts';
import { originOf } from './pages/origin.ts';
import type { PageOperations } from './pages/page-operations.ts';
import { pageRoutes } from './pages/page-routes.ts';
import { passwordRoutes } from './pages/password-routes.ts';
import type { SessionCookie } from './pages/session-cookie.ts';
import { sessionRoutes } from './pages/session-routes.ts';
import { type Alerting, alertRoutes } from './routes/alert-routes.ts';
import { backupRoutes } from './routes/backup-routes.ts';
import { energyRoutes } from './routes/energy-routes.ts';
import { historyRoutes } from './routes/history-routes.ts';
import { type McpRouteOptions, mcpRoutes } from './routes/mcp-routes.ts';
import { settingsLogRoutes, type WriteHistory } from './routes/settings-log-routes.ts';
import { tariffRoutes } from './routes/tariff-routes.ts';
import { SERVER_LIMITS } from './server-limits.ts';

interface StoreRouteOptions {
  readonly password: DevicePassword;
  readonly storeProblem: StoreProblem | null;
  readonly startStore: NonNullable<PageOperations['startStore']>;
}

/** A new store in place of one that cannot be used, with the password where that is known. */
function storeRoutes(api: Api, { password, storeProblem, startStore }: StoreRouteOptions): void {
  api.serve(deviceOperations.startStore, async (request) => {
    const { body, raw } = request;
    if (storeProblem === null) throw new Refused('The store of this device can be used');
    if (!password.isSet) await requireFirstRun(request);
    else if (!(await password.matches(body.password ?? '', originOf(raw).address))) {
      throw new ValidationError({ password: ['is not the password of this device'] });
    }
    if (!storeProblem.hasIdentity && body.new_identity !== true) {
      throw new Refused(
        'There is no copy of the identity: with a new store this device is a new one to the cloud',
      );
    }
    await startStore();
  });
}

function storeLossRoutes(api: Api, losses: Pick<StoreLosses, 'dismiss'>): void {
  api.serve(deviceOperations.dismissStoreLoss, async () => losses.dismiss());
}

class Refused extends AppError {
  constructor(message: string) {
    super(message, { code: 'store', status: 409 });
  }
}

/** Records what callers of support recovery sessions do, for the owner; settings are recorded by `recordedSettings`. */
function recordRecoveryEvents(app: FastifyInstance, support: SupportSessions): void {
  app.addHook('onSend', (request, reply, _payload, done) => {
    const author = request.getDecorator<Caller | null>('caller')?.recovery;
    const event = author == null ? null : eventOf(request);
    if (author != null && event !== null) {
      support.record(author, { kind: event, subject: subjectOf(request), succeeded: reply.statusCode < 400 });
    }
    done();
  });
}

/** @returns null for what is not recorded, or is by `recordedSettings` */
function eventOf({ routeOptions }: FastifyRequest): RecoveryEventKind | null {
  const { operation } = routeOptions.config;
  if (operation === undefined || operation.id === 'setMetric') return null;
  return Object.hasOwn(RECOVERY_OPERATIONS, operation.id)
    ? (RECOVERY_OPERATIONS[operation.id]?.event ?? null)
    : null;
}

/** Longest subject, in characters. */
const MAX_LENGTH = 200;

/** The fields of a changed configuration, without their values, among which are secrets. */
function subjectOf({ body }: FastifyRequest): string | null {
  if (typeof body !== 'object' || body === null) return null;
  const fields = Object.keys(body).join(', ');
  return fields === '' ? null : fields.slice(0, MAX_LENGTH);
}

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

/** The audit log of the device. */
function auditRoutes(api: Api, log: Pick<AuditLog, 'recent'>): void {
  api.serve(deviceOperations.listDeviceAudit, ({ query: { limit = DEFAULT_LIMIT, before } }) => {
    const most = Math.min(Number(limit), MAX_LIMIT);
    return log
      .recent(most, before === undefined ? undefined : Number(before))
      .map((entry) => ({ ...entry, at: new Date(entry.at).toISOString() }));
  });
}

interface SupportRouteOptions {
  readonly support: SupportSessions;
  readonly audit: Audit;
}

/** Support recovery sessions, which end here without the cloud. */
function supportRoutes(api: Api, { support, audit }: SupportRouteOptions): void {
  api.serve(deviceOperations.getSupport, () => support.show());

  api.serve(deviceOperations.changeSupport, (request) => {
    const { access } = request.body;
    const changes = [{ field: 'support_access', old_value: support.access, new_value: access }];
    if (access !== support.access) {
      const trace = audit.begin('support.change', callerOf(request), { changes });
      support.setAccess(access);
      trace.end('ok');
    }
    return support.show();
  });

  api.serve(deviceOperations.endSupportSession, async (request) => {
    const id = Number(request.params.id);
    const trace = audit.begin('support.end', callerOf(request), { subject: `session ${id}` });
    const isEnded = support.end(id);
    trace.end(isEnded ? 'ok' : 'not found');
    if (!isEnded) throw new NotFound();
  });
}
