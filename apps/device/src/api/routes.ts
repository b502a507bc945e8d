import { ErrorBody, MetricsQuery, SetMetricAnswer, SetMetricBody } from '@heliograph/contracts';
import { Forbidden, Unauthorized } from '@heliograph/kit';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Access } from '../auth/access.ts';
import { ACCESS_ENDED, type Caller, READ_ONLY } from '../auth/caller.ts';
import type { SettingWriter } from '../settings/setting-writer.ts';
import type { AuditLog } from '../storage/audit-log.ts';
import { admission, configurationAdmission } from './admission.ts';
import { auditRoutes } from './audit-routes.ts';
import { historyRoutes } from './history-routes.ts';
import { type McpRouteOptions, mcpRoutes } from './mcp-routes.ts';
import { MetricReads } from './metric-reads.ts';
import type { PageOperations } from './page-operations.ts';
import { pageRoutes } from './page-routes.ts';
import { settingsLogRoutes, type WriteHistory } from './settings-log-routes.ts';

export interface RoutesOptions extends McpRouteOptions {
  readonly access: Pick<Access, 'guard'>;
  readonly settings: SettingWriter;
  readonly writes: WriteHistory;
  readonly auditLog: Pick<AuditLog, 'recent'>;
  readonly pages?: PageOperations | undefined;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** The device's REST API; paths and shapes are the same on the LAN and through the proxy. */
export function apiRoutes(app: FastifyInstance, options: RoutesOptions): void {
  const { access, snapshots, settings, writes, auditLog, history, pages } = options;
  const reads = new MetricReads(snapshots);

  app.decorateRequest('caller', null);
  // Callers are let in before their bodies are read, which may come half a minute later.
  app.addHook('preHandler', async (request) => {
    const caller = request.getDecorator<Caller | null>('caller');
    if (caller?.isStillAuthorized() === false) throw new Unauthorized(ACCESS_ENDED);
  });
  const admit = admission(access.guard);

  app.get<{ Querystring: MetricsQuery }>(
    '/api/v1/metrics',
    { onRequest: admit, schema: { querystring: MetricsQuery } },
    (request, reply): FastifyReply => {
      const { topic = '*', value, discovery } = request.query;
      if (value === '1') return reply.type(TEXT_TYPE).send(reads.text(topic));
      return reply.type(JSON_TYPE).send(reads.rows(topic, discovery !== undefined));
    },
  );

  app.post<{ Body: SetMetricBody }>(
    '/api/v1/metrics',
    {
      onRequest: admit,
      schema: { body: SetMetricBody, response: { 200: SetMetricAnswer, '4xx': ErrorBody } },
    },
    async (request): Promise<SetMetricAnswer> => {
      const caller = request.getDecorator<Caller>('caller');
      if (!caller.mayWrite) throw new Forbidden(READ_ONLY);
      const { topic, value } = request.body;
      await settings.set(topic, String(value), caller);
      return { topic, result: 'ok' };
    },
  );

  app.get('/api/v1/system', { onRequest: admit }, (_request, reply): FastifyReply => {
    return reply.type(JSON_TYPE).send(reads.system());
  });

  historyRoutes(app, admit, history);
  settingsLogRoutes(app, admit, writes);
  auditRoutes(app, configurationAdmission(admit), auditLog);
  mcpRoutes(app, admit, options);
  if (pages !== undefined) pageRoutes(app, admit, pages);
}
