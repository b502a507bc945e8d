import { ErrorBody, MetricsQuery, SetMetricAnswer, SetMetricBody } from '@heliograph/contracts';
import { Forbidden } from '@heliograph/kit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, READ_ONLY } from '../auth/caller.ts';
import { credentialsOfHeader } from '../auth/credentials.ts';
import type { Guard } from '../auth/guard.ts';
import type { SnapshotSource } from '../poll/snapshot.ts';
import type { SettingWriter } from '../settings/setting-writer.ts';
import { MetricReads } from './metric-reads.ts';
import { originOf } from './origin.ts';

export interface RoutesOptions {
  readonly guard: Guard;
  readonly snapshots: SnapshotSource;
  readonly settings: SettingWriter;
}

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

/** The device's REST API; paths and shapes are the same on the LAN and through the proxy. */
export function apiRoutes(app: FastifyInstance, { guard, snapshots, settings }: RoutesOptions): void {
  const reads = new MetricReads(snapshots);

  app.decorateRequest('caller', null);
  const admit = async (request: FastifyRequest): Promise<void> => {
    const credentials = credentialsOfHeader(request.headers.authorization);
    request.setDecorator('caller', await guard.admit(credentials, originOf(request.raw)));
  };

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
}
